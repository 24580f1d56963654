// SPDX-License-Identifier: MIT
// The packets of the original game, byte for byte. A compatibility layer, not our wire format: rooms speak
// src/net; this is for clients and recordings of the original, and its packets are as large as they were
// there.
//
// A message holds exactly one packet. Numbers are little-endian; a name is UTF-16 code units up to a zero.
// Any bytes decode to a packet that encodes to the same bytes, or to an error with the reason and
// the byte. Packets keep the values as sent (lengths in packet units, angles and flags as they came); units.h
// converts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <flail/setup.h>
#include <flail/units.h>
#include <instep/state/result.h>

namespace instep::worlds::flail::original {

// Our limits; the original has no limits. A rope has 2 to most_rope_nodes nodes.
inline constexpr std::size_t most_name_units = 64;
inline constexpr std::size_t most_entities = 256;  // in one update

// Both ways: the server asks once, and a client that answers is sent updates.
struct Ping {
    static constexpr std::uint8_t opcode = 0x00;
    static constexpr std::string_view label = "ping";
    friend bool operator==(const Ping&, const Ping&) = default;
};

// --- From client to server

// The client's window, in tens of world units.
struct WindowSize {
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    friend bool operator==(const WindowSize&, const WindowSize&) = default;
};

struct Init : WindowSize {
    static constexpr std::uint8_t opcode = 0x01;
    static constexpr std::string_view label = "init";
};

struct Resize : WindowSize {
    static constexpr std::uint8_t opcode = 0x07;
    static constexpr std::string_view label = "resize";
};

struct Spawn {
    static constexpr std::uint8_t opcode = 0x03;
    static constexpr std::string_view label = "spawn";
    std::u16string name;  // code units, paired or not; no zero among them
    friend bool operator==(const Spawn&, const Spawn&) = default;
};

struct Steer {
    static constexpr std::uint8_t opcode = 0x05;
    static constexpr std::string_view label = "input";
    double angle = 0;        // as sent: a quarter turn ahead of the heading
    std::uint8_t flags = 0;  // all eight bits as they came; only two mean something

    double heading() const { return heading_from_packet(angle); }
    bool moving() const { return (flags & 1) != 0 && (flags & 2) == 0; }
    friend bool operator==(const Steer&, const Steer&) = default;
};

struct Click {
    static constexpr std::uint8_t opcode = 0x08;
    static constexpr std::string_view label = "click";
    std::uint8_t value = 0;

    bool pressed() const { return value != 0; }
    friend bool operator==(const Click&, const Click&) = default;
};

using ToServer = std::variant<Ping, Init, Spawn, Steer, Resize, Click>;

state::Result<ToServer> decode_to_server(std::span<const std::byte> message);

// --- From server to client

struct MapSize {
    static constexpr std::uint8_t opcode = 0xa0;
    static constexpr std::string_view label = "mapSize";
    float width = 0;  // packet units
    float height = 0;
    std::uint8_t version = 2;
    friend bool operator==(const MapSize&, const MapSize&) = default;
};

struct PlayerId {
    static constexpr std::uint8_t opcode = 0xa1;
    static constexpr std::string_view label = "playerId";
    std::uint32_t id = 0;
    friend bool operator==(const PlayerId&, const PlayerId&) = default;
};

struct Point {
    float x = 0;  // packet units
    float y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

enum class EntityKind : std::uint8_t { update, create, remove };

// The update of one player for a client. A removed one has only the id; name and hue are sent
// once, when it is created.
struct Entity {
    std::uint16_t id = 0;  // never 0: that ends the update
    EntityKind kind = EntityKind::update;
    std::u16string name;
    Point body;
    float heading = 0;                          // of the last input, turned back by a quarter once more
    std::array<Point, most_rope_nodes> rope{};  // body and flail included
    std::uint8_t rope_nodes = 2;
    Point flail;
    float flail_angle = 0;  // as it is
    std::uint32_t flail_size = 0;
    std::uint16_t hue = 0;
    friend bool operator==(const Entity&, const Entity&) = default;
};

struct Update {
    static constexpr std::uint8_t opcode = 0xb4;
    static constexpr std::string_view label = "update";
    std::vector<Entity> entities;
    friend bool operator==(const Update&, const Update&) = default;
};

using ToClient = std::variant<Ping, MapSize, PlayerId, Update>;

state::Result<ToClient> decode_to_client(std::span<const std::byte> message);

// For packets within the limits above.
std::vector<std::byte> encode_to_server(const ToServer& packet);
std::vector<std::byte> encode_to_client(const ToClient& packet);

// --- Names

// UTF-8, and back to the same code units. A surrogate without its partner is written as if it were a
// character (three bytes that no well-formed UTF-8 has), so nothing is lost; FixedText::of leaves such bytes
// out.
std::string utf8_from_name(std::u16string_view name);

// Refuses other text, and names that cannot be sent: too long, or with a zero in it.
state::Result<std::u16string> name_from_utf8(std::string_view text);

}  // namespace instep::worlds::flail::original
