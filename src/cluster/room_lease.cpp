// SPDX-License-Identifier: MIT
#include <instep/cluster/room_lease.h>

#include <algorithm>

#include <instep/cluster/scripts.h>
#include <instep/server/signing_keys.h>

namespace instep::cluster {

using server::Clock;
using server::LockGuard;
using server::Time;

namespace {

constexpr std::chrono::milliseconds most_waiting_for_owner{2000};
constexpr std::chrono::milliseconds owner_check{20};
// Between attempts to attach, while none succeeds: doubles up to the last, which lies within a lease.
constexpr std::chrono::milliseconds first_attach_pause{50};
constexpr std::chrono::milliseconds last_attach_pause{1000};

constexpr std::size_t holder_bytes = 16;

std::string text_of(const codec::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string make_holder() { return server::random_text(holder_bytes); }

RoomLease::RoomLease(std::shared_ptr<RedisRooms> redis, server::Loop& loop, std::string room,
                     LeaseConfig config, std::string holder, std::uint64_t epoch, std::uint64_t tick,
                     Time sent)
    : redis_(std::move(redis)),
      loop_(loop),
      timer_(loop),
      room_(std::move(room)),
      config_(std::move(config)),
      holder_(std::move(holder)),
      phase_(epoch == 0 ? Phase::unclaimed : Phase::attached),
      is_new_(epoch == 0),
      epoch_(epoch == 0 ? 1 : epoch),
      committed_(tick),
      leased_until_(epoch == 0 ? Time::min() : sent + config_.length) {}

void RoomLease::open(Changed changed) { changed_ = std::move(changed); }

auto RoomLease::status() const -> Status {
    const LockGuard lock(mutex_);
    return {.committed = committed_,
            .needs_checkpoint = (phase_ == Phase::unclaimed || phase_ == Phase::detached) &&
                                redis_->is_connected() && Clock::now() >= attach_at_,
            .is_fenced = is_settled_,
            .owner = owner_,
            .leased_until = leased_until_};
}

Command RoomLease::owner_arguments() const {
    return {std::to_string(epoch_), holder_, std::to_string(config_.length.count())};
}

void RoomLease::append(std::uint64_t first, std::uint64_t last, codec::Bytes entry) {
    const LockGuard lock(mutex_);
    Entry kept{first, last, text_of(entry)};
    if (phase_ == Phase::attached)
        send_append(std::move(kept));
    else if (phase_ == Phase::attaching)
        waiting_.push_back(std::move(kept));
}

void RoomLease::send_append(Entry entry) {
    Command arguments = owner_arguments();
    arguments.push_back(std::to_string(entry.first));
    arguments.push_back(std::to_string(entry.last));
    arguments.push_back(std::move(entry.bytes));
    redis_->run(Script::append, room_, std::move(arguments), commits(attempt_));
}

void RoomLease::checkpoint(std::uint64_t tick, std::function<codec::Bytes()> make_image) {
    bool attaches = false;
    std::uint64_t attempt = 0;
    {
        const LockGuard lock(mutex_);
        if (phase_ == Phase::fenced || phase_ == Phase::attaching) return;
        attaches = phase_ != Phase::attached;
        if (attaches) {
            phase_ = Phase::attaching;
            ++attempt_;
            waiting_.clear();
        }
        attempt = attempt_;
    }
    loop_.post_blocking([self = shared_from_this(), tick, make = std::move(make_image), attempt, attaches] {
        self->send_checkpoint(tick, text_of(make()), attempt, attaches);
    });
}

void RoomLease::send_checkpoint(std::uint64_t tick, std::string image, std::uint64_t attempt, bool attaches) {
    const LockGuard lock(mutex_);
    if (attempt != attempt_ || phase_ != (attaches ? Phase::attaching : Phase::attached)) return;
    if (is_new_) {
        redis_->send({"SADD", rooms_key, room_}, nullptr);
        redis_->run(Script::open, room_,
                    {holder_, std::to_string(config_.length.count()), config_.address, info_,
                     std::to_string(tick), std::move(image)},
                    commits(attempt));
    } else {
        Command arguments = owner_arguments();
        arguments.push_back(std::to_string(tick));
        arguments.push_back(std::move(image));
        redis_->run(Script::checkpoint, room_, std::move(arguments), commits(attempt));
    }
    if (!attaches) return;
    phase_ = Phase::attached;
    for (Entry& entry : waiting_) send_append(std::move(entry));
    waiting_.clear();
}

// The lease is valid at least for its length from when the command was sent.
RedisClient::Answer RoomLease::commits(std::uint64_t attempt) {
    return [self = shared_from_this(), attempt, sent = Clock::now()](const Reply& reply) {
        if (reply.is_error()) return self->lose(reply, attempt);
        {
            const LockGuard lock(self->mutex_);
            if (self->phase_ == Phase::fenced) return;
            self->is_new_ = false;
            if (attempt == self->attempt_) self->attach_pause_ = {};
            self->committed_ = std::max(self->committed_, static_cast<std::uint64_t>(reply.integer));
            self->leased_until_ = std::max(self->leased_until_, sent + self->config_.length);
        }
        self->tell_changed();
    };
}

void RoomLease::lose(const Reply& reply, std::uint64_t attempt) {
    const bool is_fenced = reply.error_code() == "FENCED" || reply.error_code() == "TAKEN";
    {
        const LockGuard lock(mutex_);
        if (phase_ == Phase::fenced) return;
        if (!is_fenced) {
            if (attempt == attempt_ && phase_ == Phase::attached) detach();
            return;
        }
        phase_ = Phase::fenced;
    }
    find_owner(Clock::now());
}

void RoomLease::detach() {
    phase_ = is_new_ ? Phase::unclaimed : Phase::detached;
    attach_at_ = Clock::now() + attach_pause_;
    attach_pause_ = std::clamp(2 * attach_pause_, first_attach_pause, last_attach_pause);
}

// For the clients; the room waits for it, and asks again until it is known.
void RoomLease::find_owner(Time until) {
    redis_->run(Script::look, room_, {}, [self = shared_from_this(), until](const Reply& reply) {
        const bool is_owned = reply.items.size() == look_items && reply.items[1].integer > 0;
        const bool can_ask = !reply.is_error() || self->redis_->is_connected();
        if (!is_owned && can_ask && Clock::now() < until) {
            self->timer_.run_at(Clock::now() + owner_check, [self, until]() -> std::optional<Time> {
                self->find_owner(until);
                return {};
            });
            return;
        }
        {
            const LockGuard lock(self->mutex_);
            self->is_settled_ = true;
            if (is_owned) self->owner_ = reply.items[2].text;
        }
        self->tell_changed();
    });
}

void RoomLease::tell_changed() const {
    if (changed_) changed_(status());
}

void RoomLease::renew(std::string info) {
    const LockGuard lock(mutex_);
    info_ = std::move(info);
    if (phase_ != Phase::attached || is_new_) return;
    Command arguments = owner_arguments();
    arguments.push_back(info_);
    // Again: a process that looked at the room before it was open may have removed its name since.
    redis_->send({"SADD", rooms_key, room_}, nullptr);
    redis_->run(Script::renew, room_, std::move(arguments),
                [self = shared_from_this(), attempt = attempt_, sent = Clock::now()](const Reply& reply) {
                    if (reply.is_error()) return self->lose(reply, attempt);
                    const LockGuard held(self->mutex_);
                    self->leased_until_ = std::max(self->leased_until_, sent + self->config_.length);
                });
}

void RoomLease::close() {
    const LockGuard lock(mutex_);
    if (phase_ == Phase::fenced) return;
    phase_ = Phase::fenced;
    Command arguments = owner_arguments();
    arguments.pop_back();
    redis_->run(Script::close, room_, std::move(arguments), nullptr);
    redis_->send({"SREM", rooms_key, room_}, nullptr);
}

void RoomLease::release(std::uint64_t tick, std::function<codec::Bytes()> make_image) {
    loop_.post_blocking([self = shared_from_this(), tick, make = std::move(make_image)] {
        self->send_release(tick, text_of(make()));
    });
}

// If Redis does not answer, the lease expires, and another process goes on from the last entry.
void RoomLease::send_release(std::uint64_t tick, std::string image) {
    const LockGuard lock(mutex_);
    if (phase_ == Phase::fenced) return;
    phase_ = Phase::fenced;
    Command arguments{std::to_string(epoch_), holder_, std::to_string(tick), std::move(image)};
    redis_->run(Script::release, room_, std::move(arguments), [self = shared_from_this()](const Reply&) {
        self->find_owner(Clock::now() + most_waiting_for_owner);
    });
    redis_->send({"SADD", released_key, room_}, nullptr);
}

}  // namespace instep::cluster
