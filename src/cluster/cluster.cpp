// SPDX-License-Identifier: MIT
#include <instep/cluster/cluster.h>

#include <algorithm>
#include <future>

#include <instep/server/party.h>
#include <instep/server/signing_keys.h>
#include <instep/state/plain_name.h>

namespace instep::cluster {

using server::Clock;
using server::LockGuard;
using server::Time;
using state::refuse;
using state::Result;

namespace {

constexpr const char* token_prefix = "instep:token:";  // and the signature of one that was used
constexpr const char* party_prefix = "instep:party:";  // and its id: "ADDRESS ROOM"
constexpr const char* secret_key = "instep:secret";
constexpr std::chrono::seconds most_starting{10};
constexpr std::size_t id_bytes = 3;

// Empty: nothing that a server would have written.
std::optional<net::Moved> parse_party_place(std::string_view text) {
    const std::size_t gap = text.find(' ');
    if (gap == std::string_view::npos) return {};
    const std::string_view address = text.substr(0, gap);
    const std::string_view room = text.substr(gap + 1);
    if (!net::is_server_address(address) || room.empty() || room.size() > net::max_room_name ||
        !state::is_plain_name(room))
        return {};
    return net::Moved::to(address, room);
}

}  // namespace

Result<std::string> find_shared_secret(const ClusterSettings& settings) {
    server::Loop loop(1);
    server::Mutex mutex;
    std::string failure = "no answer";
    std::promise<std::string> found;
    auto secret = found.get_future();
    RedisClient* client = nullptr;
    std::promise<void> is_made;
    auto made = is_made.get_future().share();
    RedisClient redis(loop, settings.url, settings.login,
                      {[&, made] {
                           made.wait();
                           client->send({"SET", secret_key, server::random_text(server::fewest_secret), "NX"},
                                        nullptr);
                           client->send({"GET", secret_key}, [&found](const Reply& reply) {
                               if (reply.kind == Reply::Kind::text) found.set_value(reply.text);
                           });
                       },
                       [&](const std::string& why) {
                           const LockGuard lock(mutex);
                           failure = why;
                       }});
    client = &redis;
    is_made.set_value();
    if (secret.wait_for(most_starting) != std::future_status::ready) {
        loop.join();
        const LockGuard lock(mutex);
        return refuse("--cluster", "Redis cannot be used: " + failure);
    }
    loop.join();
    std::string text = secret.get();
    if (text.size() < server::fewest_secret || text.size() > server::most_secret)
        return refuse("--cluster", std::string("Redis holds no secret of a cluster at ") + secret_key);
    return text;
}

Cluster::Cluster(server::Loop& loop, server::Lobby& lobby, server::Metrics& metrics, server::Log& log,
                 const ClusterSettings& settings)
    : loop_(loop),
      lobby_(lobby),
      metrics_(metrics),
      log_(log),
      settings_(settings),
      id_(server::random_text(id_bytes)),
      build_(find_build(lobby)),
      redis_(std::make_shared<RedisRooms>(loop, settings.url, settings.login,
                                          RedisClient::Events{[this] { log_.info("redis_connected"); },
                                                              [this](const std::string& why) {
                                                                  log_.error("redis_lost",
                                                                             {{"message", why}});
                                                              }})),
      take_over_(std::make_shared<TakeOver>(redis_, loop, lobby, metrics, log)),
      watch_(std::make_shared<RoomWatch>(
          redis_, settings.lease,
          RoomWatch::Events{[taking = take_over_](const ExpiredRoom& room) { taking->offer(room); },
                            [taking = take_over_](const std::string& room) { taking->forget(room); }})),
      processes_(std::make_shared<ProcessTable>(redis_, id_)),
      timer_(loop) {}

void Cluster::start(std::string address) {
    {
        const LockGuard lock(mutex_);
        address_ = address;
    }
    watch_->set_address(std::move(address));
    take_over_->set_lease(lease_config());
    timer_.run_at(Clock::now(), [weak = weak_from_this()]() -> std::optional<Time> {
        const auto self = weak.lock();
        if (!self) return {};
        const Time now = Clock::now();
        self->watch_->run(now);
        self->take_over_->renew(now);
        self->processes_->run(now, [&] { return self->facts(); });
        return now + RoomWatch::interval;
    });
}

ProcessFacts Cluster::facts() const {
    const auto work = static_cast<double>(metrics_.players + metrics_.rooms);
    const LockGuard lock(mutex_);
    return {address_, build_, work / loop_.threads(), lobby_.free_rooms() > 0};
}

void Cluster::spend(const std::string& token, std::chrono::milliseconds valid_for,
                    std::function<void(Spent)> answer) {
    redis_->send({"SET", token_prefix + token, "1", "NX", "PX",
                  std::to_string(std::max<std::int64_t>(1, valid_for.count()))},
                 [answer = std::move(answer)](const Reply& reply) {
                     if (reply.is_error()) return answer(Spent::unknown);
                     answer(reply.kind == Reply::Kind::nil ? Spent::before : Spent::now);
                 });
}

void Cluster::give_back(const std::string& token) { redis_->send({"DEL", token_prefix + token}, nullptr); }

void Cluster::place_party(const std::string& party, const std::string& address, const std::string& room,
                          std::function<void(const std::optional<net::Moved>&)> answer) {
    std::string proposed = address;
    if (proposed.empty()) {
        const LockGuard lock(mutex_);
        proposed = address_;
    }
    proposed += " " + room;
    const std::string valid_for = std::to_string(std::chrono::milliseconds(server::seats_held_for).count());
    redis_->send({"SET", party_prefix + party, proposed, "NX", "GET", "PX", valid_for},
                 [proposed, answer = std::move(answer)](const Reply& reply) {
                     if (reply.is_error()) return answer({});
                     answer(parse_party_place(reply.kind == Reply::Kind::nil ? proposed : reply.text));
                 });
}

LeaseConfig Cluster::lease_config() const {
    LeaseConfig config{.length = settings_.lease, .on_loss = settings_.on_loss, .address = {}};
    const LockGuard lock(mutex_);
    config.address = address_;
    return config;
}

std::shared_ptr<server::RoomJournal> Cluster::open_journal(const std::string& room) {
    return std::make_shared<RoomLease>(redis_, loop_, room, lease_config(), make_holder());
}

}  // namespace instep::cluster
