// SPDX-License-Identifier: MIT
#include <flail/original_protocol.h>

#include <doctest/doctest.h>

#include <flail/tests/support.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cstring>

using namespace instep;
using namespace instep::worlds::flail::original;
using state::Json;
using test::at;
using test::bytes_of;
using test::hex_of;

namespace {

constexpr std::size_t most_rope_nodes = worlds::flail::most_rope_nodes;

// Every message in packets.json, by direction.
std::vector<std::string> recorded(bool to_server) {
    const Json file = test::read_vector("packets.json");
    std::vector<std::string> messages;
    if (to_server) {
        for (const Json& packet : *at(file, "serverbound").array())
            messages.push_back(*at(packet, "hex").string());
        return messages;
    }
    for (const Json& packet : *at(file, "clientbound").array())
        messages.push_back(*at(packet, "hex").string());
    for (const Json& step : *at(file, "session").array())
        for (const char* to : {"to_player1", "to_player2"})
            if (const Json* sent = step.find(to))
                for (const Json& hex : *sent->array()) messages.push_back(*hex.string());
    return messages;
}

std::string error_of(std::string_view hex) {
    const auto packet = decode_to_server(bytes_of(hex));
    return packet ? "no error" : packet.error().text();
}

std::string update_error_of(std::string_view hex) {
    const auto packet = decode_to_client(bytes_of(hex));
    return packet ? "no error" : packet.error().text();
}

std::vector<std::byte> random_bytes(math::Random& random, std::uint32_t most) {
    std::vector<std::byte> bytes(random.below(most + 1));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
    return bytes;
}

// Decodes from memory of exactly that size, so that a sanitizer sees any look beyond it.
template <class Decode, class Encode>
bool survives(std::span<const std::byte> bytes, Decode decode, Encode encode) {
    const std::vector<std::byte> exact(bytes.begin(), bytes.end());
    const auto packet = decode(exact);
    if (packet) return encode(*packet) == exact;
    return !packet.error().what.empty() && packet.error().where.find("byte ") != std::string::npos;
}

bool survives(std::span<const std::byte> bytes) {
    return survives(bytes, decode_to_server, encode_to_server) &&
           survives(bytes, decode_to_client, encode_to_client);
}

Entity random_entity(math::Random& random) {
    const auto number = [&random] { return static_cast<float>(random.uniform(-1000, 1000)); };
    Entity entity;
    entity.id = static_cast<std::uint16_t>(1 + random.below(65535));
    entity.kind = static_cast<EntityKind>(random.below(3));
    if (entity.kind == EntityKind::remove) return entity;
    entity.body = {number(), number()};
    entity.heading = number();
    entity.rope_nodes = static_cast<std::uint8_t>(2 + random.below(most_rope_nodes - 1));
    for (std::size_t i = 0; i < entity.rope_nodes; ++i) entity.rope[i] = {number(), number()};
    entity.flail = {number(), number()};
    entity.flail_angle = number();
    entity.flail_size = static_cast<std::uint32_t>(random.next());
    if (entity.kind != EntityKind::create) return entity;
    entity.hue = static_cast<std::uint16_t>(random.next());
    for (std::uint32_t n = random.below(most_name_units + 1); n > 0; --n)
        entity.name += static_cast<char16_t>(1 + random.below(65535));
    return entity;
}

}  // namespace

TEST_CASE("flail original protocol: every recorded message decodes, and encodes to the same bytes") {
    for (const std::string& hex : recorded(true)) {
        CAPTURE(hex);
        if (hex == "04") continue;  // recorded as refused
        const auto packet = decode_to_server(bytes_of(hex));
        REQUIRE_MESSAGE(packet, packet.error().text());
        CHECK(hex_of(encode_to_server(*packet)) == hex);
    }
    const std::vector<std::string> to_client = recorded(false);
    CHECK(to_client.size() >= 15);
    for (const std::string& hex : to_client) {
        CAPTURE(hex);
        const auto packet = decode_to_client(bytes_of(hex));
        REQUIRE_MESSAGE(packet, packet.error().text());
        CHECK(hex_of(encode_to_client(*packet)) == hex);
    }
}

TEST_CASE("flail original protocol: client messages are decoded as the original decoded them") {
    const Json file = test::read_vector("packets.json");
    int read = 0;
    for (const Json& recorded : *at(file, "serverbound").array()) {
        const std::string& hex = *at(recorded, "hex").string();
        const Json& decoded = at(recorded, "decoded");
        CAPTURE(hex);
        const auto packet = decode_to_server(bytes_of(hex));
        ++read;
        if (decoded.find("error")) {
            CHECK(!packet);
            continue;
        }
        REQUIRE_MESSAGE(packet, packet.error().text());
        const std::string& type = *at(decoded, "type").string();
        CHECK(std::visit([](const auto& chosen) { return std::string(chosen.label); }, *packet) == type);
        const Json* data = decoded.find("data");
        if (const auto* steer = std::get_if<Steer>(&*packet)) {
            CHECK(steer->heading() == at(*data, "angle").number());
            CHECK(steer->moving() == *at(*data, "playerIsMoving").boolean());
            CHECK(hex.ends_with(hex_of(std::as_bytes(std::span(&steer->flags, 1)))));
        } else if (const auto* spawn = std::get_if<Spawn>(&*packet)) {
            CHECK(utf8_from_name(spawn->name) == *at(decoded, "name").string());
        } else if (const auto* click = std::get_if<Click>(&*packet)) {
            CHECK(click->pressed() == *at(decoded, "click").boolean());
        } else if (data) {
            const auto* init = std::get_if<Init>(&*packet);
            const WindowSize size = init ? WindowSize(*init) : WindowSize(std::get<Resize>(*packet));
            CHECK(worlds::flail::world_size_from_packet(size.width) == at(*data, "width").number());
            CHECK(worlds::flail::world_size_from_packet(size.height) == at(*data, "height").number());
        } else {
            CHECK(std::holds_alternative<Ping>(*packet));
        }
    }
    CHECK(read == 12);
}

TEST_CASE("flail original protocol: server messages are encoded as the original encoded them") {
    const Json file = test::read_vector("packets.json");
    for (const Json& recorded : *at(file, "clientbound").array()) {
        const std::string& type = *at(recorded, "type").string();
        const std::string& hex = *at(recorded, "hex").string();
        CAPTURE(type);
        if (type == "ping") {
            CHECK(hex_of(encode_to_client(Ping{})) == hex);
        } else if (type == "mapSize") {
            const Json& data = at(recorded, "data");
            const MapSize map{worlds::flail::packet_length_from_world(at(data, "width").number()),
                              worlds::flail::packet_length_from_world(at(data, "height").number()),
                              static_cast<std::uint8_t>(at(data, "version").number())};
            CHECK(hex_of(encode_to_client(map)) == hex);
        } else {
            CHECK(type == "playerId");
            const PlayerId player{static_cast<std::uint32_t>(at(at(recorded, "data"), "id").number())};
            CHECK(hex_of(encode_to_client(player)) == hex);
        }
    }
}

TEST_CASE(
    "flail original protocol: a player moves with the first flag set and the second clear, and all eight are "
    "kept") {
    for (unsigned flags = 0; flags < 256; ++flags) {
        const Steer steer{.angle = 1.25, .flags = static_cast<std::uint8_t>(flags)};
        const auto back = decode_to_server(encode_to_server(steer));
        REQUIRE(back);
        CHECK(std::get<Steer>(*back) == steer);
        CHECK(std::get<Steer>(*back).moving() == (flags % 4 == 1));
    }
}

TEST_CASE("flail original protocol: any update within the limits comes back as it was") {
    test::for_each_seed(200, [](math::Random& random) {
        Update update;
        for (std::uint32_t n = random.below(40); n > 0; --n) update.entities.push_back(random_entity(random));
        const auto back = decode_to_client(encode_to_client(update));
        REQUIRE_MESSAGE(back, back.error().text());
        CHECK(std::get<Update>(*back) == update);
    });
}

TEST_CASE("flail original protocol: as many entities as the limit come back, one more is refused") {
    Update update;
    for (std::size_t i = 0; i < most_entities; ++i)
        update.entities.push_back({.id = static_cast<std::uint16_t>(i + 1), .kind = EntityKind::remove});
    std::vector<std::byte> bytes = encode_to_client(update);
    REQUIRE(decode_to_client(bytes));
    const std::vector<std::byte> one_more = bytes_of("ffff02000000");
    bytes.insert(bytes.end() - 2, one_more.begin(), one_more.end());
    const auto refused = decode_to_client(bytes);
    REQUIRE(!refused);
    CHECK(refused.error().text().find("at most 256 entities") != std::string::npos);
}

TEST_CASE(
    "flail original protocol: a message that is cut short anywhere is refused, and so is one with a byte too "
    "many") {
    for (const bool to_server : {true, false}) {
        for (const std::string& hex : recorded(to_server)) {
            if (to_server && hex == "04") continue;
            std::vector<std::byte> bytes = bytes_of(hex);
            const auto refused = [&](std::span<const std::byte> message) {
                return to_server ? !decode_to_server(message) : !decode_to_client(message);
            };
            for (std::size_t length = 0; length < bytes.size(); ++length)
                CHECK(refused(std::span(bytes).first(length)));
            bytes.push_back(std::byte{0});
            CHECK(refused(bytes));
        }
    }
}

TEST_CASE("flail original protocol: an error names the packet, the byte and what was expected") {
    CHECK(error_of("") == "byte 0: the message is empty");
    CHECK(error_of("04") ==
          "byte 0: there is no packet 0x04 on this way; there are: 0x00 (ping), 0x01 (init), 0x03 (spawn), "
          "0x05 (input), 0x07 (resize), 0x08 (click)");
    CHECK(error_of("018007") == "init: byte 3: the message ends within the height");
    CHECK(error_of("0342006f00") == "spawn: byte 5: the message ends within a name that no zero has ended");
    CHECK(error_of("03" + std::string(4 * 65, '4') + "0000") ==
          "spawn: byte 131: a name has at most 64 code units");
    CHECK(error_of("080100") == "click: byte 2: expected the end of the packet, got 1 bytes more");
    CHECK(update_error_of("b4010003") ==
          "update: byte 3: expected 0 (update), 1 (create) or 2 (remove), got 3");
    CHECK(update_error_of("b40100010600") ==
          "update: byte 4: expected 5 for the first part before a name, got 6");
    CHECK(update_error_of("b40100000000000000000000000000000011") ==
          "update: byte 17: a rope has 2 to 16 nodes, not 17");
    CHECK(update_error_of("b401000200") ==
          "update: byte 4: the message ends within the first part of a removal");
}

TEST_CASE(
    "flail original protocol: any bytes are a packet that encodes to them, or an error with a position") {
    test::for_each_seed(20'000, [](math::Random& random) {
        std::vector<std::byte> bytes = random_bytes(random, 100);
        if (!bytes.empty() && random.below(2) == 0) {  // past the opcode, where most random bytes end
            constexpr std::uint8_t opcodes[] = {0, 1, 3, 5, 7, 8, 0xa0, 0xa1, 0xb4};
            bytes[0] = std::byte{opcodes[random.below(std::size(opcodes))]};
        }
        REQUIRE(survives(bytes));
    });
}

TEST_CASE("flail original protocol: recorded messages with broken bytes are packets or errors") {
    std::vector<std::string> messages = recorded(true);
    const std::vector<std::string> to_client = recorded(false);
    messages.insert(messages.end(), to_client.begin(), to_client.end());
    test::for_each_seed(20'000, [&](math::Random& random) {
        std::vector<std::byte> bytes =
            bytes_of(messages[random.below(static_cast<std::uint32_t>(messages.size()))]);
        for (std::uint32_t n = 1 + random.below(3); n > 0; --n)
            bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
                static_cast<std::byte>(random.next());
        if (random.below(3) == 0) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size()) + 8));
        REQUIRE(survives(bytes));
    });
}

TEST_CASE("flail original protocol: a name goes to UTF-8 and back with every code unit, paired or not") {
    test::for_each_seed(5000, [](math::Random& random) {
        std::u16string name;
        for (std::uint32_t n = random.below(20); n > 0; --n) {
            constexpr std::uint32_t low[] = {1, 0x80, 0x800, 0xD800, 0xDC00, 0xE000};
            constexpr std::uint32_t count[] = {0x7F, 0x780, 0xD000, 0x400, 0x400, 0x2000};
            const std::uint32_t range = random.below(6);
            name += static_cast<char16_t>(low[range] + random.below(count[range]));
        }
        const auto back = name_from_utf8(utf8_from_name(name));
        REQUIRE_MESSAGE(back, back.error().text());
        CHECK(*back == name);
    });
}

TEST_CASE("flail original protocol: names are standard UTF-8") {
    CHECK(utf8_from_name(u"Bob é") == "Bob \xC3\xA9");
    CHECK(utf8_from_name(u"€") == "\xE2\x82\xAC");
    CHECK(utf8_from_name(u"\U0001F600") == "\xF0\x9F\x98\x80");
    CHECK(utf8_from_name(std::u16string{0xD83D}) == "\xED\xA0\xBD");
    CHECK(*name_from_utf8("\xF0\x9F\x98\x80") == u"\U0001F600");
    CHECK(*name_from_utf8("") == u"");
}

TEST_CASE("flail original protocol: text that is no name is refused with the byte at fault") {
    const auto error = [](std::string_view text) {
        const auto name = name_from_utf8(text);
        return name ? std::string("no error") : name.error().text();
    };
    CHECK(error("ab\xFF") == "byte 2: is not UTF-8");
    CHECK(error("\xC3") == "byte 0: is not UTF-8");
    CHECK(error("\xC0\x80") == "byte 0: is not UTF-8");
    CHECK(error(std::string_view("a\0b", 3)) == "byte 1: a name cannot hold a zero, which would end it");
    CHECK(error("\xED\xA0\xBD\xED\xB8\x80") ==
          "byte 3: a pair of surrogates is to be written as one character of four bytes");
    CHECK(error(std::string(65, 'x')) == "byte 64: a name has at most 64 code units");
    CHECK(error(std::string(64, 'x')) == "no error");
}

TEST_CASE("flail original protocol: UTF-8 that is accepted as a name is written the same way again") {
    test::for_each_seed(20'000, [](math::Random& random) {
        std::string text;
        for (std::uint32_t n = random.below(12); n > 0; --n) {
            constexpr unsigned char likely[] = {0x41, 0xC3, 0xA9, 0xED, 0xA0, 0xB8, 0x80, 0xF0, 0x9F, 0xE2};
            text += static_cast<char>(random.below(4) == 0 ? random.next() : likely[random.below(10)]);
        }
        if (const auto name = name_from_utf8(text)) CHECK(utf8_from_name(*name) == text);
    });
}
