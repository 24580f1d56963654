// SPDX-License-Identifier: MIT
#include <instep/cluster/take_over.h>

#include <algorithm>
#include <utility>

#include <instep/server/journal_entry.h>
#include <instep/server/signing_keys.h>

namespace instep::cluster {

using server::Clock;
using server::LockGuard;
using server::Time;
using state::refuse;
using state::Result;

namespace {

codec::Bytes bytes_of(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

}  // namespace

TakeOver::TakeOver(std::shared_ptr<RedisRooms> redis, server::Loop& loop, server::Lobby& lobby,
                   server::Metrics& metrics, server::Log& log)
    : redis_(std::move(redis)),
      loop_(loop),
      lobby_(lobby),
      metrics_(metrics),
      log_(log),
      thread_(1, {.tasks = 2 * most_at_once}) {}

void TakeOver::set_lease(LeaseConfig lease) {
    const LockGuard lock(mutex_);
    lease_ = std::move(lease);
}

void TakeOver::drain() {
    const LockGuard lock(mutex_);
    is_draining_ = true;
    waiting_.clear();
}

std::size_t TakeOver::under_way() const {
    const LockGuard lock(mutex_);
    return jobs_.size();
}

void TakeOver::forget(const std::string& room) {
    const LockGuard lock(mutex_);
    failures_.erase(room);
}

void TakeOver::offer(const ExpiredRoom& room) {
    const std::string& name = room.room->name;
    const LockGuard lock(mutex_);
    if (is_draining_ || jobs_.contains(name) || waiting_.size() >= most_waiting) return;
    if (const auto failed = failures_.find(name);
        failed != failures_.end() && Clock::now() < failed->second.next)
        return;
    if (std::any_of(waiting_.begin(), waiting_.end(),
                    [&](const ExpiredRoom& other) { return other.room->name == name; }))
        return;
    waiting_.push_back(room);
    begin_some();
}

void TakeOver::begin_some() {
    while (jobs_.size() < most_at_once && !waiting_.empty()) {
        const auto job = std::make_shared<Job>(
            Job{.room = std::move(waiting_.front()), .holder = make_holder(), .sent = {}});
        waiting_.pop_front();
        jobs_[job->room.room->name] = job;
        thread_.post_regardless([this, job] { check(job); });
    }
}

// --- On the thread

void TakeOver::check(const std::shared_ptr<Job>& job) {
    const server::RoomListing& room = *job->room.room;
    // It is played here, and only Redis was away: its owner attaches, and its players stay.
    if (const auto open = lobby_.find(room.name); open && !(*open)->has_ended()) return end(job);
    const auto hostable =
        lobby_.check_hostable(room.world, room.level, room.fingerprint, job->room.is_released);
    if (!hostable) return fail(job, hostable.error().message);
    const std::uint32_t free = lobby_.free_rooms();
    bool fits = false;
    {
        const LockGuard lock(mutex_);
        const auto hosted = std::count_if(jobs_.begin(), jobs_.end(),
                                          [](const auto& other) { return other.second->is_hosted; });
        job->is_hosted = fits = std::cmp_less(hosted, free);
    }
    if (!fits) return fail(job, "the rooms that are being taken over are all that this server may open");
    take(job);
}

void TakeOver::take(const std::shared_ptr<Job>& job) {
    Command arguments{job->holder};
    {
        const LockGuard lock(mutex_);
        arguments.push_back(std::to_string(lease_.length.count()));
        arguments.push_back(lease_.address);
    }
    redis_->run(Script::take, job->room.room->name, std::move(arguments),
                [weak = weak_from_this(), job, sent = Clock::now()](const Reply& reply) {
                    if (const auto self = weak.lock()) self->taken(job, sent, reply);
                });
}

// On the thread of Redis's answers.
void TakeOver::taken(const std::shared_ptr<Job>& job, Time sent, const Reply& reply) {
    const std::string_view code = reply.error_code();
    if (code == "HELD" || code == "GONE") return end(job);  // another process was faster
    if (reply.is_error()) return fail(job, reply.text);
    {
        const LockGuard lock(mutex_);
        if (reply.items.empty() || reply.items[0].integer <= 0) {
            job->is_fenced = true;
        } else {
            job->epoch = static_cast<std::uint64_t>(reply.items[0].integer);
            job->sent = sent;
        }
    }
    thread_.post_regardless([this, job, reply] { restore(job, reply); });
}

void TakeOver::restore(const std::shared_ptr<Job>& job, const Reply& reply) {
    const std::string& name = job->room.room->name;
    const Time begun = Clock::now();
    const auto tick = open_room(job, reply);
    if (tick) {
        const std::chrono::duration<double, std::milli> took = Clock::now() - begun;
        ++metrics_.rooms_taken_over;
        log_.info("room_taken_over", {{"room", name}, {"tick", *tick}, {"ms", took.count()}});
        return end(job);
    }
    std::uint64_t epoch = 0;
    {
        const LockGuard lock(mutex_);
        epoch = job->epoch;
    }
    if (epoch > 0) redis_->run(Script::give_back, name, {std::to_string(epoch), job->holder}, nullptr);
    fail(job, tick.error().text());
}

Result<std::uint64_t> TakeOver::open_room(const std::shared_ptr<Job>& job, const Reply& reply) {
    const std::string& name = job->room.room->name;
    if (reply.items.size() != 3 || reply.items[1].kind != Reply::Kind::text)
        return refuse(name, "has no checkpoint");
    auto checkpoint = server::read_room_image(bytes_of(reply.items[1].text));
    if (!checkpoint) return std::unexpected(checkpoint.error());
    if (checkpoint->name != name) return refuse(name, "has the checkpoint of another room");
    std::vector<codec::Bytes> entries;  // [id, [field, value]]
    for (const Reply& entry : reply.items[2].items) {
        if (entry.items.size() != 2 || entry.items[1].items.size() != 2)
            return refuse(name, "has an entry that no server wrote");
        entries.push_back(bytes_of(entry.items[1].items[1].text));
    }
    const auto setup = lobby_.find_setup(*checkpoint);
    if (!setup) return refuse(name, setup.error().message);
    auto image = server::replay(std::move(*checkpoint), *setup, entries);
    if (!image) return std::unexpected(image.error());
    const std::uint64_t tick = image->host.match.tick;
    std::shared_ptr<RoomLease> journal;
    {
        const LockGuard lock(mutex_);
        if (job->is_fenced) return refuse(name, "went to another process while it was restored here");
        journal = std::make_shared<RoomLease>(redis_, loop_, name, lease_, job->holder, job->epoch, tick,
                                              job->sent);
    }
    const auto restored = lobby_.restore(*image, journal);
    if (!restored) return refuse(name, restored.error().message);
    return tick;
}

// --- Leases of rooms that are not open yet

void TakeOver::renew(Time now) {
    const LockGuard lock(mutex_);
    if (now < next_renewal_) return;
    next_renewal_ = now + renew_interval;
    for (const auto& [name, job] : jobs_) {
        if (job->epoch == 0 || job->is_fenced) continue;
        redis_->run(Script::renew, name,
                    {std::to_string(job->epoch), job->holder, std::to_string(lease_.length.count()),
                     job->room.room->facts},
                    [weak = weak_from_this(), job, now](const Reply& reply) {
                        const auto self = weak.lock();
                        if (!self) return;
                        const LockGuard held(self->mutex_);
                        if (reply.error_code() == "FENCED") job->is_fenced = true;
                        if (!reply.is_error()) job->sent = std::max(job->sent, now);
                    });
    }
}

// --- The end

void TakeOver::end(const std::shared_ptr<Job>& job) {
    const LockGuard lock(mutex_);
    jobs_.erase(job->room.room->name);
    begin_some();
}

// Another process, perhaps of another build, may do better.
void TakeOver::fail(const std::shared_ptr<Job>& job, const std::string& why) {
    const std::string& name = job->room.room->name;
    std::chrono::milliseconds pause{0};
    {
        const LockGuard lock(mutex_);
        Failure& failure = failures_[name];
        failure.pause = pause = std::clamp(2 * failure.pause, first_pause, last_pause);
        failure.next = Clock::now() + pause;
    }
    ++metrics_.take_overs_failed;
    log_.error(
        "take_over_failed",
        {{"room", name}, {"message", why}, {"next_try_ms", static_cast<std::uint64_t>(pause.count())}});
    end(job);
}

}  // namespace instep::cluster
