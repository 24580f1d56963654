// SPDX-License-Identifier: MIT
#include <instep/server/room_list.h>

#include <algorithm>

#include <instep/server/lobby.h>

namespace instep::server {

using state::Json;

Json facts_of(const Room& room) {
    const match::Setup& setup = room.setup();
    return Json::Object{{"name", room.config().name},
                        {"world", setup.world->name},
                        {"level", setup.level},
                        {"fingerprint", state::hash_text(setup.fingerprint)},
                        {"replication", net::name_of(room.config().replication)},
                        {"players", room.players()},
                        {"bots", room.bots()},
                        {"held", room.held_seats()},
                        {"watchers", room.watchers()},
                        {"chat", room.config().has_chat},
                        {"most_players", setup.facts.most_players},
                        {"tick", room.tick()},
                        {"tick_rate", setup.facts.tick_rate}};
}

Response RoomList::page(const std::string& after, std::uint32_t limit, Time now) {
    const LockGuard lock(mutex_);
    if (built_at_ == Time::min() || now - built_at_ >= most_age) rebuild(now);
    return after.empty() && limit == default_limit ? first_ : make_page(after, limit);
}

void RoomList::rebuild(Time now) {
    rows_.clear();
    for (const auto& room : lobby_.rooms())
        if (!room->has_ended() && !is_private(room->config().name))
            rows_.push_back(std::make_shared<const RoomListing>(
                RoomListing{.name = room->config().name, .facts = state::write_json(facts_of(*room))}));
    const auto elsewhere = lobby_.rooms_elsewhere();
    for (const auto& room : *elsewhere)
        if (!is_private(room->name)) rows_.push_back(room);
    // A name is listed once, and a room that is here as it is here.
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const auto& a, const auto& b) { return a->name < b->name; });
    const auto is_same = [](const auto& a, const auto& b) { return a->name == b->name; };
    rows_.erase(std::unique(rows_.begin(), rows_.end(), is_same), rows_.end());
    built_at_ = now;
    first_ = make_page("", default_limit);
    first_.shared_body = std::make_shared<const std::string>(std::move(first_.body));
    first_.body.clear();
}

Response RoomList::make_page(const std::string& after, std::uint32_t limit) const {
    auto row =
        std::upper_bound(rows_.begin(), rows_.end(), after,
                         [](const std::string& name, const auto& other) { return name < other->name; });
    Response response;
    response.body = "[";
    for (std::uint32_t i = 0; i < limit && row != rows_.end(); ++i, ++row)
        response.body += (i > 0 ? "," : "") + (*row)->facts;
    response.body += "]\n";
    if (row != rows_.end() && row != rows_.begin())
        response.headers.emplace_back("Link", "</api/rooms?limit=" + std::to_string(limit) +
                                                  "&after=" + (*std::prev(row))->name + ">; rel=\"next\"");
    return response;
}

}  // namespace instep::server
