// SPDX-License-Identifier: MIT
// In both directions any bytes decode to a packet of the original flail protocol that encodes to the same
// bytes, or are refused with the position of the wrong byte. A room survives any messages of clients that
// speak it, and sends packets of it. Any bytes are converted to a name and back, or refused.
#include <flail/original_protocol.h>
#include <instep/match/tick_builder.h>

#include <tests/fuzz/require.h>

#include <algorithm>
#include <array>

using namespace instep;
using namespace instep::worlds::flail::original;

namespace {

template <class Packet>
bool is_refused_with_position(const state::Result<Packet>& packet) {
    return !packet.error().what.empty() && packet.error().where.find("byte ") != std::string::npos;
}

void check_codec(std::span<const std::byte> message) {
    const std::vector<std::byte> bytes(message.begin(), message.end());
    if (const auto packet = decode_to_server(bytes))
        REQUIRE(encode_to_server(*packet) == bytes);
    else
        REQUIRE(is_refused_with_position(packet));
    if (const auto packet = decode_to_client(bytes))
        REQUIRE(encode_to_client(*packet) == bytes);
    else
        REQUIRE(is_refused_with_position(packet));
}

void check_name(std::string_view text) {
    if (const auto name = name_from_utf8(text))
        REQUIRE(utf8_from_name(*name) == text);
    else
        REQUIRE(!name.error().what.empty());
}

// A room of three slots with a client in each. Each message is preceded by its slot and its length. A length
// of 0 is a tick; the single byte ff makes the player leave.
void play_room(std::span<const std::byte> script) {
    static const match::SharedSetup setup = *match::load_builtin_setup("flail", "original");
    match::Match match(setup, 1);
    match::TickBuilder tick(*setup);
    const match::OriginalProtocol& original = setup->world->original;
    std::array<std::shared_ptr<void>, 3> sessions;
    for (auto& session : sessions) session = original.make(setup->value.get());
    contract::OriginalMessages out;
    const auto check_messages = [&] {
        for (const auto& message : out) {
            const auto packet = decode_to_client(message);
            REQUIRE(packet && encode_to_client(*packet) == message);
        }
        out.clear();
    };
    std::vector<std::byte> row(setup->world->input->size);
    contract::SlotSet changed = 0;  // joined or left with this tick, which a room lets a player do once
    while (script.size() >= 2) {
        const auto slot = static_cast<contract::Slot>(std::to_integer<unsigned>(script[0]) % 3);
        const std::size_t length =
            std::min<std::size_t>(std::to_integer<std::size_t>(script[1]), script.size() - 2);
        const std::span message = script.subspan(2, length);
        const bool is_live = contract::contains(match.live_slots(), slot);
        if (length == 0) {
            match.step(tick.bytes());
            tick.begin();
            changed = 0;
            for (contract::Slot own = 0; own < 3; ++own)
                original.update(sessions[own].get(), setup->value.get(), setup->layout, match.state(), own,
                                out);
        } else if (length == 1 && message[0] == std::byte{0xff}) {
            if (is_live && !contract::contains(changed, slot)) {
                tick.leave(slot);
                changed |= contract::only(slot);
            }
        } else if (const auto request = original.receive(sessions[slot].get(), message, row, out)) {
            if (request->has_input && match.sanitize(row.data())) std::ranges::copy(row, tick.input(slot));
            if (request->enter_as && !is_live && !contract::contains(changed, slot)) {
                tick.join({.name = contract::PlayerName::of(*request->enter_as), .slot = slot});
                changed |= contract::only(slot);
            }
        } else {
            REQUIRE(!request.error().what.empty() && out.empty());
        }
        check_messages();
        script = script.subspan(2 + length);
    }
    REQUIRE(setup->world->validate(setup->value.get(), setup->layout, match.state()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    check_codec(bytes);
    check_name({reinterpret_cast<const char*>(data), size});
    play_room(bytes);
    return 0;
}
