// SPDX-License-Identifier: MIT
// A host as a value: Host::save() and Host::load().
#include <instep/net/host.h>

#include <algorithm>

namespace instep::net {

using contract::Slot;
using state::refuse;
using state::Result;

HostImage Host::save() const {
    HostImage image{.match = record::save_match(match_, seed_),
                    .mode = mode_,
                    .joined = joined_,
                    .joins = joins_,
                    .players = {}};
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const Client* client = clients_[i].get();
        if (!client) continue;
        image.players.push_back(
            {.slot = static_cast<Slot>(i),
             .is_bot = client->is_bot,
             .is_leaving = client->stream.state() == StreamState::leaving,
             .last_input = client->last_input,
             .last_played = client->last_played,
             .inputs_since = client->inputs_since,
             .inputs = client->is_bot ? InputQueueImage{} : client->inputs.save(match_.tick() + 1)});
    }
    return image;
}

Result<std::unique_ptr<Host::Client>> Host::load_player(const PlayerImage& image, std::uint64_t tick,
                                                        bool has_inputs) const {
    const std::string where = "image: player in slot " + std::to_string(image.slot);
    if (image.last_input.value_or(0) > tick || image.last_played.value_or(0) > tick)
        return refuse(where, "has inputs of ticks that are not played yet");
    auto client = std::make_unique<Client>(*this, LinkKind::ordered);
    client->is_bot = image.is_bot;
    client->has_link = !image.is_bot;
    client->last_input = image.last_input;
    client->last_played = image.last_played;
    client->inputs_since = image.inputs_since;
    if (has_inputs && !image.is_bot && !client->inputs.load(image.inputs, tick + 1))
        return refuse(where, "has inputs that this level does not allow");
    if (image.is_leaving) client->stream.leave();
    return client;
}

Result<state::NotCarried> Host::load(const HostImage& image) {
    const bool has_clients =
        std::any_of(clients_.begin(), clients_.end(), [](const auto& client) { return client != nullptr; });
    if (match_.tick() != 0 || has_clients)
        return refuse("image", "can only be loaded by a host that has not begun to play");
    if (image.mode != mode_)
        return refuse("image", "is of a room with replication=" + std::string(name_of(image.mode)));
    match::Match match(match_);
    auto not_carried = record::load_match(image.match, match);
    if (!not_carried) return not_carried;
    const bool is_same_build = image.match.fingerprint == setup_->fingerprint;
    const bool has_waiting = std::any_of(image.players.begin(), image.players.end(),
                                         [](const auto& player) { return !player.inputs.waiting.empty(); });
    if (!is_same_build && has_waiting)
        not_carried->emplace_back("inputs that wait for later ticks: another build may read them otherwise");

    contract::SlotSet joining = 0;
    for (const contract::Join& join : image.joins) {
        const bool is_free = join.slot < setup_->facts.most_players &&
                             !contract::contains(match.live_slots() | joining, join.slot);
        if (!is_free)
            return refuse("image: slot " + std::to_string(join.slot), "cannot be joined: it is taken");
        joining |= contract::only(join.slot);
    }
    Clients clients;
    for (const PlayerImage& player : image.players) {
        if (player.slot >= setup_->facts.most_players || clients[player.slot] ||
            !contract::contains(match.live_slots() | joining, player.slot))
            return refuse("image: slot " + std::to_string(player.slot), "has no player of its own");
        auto client = load_player(player, image.match.tick, is_same_build);
        if (!client) return std::unexpected(client.error());
        clients[player.slot] = std::move(*client);
    }
    match_ = std::move(match);
    seed_ = image.match.seed;
    joined_ = image.joined;
    joins_ = image.joins;
    clients_ = std::move(clients);
    return not_carried;
}

}  // namespace instep::net
