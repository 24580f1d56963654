// SPDX-License-Identifier: MIT
#include <instep/cluster/cluster.h>

#include <future>

#include <instep/server/journal_entry.h>
#include <instep/server/signing_keys.h>
#include <instep/state/plain_name.h>

namespace instep::cluster {

using server::Clock;
using server::LockGuard;
using server::Time;
using state::refuse;
using state::Result;

namespace {

constexpr const char* secret_key = "instep:secret";
constexpr std::chrono::seconds most_starting{10};
constexpr std::size_t most_rooms = 100'000;  // whose names are read
constexpr std::size_t most_info = 4096;      // bytes
constexpr std::size_t id_bytes = 3;
constexpr std::size_t holder_bytes = 16;

codec::Bytes bytes_of(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// What another process says of its room. Empty: nothing that can be used.
std::optional<server::RoomListing> parse_listing(const std::string& room, const std::string& address,
                                                 const std::string& info) {
    if (!net::is_server_address(address) || info.size() > most_info) return {};
    const auto json = state::parse_json(info, "info");
    if (!json) return {};
    const auto text = [&](const char* key) {
        const state::Json* value = json->find(key);
        return value && value->string() ? *value->string() : std::string();
    };
    const auto number = [&](const char* key) {
        const state::Json* value = json->find(key);
        std::uint64_t whole = 0;
        return value && value->to_integer(whole) ? static_cast<std::uint32_t>(whole) : 0u;
    };
    return server::RoomListing{.name = room,
                               .address = address,
                               .facts = info,
                               .fingerprint = text("fingerprint"),
                               .replication = text("replication"),
                               .players = number("players"),
                               .most_players = number("most_players")};
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
      redis_(std::make_shared<RedisRooms>(loop, settings.url, settings.login,
                                          RedisClient::Events{[this] { log_.info("redis_connected"); },
                                                              [this](const std::string& why) {
                                                                  log_.error("redis_lost",
                                                                             {{"message", why}});
                                                              }})),
      timer_(loop) {}

void Cluster::start(std::string address) {
    {
        const LockGuard lock(mutex_);
        address_ = std::move(address);
    }
    timer_.run_at(Clock::now(), [weak = weak_from_this()]() -> std::optional<Time> {
        const auto self = weak.lock();
        if (!self) return {};
        self->look_at_rooms();
        return Clock::now() + look_interval;
    });
}

LeaseConfig Cluster::lease_config() const {
    LeaseConfig config;
    config.on_loss = settings_.on_loss;
    const LockGuard lock(mutex_);
    config.address = address_;
    return config;
}

std::shared_ptr<server::RoomJournal> Cluster::open_journal(const std::string& room) {
    return std::make_shared<RoomLease>(redis_, loop_, room, lease_config(),
                                       server::random_text(holder_bytes));
}

// --- What others have

void Cluster::look_at_rooms() {
    redis_->send({"SMEMBERS", rooms_key}, [weak = weak_from_this()](const Reply& reply) {
        const auto self = weak.lock();
        if (!self || reply.kind != Reply::Kind::array) return;
        std::set<std::string> names;
        for (const Reply& name : reply.items)
            if (names.size() < most_rooms && name.text.size() <= net::max_room_name && !name.text.empty() &&
                state::is_plain_name(name.text))
                names.insert(name.text);
        {
            const LockGuard lock(self->mutex_);
            std::erase_if(self->rows_, [&](const auto& row) { return !names.contains(row.first); });
        }
        for (const std::string& name : names) self->look_at(name);
    });
}

void Cluster::look_at(const std::string& room) {
    redis_->run(Script::look, room, {}, [weak = weak_from_this(), room](const Reply& reply) {
        if (const auto self = weak.lock()) self->update(room, reply);
    });
}

void Cluster::update(const std::string& room, const Reply& reply) {
    if (reply.is_error()) return;
    if (reply.items.size() != 4) {  // the room has ended
        redis_->send({"SREM", rooms_key, room}, nullptr);
        const LockGuard lock(mutex_);
        rows_.erase(room);
        return;
    }
    const bool is_held = reply.items[1].integer > 0;
    {
        const LockGuard lock(mutex_);
        auto listing = parse_listing(room, reply.items[2].text, reply.items[3].text);
        if (listing) {
            // An owner that lives renews its lease several times in half its length. Clients are not sent to
            // one that does not.
            const bool is_alive = reply.items[1].integer > LeaseConfig{}.length.count() / 2;
            const bool is_elsewhere = is_alive && listing->address != address_;
            rows_[room] = {std::move(*listing), is_elsewhere};
        }
        if (is_held || is_draining_ || taking_.contains(room)) return;
        taking_.insert(room);
    }
    take(room);
}

std::optional<std::string> Cluster::find(const std::string& room) const {
    const LockGuard lock(mutex_);
    const auto found = rows_.find(room);
    if (found == rows_.end()) return {};
    return found->second.is_elsewhere ? found->second.room.address : std::string();
}

std::vector<server::RoomListing> Cluster::rooms() const {
    const LockGuard lock(mutex_);
    std::vector<server::RoomListing> all;
    for (const auto& [name, row] : rows_)
        if (row.is_elsewhere) all.push_back(row.room);
    return all;
}

// --- Taking over

void Cluster::take(const std::string& room) {
    const std::string holder = server::random_text(holder_bytes);
    const LeaseConfig config = lease_config();
    redis_->run(Script::take, room, {holder, std::to_string(config.length.count()), config.address},
                [weak = weak_from_this(), room, holder, sent = Clock::now()](const Reply& reply) {
                    const auto self = weak.lock();
                    if (!self) return;
                    if (!reply.is_error())
                        return self->loop_.post_blocking(
                            [self, room, holder, sent, reply] { self->go_on(room, holder, sent, reply); });
                    const LockGuard lock(self->mutex_);
                    self->taking_.erase(room);
                });
}

void Cluster::go_on(const std::string& room, const std::string& holder, Time sent, const Reply& reply) {
    const auto tick = restore(room, holder, sent, reply);
    if (tick) {
        ++metrics_.rooms_taken_over;
        log_.info("room_taken_over",
                  {{"room", room},
                   {"tick", *tick},
                   {"ms", std::chrono::duration<double, std::milli>(Clock::now() - sent).count()}});
    } else {  // its lease expires, and another process, perhaps of another build, tries
        log_.error("take_over_failed", {{"room", room}, {"message", tick.error().text()}});
    }
    const LockGuard lock(mutex_);
    taking_.erase(room);
}

Result<std::uint64_t> Cluster::restore(const std::string& room, const std::string& holder, Time sent,
                                       const Reply& reply) {
    if (reply.items.size() != 3 || reply.items[0].integer <= 0 || reply.items[1].kind != Reply::Kind::text)
        return refuse(room, "has no checkpoint");
    auto checkpoint = server::read_room_image(bytes_of(reply.items[1].text));
    if (!checkpoint) return std::unexpected(checkpoint.error());
    if (checkpoint->name != room) return refuse(room, "has the checkpoint of another room");
    std::vector<codec::Bytes> entries;  // [id, [field, value]]
    for (const Reply& entry : reply.items[2].items) {
        if (entry.items.size() != 2 || entry.items[1].items.size() != 2)
            return refuse(room, "has an entry that no server wrote");
        entries.push_back(bytes_of(entry.items[1].items[1].text));
    }
    const auto setup = lobby_.find_setup(*checkpoint);
    if (!setup) return refuse(room, setup.error().message);
    auto image = server::replay(std::move(*checkpoint), *setup, entries);
    if (!image) return std::unexpected(image.error());
    const std::uint64_t tick = image->host.match.tick;
    const auto journal =
        std::make_shared<RoomLease>(redis_, loop_, room, lease_config(), holder,
                                    static_cast<std::uint64_t>(reply.items[0].integer), tick, sent);
    const auto restored = lobby_.restore(*image, journal);
    if (!restored) return refuse(room, restored.error().message);
    return tick;
}

}  // namespace instep::cluster
