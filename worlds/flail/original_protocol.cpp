// SPDX-License-Identifier: MIT
// Each packet has one function `pass` that a Reader fills it through and a Writer takes it apart through, so
// that the two sides cannot drift.
#include <flail/original_protocol.h>

#include <bit>
#include <cassert>
#include <concepts>
#include <cstring>
#include <optional>
#include <type_traits>

#include <instep/state/utf8.h>

namespace instep::worlds::flail::original {
namespace {

using state::refuse;
using state::Result;

std::string text_of(std::string_view text) { return std::string(text); }

std::string hex(std::uint8_t byte) {
    constexpr char digits[] = "0123456789abcdef";
    return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

// Reads until the first error; after that, nothing. `what` names a part in errors.
class Reader {
public:
    static constexpr bool writes = false;

    explicit Reader(std::span<const std::byte> message) : message_(message) {}

    template <class T>
    void number(T& value, std::string_view what) {
        if (failed()) return;
        if (message_.size() - at_ < sizeof(T)) return fail("the message ends within " + text_of(what));
        static_assert(std::endian::native == std::endian::little);
        std::memcpy(&value, message_.data() + at_, sizeof(T));
        at_ += sizeof(T);
    }

    // Bytes that are the same in every packet of the original.
    template <class T>
    void fixed(T expected, std::string_view what) {
        const std::size_t start = at_;
        T value{};
        number(value, what);
        if (failed() || value == expected) return;
        at_ = start;
        fail("expected " + std::to_string(expected) + " for " + text_of(what) + ", got " +
             std::to_string(value));
    }

    void kind(EntityKind& kind) {
        std::uint8_t value = 0;
        number(value, "the kind of an entity");
        if (failed()) return;
        if (value > static_cast<std::uint8_t>(EntityKind::remove)) {
            --at_;
            return fail("expected 0 (update), 1 (create) or 2 (remove), got " + std::to_string(value));
        }
        kind = static_cast<EntityKind>(value);
    }

    void name(std::u16string& name) {
        name.clear();
        while (!failed()) {
            char16_t unit = 0;
            number(unit, "a name that no zero has ended");
            if (failed() || unit == 0) return;
            if (name.size() == most_name_units)
                return fail("a name has at most " + std::to_string(most_name_units) + " code units");
            name += unit;
        }
    }

    void rope_nodes(std::uint8_t& count) {
        number(count, "the number of rope nodes");
        if (failed() || (count >= 2 && count <= most_rope_nodes)) return;
        --at_;
        fail("a rope has 2 to " + std::to_string(most_rope_nodes) + " nodes, not " + std::to_string(count));
    }

    // Calls one(entity) for each, up to the id 0 that ends the list.
    template <class One>
    void entities(std::vector<Entity>& entities, One one) {
        while (!failed()) {
            Entity entity;
            number(entity.id, "the id of an entity, or the zero after the last");
            if (failed() || entity.id == 0) return;
            if (entities.size() == most_entities)
                return fail("an update has at most " + std::to_string(most_entities) + " entities");
            one(entity);
            entities.push_back(std::move(entity));
        }
    }

    bool failed() const { return fault_.has_value(); }

    void fail(std::string what) { fault_ = state::Error{"byte " + std::to_string(at_), std::move(what)}; }

    template <class Packet, class Any>
    Result<Any> finish(Packet packet) {
        if (!failed() && at_ != message_.size())
            fail("expected the end of the packet, got " + std::to_string(message_.size() - at_) +
                 " bytes more");
        if (fault_) return state::within(text_of(Packet::label), *fault_);
        return packet;
    }

private:
    std::span<const std::byte> message_;
    std::size_t at_ = 0;
    std::optional<state::Error> fault_;
};

class Writer {
public:
    static constexpr bool writes = true;

    explicit Writer(std::vector<std::byte>& out) : out_(out) {}

    template <class T>
    void number(const T& value, std::string_view = {}) {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
        out_.insert(out_.end(), bytes.begin(), bytes.end());
    }
    template <class T>
    void fixed(T expected, std::string_view) {
        number(expected);
    }
    void kind(EntityKind kind) { number(kind); }
    void name(std::u16string_view name) {
        assert(name.size() <= most_name_units && name.find(u'\0') == name.npos);
        for (const char16_t unit : name) number(unit);
        number(u'\0');
    }
    void rope_nodes(std::uint8_t count) {
        assert(count >= 2 && count <= most_rope_nodes);
        number(count);
    }
    template <class One>
    void entities(const std::vector<Entity>& entities, One one) {
        assert(entities.size() <= most_entities);
        for (const Entity& entity : entities) {
            assert(entity.id != 0);
            number(entity.id);
            one(entity);
        }
        number(std::uint16_t{0});
    }

private:
    std::vector<std::byte>& out_;
};

// A packet as a Writer sees it, or a Reader.
template <class Stream, class T>
using Passed = std::conditional_t<Stream::writes, const T, T>;

template <class Stream>
void pass(Stream&, Passed<Stream, Ping>&) {}

template <class Stream>
void pass(Stream& stream, Passed<Stream, WindowSize>& size) {
    stream.number(size.width, "the width");
    stream.number(size.height, "the height");
}

template <class Stream>
void pass(Stream& stream, Passed<Stream, Spawn>& spawn) {
    stream.name(spawn.name);
}

template <class Stream>
void pass(Stream& stream, Passed<Stream, Steer>& steer) {
    stream.number(steer.angle, "the angle");
    stream.number(steer.flags, "the flags");
}

template <class Stream>
void pass(Stream& stream, Passed<Stream, Click>& click) {
    stream.number(click.value, "the button");
}

template <class Stream>
void pass(Stream& stream, Passed<Stream, MapSize>& map) {
    stream.number(map.width, "the width");
    stream.number(map.height, "the height");
    stream.number(map.version, "the version");
}

template <class Stream>
void pass(Stream& stream, Passed<Stream, PlayerId>& player) {
    stream.number(player.id, "the id");
}

template <class Stream>
void pass_point(Stream& stream, Passed<Stream, Point>& point, std::string_view what) {
    stream.number(point.x, what);
    stream.number(point.y, what);
}

// All of an entity but its id. The meaning of the fixed parts is not known.
template <class Stream>
void pass_entity(Stream& stream, Passed<Stream, Entity>& entity) {
    stream.kind(entity.kind);
    if (entity.kind == EntityKind::remove) {
        stream.fixed(std::uint16_t{0}, "the first part of a removal");
        stream.fixed(std::uint8_t{0}, "the second part of a removal");
        return;
    }
    const bool created = entity.kind == EntityKind::create;
    if (created) {
        stream.fixed(std::uint8_t{5}, "the first part before a name");
        stream.fixed(std::uint8_t{0}, "the second part before a name");
        stream.name(entity.name);
    }
    stream.fixed(std::uint8_t{0}, "the part before the body");
    pass_point(stream, entity.body, "the position of the body");
    stream.number(entity.heading, "the heading");
    stream.rope_nodes(entity.rope_nodes);
    for (std::size_t i = 0; i < entity.rope_nodes && i < entity.rope.size(); ++i)
        pass_point(stream, entity.rope[i], "a rope node");
    pass_point(stream, entity.flail, "the position of the flail");
    stream.number(entity.flail_angle, "the angle of the flail");
    stream.number(entity.flail_size, "the size of the flail");
    stream.fixed(std::uint16_t{0}, "the part after the flail");
    if (created) stream.number(entity.hue, "the hue");
}

template <class Stream>
void pass(Stream& stream, Passed<Stream, Update>& update) {
    stream.entities(update.entities, [&](Passed<Stream, Entity>& entity) { pass_entity(stream, entity); });
}

// The packets of one direction, tried one after the other.
template <class Any>
struct Direction;

template <class... Packets>
struct Direction<std::variant<Packets...>> {
    using Any = std::variant<Packets...>;

    static Result<Any> decode(std::span<const std::byte> message) {
        if (message.empty()) return refuse("byte 0", "the message is empty");
        const auto opcode = static_cast<std::uint8_t>(message[0]);
        std::optional<Result<Any>> decoded;
        ((opcode == Packets::opcode ? void(decoded = decode_as<Packets>(message)) : void()), ...);
        if (decoded) return std::move(*decoded);
        std::string known;
        ((known += (known.empty() ? "" : ", ") + hex(Packets::opcode) + " (" + text_of(Packets::label) + ")"),
         ...);
        return refuse("byte 0", "there is no packet " + hex(opcode) + " on this way; there are: " + known);
    }

    static std::vector<std::byte> encode(const Any& packet) {
        std::vector<std::byte> message;
        Writer writer(message);
        std::visit(
            [&]<class Packet>(const Packet& chosen) {
                writer.number(Packet::opcode);
                pass(writer, chosen);
            },
            packet);
        return message;
    }

private:
    template <class Packet>
    static Result<Any> decode_as(std::span<const std::byte> message) {
        Reader reader(message);
        Packet packet;
        reader.fixed(Packet::opcode, "the opcode");
        pass(reader, packet);
        return reader.template finish<Packet, Any>(std::move(packet));
    }
};

// --- Names

constexpr bool is_lead(char32_t c) { return c >= 0xD800 && c <= 0xDBFF; }
constexpr bool is_trail(char32_t c) { return c >= 0xDC00 && c <= 0xDFFF; }

void append_utf8(std::string& out, char32_t c) {
    const auto continuation = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += {static_cast<char>(0xC0 | c >> 6), continuation(0)};
    } else if (c < 0x10000) {
        out += {static_cast<char>(0xE0 | c >> 12), continuation(6), continuation(0)};
    } else {
        out += {static_cast<char>(0xF0 | c >> 18), continuation(12), continuation(6), continuation(0)};
    }
}

// The bytes of the first character: as in UTF-8, or those of a lone surrogate.
std::size_t length_of_first(std::string_view text) {
    if (const std::size_t length = state::utf8_length(text)) return length;
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const bool surrogate = text.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF &&
                           byte(2) >= 0x80 && byte(2) <= 0xBF;
    return surrogate ? 3 : 0;
}

char32_t character_of(std::string_view bytes) {
    constexpr unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t c = static_cast<unsigned char>(bytes[0]) & masks[bytes.size()];
    for (const char byte : bytes.substr(1)) c = c << 6 | (static_cast<unsigned char>(byte) & 0x3F);
    return c;
}

}  // namespace

Result<ToServer> decode_to_server(std::span<const std::byte> message) {
    return Direction<ToServer>::decode(message);
}

Result<ToClient> decode_to_client(std::span<const std::byte> message) {
    return Direction<ToClient>::decode(message);
}

std::vector<std::byte> encode_to_server(const ToServer& packet) {
    return Direction<ToServer>::encode(packet);
}
std::vector<std::byte> encode_to_client(const ToClient& packet) {
    return Direction<ToClient>::encode(packet);
}

std::string utf8_from_name(std::u16string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        char32_t c = name[i];
        if (is_lead(c) && i + 1 < name.size() && is_trail(name[i + 1]))
            c = 0x10000 + ((c - 0xD800) << 10) + (name[++i] - 0xDC00u);
        append_utf8(text, c);
    }
    return text;
}

Result<std::u16string> name_from_utf8(std::string_view text) {
    std::u16string name;
    for (std::size_t at = 0; at < text.size();) {
        const std::string where = "byte " + std::to_string(at);
        const std::size_t length = length_of_first(text.substr(at));
        if (length == 0) return refuse(where, "is not UTF-8");
        const char32_t c = character_of(text.substr(at, length));
        if (c == 0) return refuse(where, "a name cannot hold a zero, which would end it");
        if (length == 3 && is_trail(c) && !name.empty() && is_lead(name.back()))
            return refuse(where, "a pair of surrogates is to be written as one character of four bytes");
        if (c >= 0x10000) name += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
        name += static_cast<char16_t>(c >= 0x10000 ? 0xDC00 + (c & 0x3FF) : c);
        if (name.size() > most_name_units)
            return refuse(where, "a name has at most " + std::to_string(most_name_units) + " code units");
        at += length;
    }
    return name;
}

}  // namespace instep::worlds::flail::original
