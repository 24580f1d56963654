// SPDX-License-Identifier: MIT
#include <instep/cluster/room_watch.h>

#include <algorithm>

#include <instep/cluster/scripts.h>
#include <instep/net/messages.h>
#include <instep/state/json.h>
#include <instep/state/plain_name.h>

namespace instep::cluster {

using server::Clock;
using server::LockGuard;
using server::Time;

namespace {

constexpr const char* page_size = "512";      // names
constexpr const char* most_released = "64";   // at a time; any of them
constexpr std::size_t most_info = 4096;       // bytes
constexpr std::chrono::milliseconds late{2};  // that Redis's clock may read less than this one says

bool is_room_name(const std::string& name) {
    return !name.empty() && name.size() <= net::max_room_name && state::is_plain_name(name);
}

// What another process says of its room. Null: nothing that can be used.
std::shared_ptr<const server::RoomListing> parse_listing(const std::string& room, const std::string& address,
                                                         const std::string& info) {
    if (!net::is_server_address(address) || info.size() > most_info) return nullptr;
    const auto json = state::parse_json(info, "info");
    if (!json) return nullptr;
    const auto text = [&](const char* key) {
        const state::Json* value = json->find(key);
        return value && value->string() ? *value->string() : std::string();
    };
    const auto number = [&](const char* key) {
        const state::Json* value = json->find(key);
        std::uint64_t whole = 0;
        return value && value->to_integer(whole) ? static_cast<std::uint32_t>(whole) : 0u;
    };
    return std::make_shared<const server::RoomListing>(
        server::RoomListing{.name = room,
                            .address = address,
                            .facts = info,
                            .world = text("world"),
                            .level = text("level"),
                            .fingerprint = text("fingerprint"),
                            .replication = text("replication"),
                            .players = number("players"),
                            .held = number("held"),
                            .most_players = number("most_players")});
}

}  // namespace

void RoomWatch::set_address(std::string address) {
    const LockGuard lock(mutex_);
    address_ = std::move(address);
}

void RoomWatch::run(Time now) {
    if (!redis_->is_connected()) return;
    bool begins_round = false;
    bool asks_released = false;
    std::vector<std::string> due;
    {
        const LockGuard lock(mutex_);
        if (!is_scanning_ && now >= next_scan_) {
            begins_round = is_scanning_ = true;
            ++round_;
        }
        asks_released = !std::exchange(is_asking_released_, true);
        while (looks_ < most_looks && !due_.empty() && due_.begin()->first <= now) {
            due.push_back(due_.begin()->second);
            due_.erase(due_.begin());
            rows_[due.back()].look_at.reset();
            ++looks_;
        }
    }
    if (begins_round) scan("0");
    if (asks_released) ask_released();
    for (const std::string& room : due) look(room);
}

// --- Names

void RoomWatch::scan(const std::string& cursor) {
    redis_->send({"SSCAN", rooms_key, cursor, "COUNT", page_size},
                 [weak = weak_from_this()](const Reply& reply) {
                     if (const auto self = weak.lock()) self->add_page(reply);
                 });
}

void RoomWatch::add_page(const Reply& reply) {
    const bool is_page = reply.items.size() == 2;
    {
        const LockGuard lock(mutex_);
        if (is_page)
            for (const Reply& name : reply.items[1].items)
                if (Row* row = add(name.text, Clock::now())) row->round = round_;
        if (!is_page || reply.items[0].text == "0") {
            if (is_page) end_round();
            is_scanning_ = false;
            next_scan_ = Clock::now() + shortest_period;
            return;
        }
    }
    scan(reply.items[0].text);
}

// Null: no name of a room, or one too many.
RoomWatch::Row* RoomWatch::add(const std::string& name, Time look_at) {
    const auto found = rows_.find(name);
    if (found != rows_.end()) return &found->second;
    if (rows_.size() >= most_rooms || !is_room_name(name)) return nullptr;
    auto& row = *rows_.try_emplace(name).first;
    schedule(row, look_at);
    return &row.second;
}

void RoomWatch::schedule(Rows::value_type& row, Time time) {
    if (row.second.look_at) due_.erase({*row.second.look_at, row.first});
    row.second.look_at = time;
    due_.emplace(time, row.first);
}

// A room whose name is gone has ended.
void RoomWatch::end_round() {
    for (auto at = rows_.begin(); at != rows_.end();) {
        if (at->second.round == round_ || at->second.is_released || !at->second.look_at) {
            ++at;
            continue;
        }
        due_.erase({*at->second.look_at, at->first});
        at = rows_.erase(at);
        is_changed_ = true;
    }
}

void RoomWatch::ask_released() {
    redis_->send({"SRANDMEMBER", released_key, most_released}, [weak = weak_from_this()](const Reply& reply) {
        if (const auto self = weak.lock()) self->add_released(reply);
    });
}

void RoomWatch::add_released(const Reply& reply) {
    const Time now = Clock::now();
    const LockGuard lock(mutex_);
    is_asking_released_ = false;
    for (const Reply& name : reply.items) {
        Row* row = add(name.text, now);
        if (!row) continue;
        const bool is_news = !std::exchange(row->is_released, true);
        if (is_news && row->look_at) schedule(*rows_.find(name.text), now);
    }
}

// --- Leases

void RoomWatch::look(const std::string& room) {
    redis_->run(Script::look, room, {}, [weak = weak_from_this(), room](const Reply& reply) {
        if (const auto self = weak.lock()) self->update(room, reply);
    });
}

std::chrono::milliseconds RoomWatch::period() const {
    return std::max(shortest_period, std::chrono::milliseconds(rows_.size() * 1000 / looks_per_second));
}

void RoomWatch::update(const std::string& room, const Reply& reply) {
    const bool has_ended = !reply.is_error() && reply.items.size() != look_items;
    if (has_ended) return forget(room);
    const Time now = Clock::now();
    ExpiredRoom expired;
    bool is_held = false;
    bool was_released = false;
    {
        // Parsed without the lock; the address is read under it.
        auto listing =
            reply.is_error() ? nullptr : parse_listing(room, reply.items[2].text, reply.items[3].text);
        const LockGuard lock(mutex_);
        --looks_;
        const auto found = rows_.find(room);
        if (found == rows_.end()) return;
        Row& row = found->second;
        if (reply.is_error() || !listing) {
            schedule(*found, now + period());
            return;
        }
        const std::chrono::milliseconds left{
            std::clamp<std::int64_t>(reply.items[1].integer, 0, lease_.count())};
        const bool is_own = listing->address == address_;
        is_held = left.count() > 0;
        // An owner that lives renews its lease several times in half its length. Clients are not sent to one
        // that does not.
        row.is_elsewhere = !is_own && left > lease_ / 2;
        row.room = std::move(listing);
        is_changed_ = true;
        schedule(*found,
                 now + (is_held ? (is_own ? left : std::min(left, period())) + late : shortest_period));
        if (is_held) was_released = std::exchange(row.is_released, false);
        expired = {row.room, reply.items[4].integer == 1};
    }
    if (was_released) redis_->send({"SREM", released_key, room}, nullptr);
    if (is_held)
        events_.is_served(room);
    else
        events_.expired(expired);
}

void RoomWatch::forget(const std::string& room) {
    bool was_released = false;
    {
        const LockGuard lock(mutex_);
        --looks_;
        if (const auto found = rows_.find(room); found != rows_.end()) {
            was_released = found->second.is_released;
            if (found->second.look_at) due_.erase({*found->second.look_at, room});
            rows_.erase(found);
        }
        is_changed_ = true;
    }
    redis_->send({"SREM", rooms_key, room}, nullptr);
    if (was_released) redis_->send({"SREM", released_key, room}, nullptr);
    events_.is_served(room);
}

// --- What is known

std::optional<std::string> RoomWatch::find(const std::string& room) const {
    const LockGuard lock(mutex_);
    const auto found = rows_.find(room);
    if (found == rows_.end() || !found->second.room) return {};
    return found->second.is_elsewhere ? found->second.room->address : std::string();
}

std::shared_ptr<const server::RoomListings> RoomWatch::rooms() const {
    const Time now = Clock::now();
    const LockGuard lock(mutex_);
    if (is_changed_ && now - listed_at_ >= listing_age) {
        auto all = std::make_shared<server::RoomListings>();
        for (const auto& [name, row] : rows_)
            if (row.is_elsewhere) all->push_back(row.room);
        listings_ = std::move(all);
        listed_at_ = now;
        is_changed_ = false;
    }
    return listings_;
}

std::size_t RoomWatch::looks_under_way() const {
    const LockGuard lock(mutex_);
    return looks_;
}

std::size_t RoomWatch::known() const {
    const LockGuard lock(mutex_);
    return rows_.size();
}

}  // namespace instep::cluster
