// SPDX-License-Identifier: MIT
#include <flail/original_session.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <flail/swing.h>

namespace instep::worlds::flail::original {
namespace {

Point point_of(Vec2 position) {
    return {packet_length_from_world(position.x), packet_length_from_world(position.y)};
}

}  // namespace

Entity entity_of(const Player& player, const Setup& setup, std::uint16_t id, EntityKind kind) {
    const std::span<const Particle> rope = rope_of(player, setup);
    Entity entity{.id = id,
                  .kind = kind,
                  .body = point_of(rope.front().position),
                  .heading = packet_heading_from_world(player.input.angle),
                  .rope_nodes = static_cast<std::uint8_t>(rope.size()),
                  .flail = point_of(rope.back().position),
                  .flail_angle = static_cast<float>(player.flail_angle),
                  .flail_size = player.flail_size};
    for (std::size_t i = 0; i < rope.size(); ++i) entity.rope[i] = point_of(rope[i].position);
    if (kind == EntityKind::create) entity.name = name_from_utf8(player.name.view()).value_or(u"");
    return entity;
}

state::Result<contract::OriginalRequest<Input>> Session::receive(std::span<const std::byte> message,
                                                                 contract::OriginalMessages& out) {
    const auto packet = decode_to_server(message);
    if (!packet) return std::unexpected(packet.error());
    contract::OriginalRequest<Input> request;
    if (std::holds_alternative<Ping>(*packet)) answered_ping_ = true;
    if (std::holds_alternative<Init>(*packet)) {
        const float size = packet_length_from_world(map_size_);
        out.push_back(encode_to_client(Ping{}));
        out.push_back(encode_to_client(MapSize{.width = size, .height = size}));
    }
    if (const auto* spawn = std::get_if<Spawn>(&*packet)) {
        request.enter_as = spawn->name.empty() ? std::string(default_name) : utf8_from_name(spawn->name);
        if (own_id_ != 0) out.push_back(encode_to_client(PlayerId{own_id_}));
    }
    if (const auto* steer = std::get_if<Steer>(&*packet)) {
        if (!std::isfinite(steer->angle)) return state::refuse("input", "the angle is no number");
        request.input = Input{.angle = steer->heading(), .moving = steer->moving()};
    }
    return request;  // the size of a window and a click change nothing that the document knows of
}

// Living players in the order of the pool, then those removed since the last update.
void Session::update(const State& state, const Setup& setup, Slot own, contract::OriginalMessages& out) {
    Update update;
    for (Known& known : known_) known.is_there = false;
    for (const Player& player : state.players) {
        if (!player.alive()) continue;
        Known& known = find_or_add(state.players.handle_of(player));
        known.is_there = true;
        if (player.slot == own) tell_own_id(known, out);
        if (!answered_ping_) continue;
        const bool is_new = !std::exchange(known.is_created, true);
        update.entities.push_back(
            entity_of(player, setup, known.id, is_new ? EntityKind::create : EntityKind::update));
    }
    for (const Known& known : known_)
        if (known.is_created && !known.is_there)
            update.entities.push_back({.id = known.id, .kind = EntityKind::remove});
    std::erase_if(known_, [](const Known& known) { return !known.is_there; });
    if (answered_ping_) out.push_back(encode_to_client(update));
}

void Session::tell_own_id(const Known& own, contract::OriginalMessages& out) {
    if (own_id_ != 0 && own_ == own.player) return;
    own_ = own.player;
    own_id_ = own.id;
    out.push_back(encode_to_client(PlayerId{own_id_}));
}

Session::Known& Session::find_or_add(state::Handle player) {
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [player](const Known& known) { return known.player == player; });
    if (found != known_.end()) return *found;
    return known_.emplace_back(Known{.player = player, .id = unused_id()});
}

std::uint16_t Session::unused_id() {
    const auto is_taken = [this](std::uint16_t id) {
        return std::any_of(known_.begin(), known_.end(), [id](const Known& known) { return known.id == id; });
    };
    do ++last_id_;
    while (last_id_ == 0 || is_taken(last_id_));
    return last_id_;
}

}  // namespace instep::worlds::flail::original
