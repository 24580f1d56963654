// SPDX-License-Identifier: MIT
// Clients that speak the protocol of the world's original game (contract/original_protocol.h). They see the
// match as soon as they are here, and take the seat that the inbox reserved when they ask to enter. From then
// on their players are like any other: the host gets inputs, and knows nothing of the protocol.
#include <instep/server/room.h>

#include <instep/server/player_name.h>

namespace instep::server {

void Room::add_original(ConnectionId id, Arrival arrival) {
    const PlayerId player = *arrival.participant;
    OriginalClient client{player, arrival.connection, setup().world->original.make(setup().value.get()),
                          codec::Bytes(setup().world->input->size)};
    // A player that comes back plays on without asking.
    if (const auto seat = seats_.find(player); seat != seats_.end()) {
        client.has_asked_to_enter = true;
        arrival.hello.name = contract::PlayerName::of(seat->second.name);
        wait_to_enter(id, std::move(arrival));
    }
    originals_.emplace(id, std::move(client));
}

void Room::receive_original(ConnectionId id, OriginalClient& client, codec::ByteView message) {
    original_messages_.clear();
    const auto request =
        setup().world->original.receive(client.session.get(), message, client.input, original_messages_);
    if (!request) return client.connection->refuse({RefusalReason::bad_request, request.error().text()});
    client.has_input |= request->has_input;
    send_original(client);
    if (!request->enter_as || client.has_asked_to_enter) return;
    net::Hello hello;
    hello.name = contract::PlayerName::of(*request->enter_as);
    if (const std::string_view objection = objection_to_name(hello.name.view()); !objection.empty())
        return client.connection->refuse({RefusalReason::wrong_name, std::string(objection)});
    client.has_asked_to_enter = true;
    wait_to_enter(id, {client.player, client.connection, hello, {}});
}

// The original has no ticks on the wire: an input holds until the next one comes.
void Room::offer_original_inputs() {
    for (const auto& [id, client] : originals_)
        if (const auto seat = connected_.find(id); seat != connected_.end() && client.has_input)
            host_.offer_input(seat->second->slot, client.input.data());
}

void Room::update_originals() {
    for (auto& [id, client] : originals_) {
        if (client.connection->bytes_waiting() >= net::HostConfig{}.link_capacity) {
            ++metrics_.snapshots_skipped;
            continue;
        }
        original_messages_.clear();
        setup().world->original.update(client.session.get(), setup().value.get(), setup().layout,
                                       host_.match().state(), slot_of(id).value_or(contract::no_player),
                                       original_messages_);
        send_original(client);
    }
}

void Room::send_original(const OriginalClient& client) {
    for (const std::vector<std::byte>& message : original_messages_) {
        send_or_hold(client.connection, message);
    }
}

// Whose reserved seat it leaves; empty if it had asked for it, or is no such client.
RoomInbox::Participant Room::remove_original(ConnectionId id) {
    const auto removed = originals_.extract(id);
    if (removed.empty() || removed.mapped().has_asked_to_enter) return {};
    return removed.mapped().player;
}

}  // namespace instep::server
