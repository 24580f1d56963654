// SPDX-License-Identifier: MIT
// In both directions any bytes decode to a packet of the original flail protocol that encodes to the same
// bytes, or are refused with the position of the wrong byte. A session survives any messages. Any bytes are
// converted to a name and back, or refused.
#include <flail/original_session.h>

#include <tests/fuzz/require.h>

#include <algorithm>

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

// Each message is preceded by its connection and its length. A length of 0 is a tick; the single byte ff is a
// disconnect.
void play_session(std::span<const std::byte> script) {
    Session session;
    for (int i = 0; i < 3; ++i) REQUIRE(session.connect());
    while (script.size() >= 2) {
        const auto id = static_cast<std::uint16_t>(1 + std::to_integer<unsigned>(script[0]) % 4);
        const std::size_t length =
            std::min<std::size_t>(std::to_integer<std::size_t>(script[1]), script.size() - 2);
        if (length == 0) {
            for (const Message& message : session.tick()) {
                const auto update = decode_to_client(message.bytes);
                REQUIRE(update && std::holds_alternative<Update>(*update));
                REQUIRE(encode_to_client(*update) == message.bytes);
            }
        } else if (length == 1 && script[2] == std::byte{0xff}) {
            session.disconnect(id);
        } else if (const auto answer = session.receive(id, script.subspan(2, length))) {
            for (const Message& message : *answer) REQUIRE(decode_to_client(message.bytes));
        }
        script = script.subspan(2 + length);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    check_codec(bytes);
    check_name({reinterpret_cast<const char*>(data), size});
    play_session(bytes);
    return 0;
}
