// SPDX-License-Identifier: MIT
#include <flail/original_session.h>

#include <algorithm>
#include <cmath>

#include <flail/swing.h>

namespace instep::worlds::flail::original {
namespace {

Point point_of(Vec2 position) {
    return {packet_length_from_world(position.x), packet_length_from_world(position.y)};
}

Message message(std::uint16_t to, const ToClient& packet) { return {to, encode_to_client(packet)}; }

bool contains(const std::vector<std::uint16_t>& ids, std::uint16_t id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

Entity entity_of(const Player& player, const Setup& setup, std::uint16_t id, EntityKind kind,
                 std::u16string_view name) {
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
    if (kind == EntityKind::create) entity.name = name;
    return entity;
}

state::Result<std::uint16_t> Session::connect() {
    if (clients_.size() >= setup_.map.most_players)
        return state::refuse("session",
                             "is full: it takes " + std::to_string(setup_.map.most_players) + " players");
    do ++last_id_;
    while (last_id_ == 0 || find(last_id_));
    Client& client = clients_.emplace_back();
    client.id = last_id_;
    client.player.flail_size = setup_.rules.flail_size;
    return client.id;
}

void Session::disconnect(std::uint16_t id) {
    std::erase_if(clients_, [id](const Client& client) { return client.id == id; });
}

state::Result<std::vector<Message>> Session::receive(std::uint16_t id, std::span<const std::byte> bytes) {
    const std::string where = "player " + std::to_string(id);
    Client* client = find(id);
    if (!client) return state::refuse(where, "is not connected");
    const auto packet = decode_to_server(bytes);
    if (!packet) return state::within(where, packet.error());

    if (std::holds_alternative<Init>(*packet)) {
        const float size = packet_length_from_world(setup_.map.size);
        return std::vector{message(id, Ping{}), message(id, MapSize{.width = size, .height = size})};
    }
    if (std::holds_alternative<Ping>(*packet)) client->answered_ping = true;
    if (const auto* spawn = std::get_if<Spawn>(&*packet)) {
        client->alive = true;
        client->name = spawn->name;
        return std::vector{message(id, PlayerId{id})};
    }
    if (const auto* steer = std::get_if<Steer>(&*packet)) {
        if (!std::isfinite(steer->angle)) return state::refuse(where + ": input", "the angle is no number");
        client->player.input = {.angle = steer->heading(), .moving = steer->moving()};
    }
    return {};  // the size of a window and a click change nothing that the document knows of
}

std::vector<Message> Session::tick() {
    std::vector<Message> sent;
    for (Client& client : clients_) {
        if (client.answered_ping) sent.push_back(message(client.id, update_for(client)));
        swing(client.player, setup_);
    }
    return sent;
}

const Player* Session::player(std::uint16_t id) const {
    const Client* client = const_cast<Session*>(this)->find(id);
    return client ? &client->player : nullptr;
}

Session::Client* Session::find(std::uint16_t id) {
    const auto found = std::find_if(clients_.begin(), clients_.end(),
                                    [id](const Client& client) { return client.id == id; });
    return found == clients_.end() ? nullptr : &*found;
}

// Living players in the order of connection, then those removed since the client's last update.
Update Session::update_for(Client& client) const {
    Update update;
    std::vector<std::uint16_t> alive;
    for (const Client& other : clients_) {
        if (!other.alive) continue;
        const EntityKind kind = contains(client.known, other.id) ? EntityKind::update : EntityKind::create;
        update.entities.push_back(entity_of(other.player, setup_, other.id, kind, other.name));
        alive.push_back(other.id);
    }
    for (const std::uint16_t id : client.known)
        if (!contains(alive, id)) update.entities.push_back({.id = id, .kind = EntityKind::remove});
    client.known = std::move(alive);
    return update;
}

}  // namespace instep::worlds::flail::original
