// SPDX-License-Identifier: MIT
#include <instep/record/match_image.h>

#include <algorithm>

#include <instep/codec/byte_model.h>
#include <instep/state/hash.h>

namespace instep::record {
namespace {

using codec::code_list;
using codec::code_raw;
using state::FieldKind;
using state::refuse;
using state::Result;

constexpr std::size_t max_name = 64;
constexpr std::size_t max_path = 255;
constexpr std::uint32_t max_fields = 1u << 14;  // of a struct, with those of its arrays
constexpr std::uint32_t max_pools = 64;
constexpr std::uint32_t max_labels = 256;
constexpr std::size_t hash_bytes = 8;

template <class Stream>
void code_large_bytes(Stream& stream, codec::Bytes& bytes, std::size_t most) {
    if constexpr (Stream::reading) {
        if (!decode_bytes(stream, bytes, most)) stream.fail();
    } else {
        encode_bytes(stream, bytes);
    }
}

template <class Stream>
void code_field(Stream& stream, state::FieldDescription& field) {
    code_text(stream, field.path, max_path);
    code_raw(stream, field.kind, 4);
    if (field.kind > FieldKind::reserved) return stream.fail();
    code_raw(stream, field.size, 16);
    code_list(stream, field.labels, 9, max_labels,
              [&](std::string& label) { code_text(stream, label, max_path); });
}

template <class Stream>
void code_struct(Stream& stream, state::StructDescription& fields) {
    code_list(stream, fields, 15, max_fields,
              [&](state::FieldDescription& field) { code_field(stream, field); });
}

template <class Stream>
void code_level_text(Stream& stream, std::string& text) {
    const auto view = std::as_bytes(std::span(text));
    codec::Bytes bytes(view.begin(), view.end());
    code_large_bytes(stream, bytes, max_level_bytes);
    if constexpr (Stream::reading)
        text.assign(reinterpret_cast<const char*>(bytes.data()), stream.ok() ? bytes.size() : 0);
}

}  // namespace

template <class Stream>
void code_text(Stream& stream, std::string& text, std::size_t most) {
    std::uint64_t size = text.size();
    stream.raw(size, 8);
    if (size > most) return stream.fail();
    if constexpr (Stream::reading) text.resize(static_cast<std::size_t>(size));
    for (char& letter : text) code_raw(stream, letter, 8);
}

template <class Stream>
void code(Stream& stream, MatchImage& image) {
    code_text(stream, image.level.world, max_name);
    code_text(stream, image.level.level, max_name);
    code_level_text(stream, image.level.text);
    code_raw(stream, image.fingerprint, 64);
    code_raw(stream, image.seed, 64);
    code_raw(stream, image.tick, 64);
    code_raw(stream, image.hash, 64);
    code_struct(stream, image.layout.head);
    code_list(stream, image.layout.pools, 7, max_pools, [&](state::PoolDescription& pool) {
        code_text(stream, pool.name, max_path);
        code_struct(stream, pool.element);
    });
    code_large_bytes(stream, image.state, max_state_bytes);
}

template void code_text(codec::Writer&, std::string&, std::size_t);
template void code_text(codec::Reader&, std::string&, std::size_t);
template void code(codec::Writer&, MatchImage&);
template void code(codec::Reader&, MatchImage&);

MatchImage save_match(const match::Match& match, std::uint64_t seed) {
    MatchImage image{.level = reference_to(match.setup()),
                     .fingerprint = match.setup().fingerprint,
                     .seed = seed,
                     .tick = match.tick(),
                     .hash = match.hash(),
                     .layout = state::describe_layout(match.layout()),
                     .state = codec::Bytes(match.image_size())};
    match.save(image.state);
    return image;
}

Result<state::NotCarried> load_match(const MatchImage& image, match::Match& match) {
    const match::Setup& setup = match.setup();
    if (image.level.world != setup.world->name)
        return refuse("image", "is of the world \"" + image.level.world + "\", expected \"" +
                                   std::string(setup.world->name) + "\"");
    match::Match loaded(match);
    state::NotCarried not_carried;
    if (image.fingerprint == setup.fingerprint) {
        if (auto done = loaded.load(image.state); !done) return std::unexpected(done.error());
        if (loaded.hash() != image.hash)
            return refuse("image", "has a state with the hash " + state::hash_text(loaded.hash()) +
                                       ", expected " + state::hash_text(image.hash));
    } else {
        auto carried = loaded.carry_over(image.layout, image.state, image.seed);
        if (!carried) return std::unexpected(carried.error());
        not_carried = std::move(*carried);
    }
    if (loaded.tick() != image.tick)
        return refuse("image", "has a state of tick " + std::to_string(loaded.tick()) + ", expected tick " +
                                   std::to_string(image.tick));
    match = std::move(loaded);
    return not_carried;
}

// --- Bytes from outside

void begin_image(std::string_view magic, codec::Bytes& out) {
    for (const char letter : magic) out.push_back(static_cast<std::byte>(letter));
}

static std::uint64_t hash_of(codec::ByteView bytes) {
    state::Hasher hasher;
    hasher.add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return hasher.finish();
}

void end_image(codec::Bytes& out) {
    const std::uint64_t hash = hash_of(out);
    for (unsigned shift = 0; shift < 8 * hash_bytes; shift += 8)
        out.push_back(static_cast<std::byte>(hash >> shift));
}

Result<codec::ByteView> open_image(std::string_view magic, codec::ByteView image) {
    const auto same = [](char letter, std::byte byte) { return static_cast<std::byte>(letter) == byte; };
    if (image.size() < magic.size() + hash_bytes ||
        !std::equal(magic.begin(), magic.end(), image.begin(), same))
        return refuse("image", "does not begin with \"" + std::string(magic) +
                                   "\": it is something else, or of another version");
    const codec::ByteView before_hash = image.first(image.size() - hash_bytes);
    codec::Bytes expected(before_hash.begin(), before_hash.end());
    end_image(expected);
    if (!std::equal(image.begin(), image.end(), expected.begin(), expected.end()))
        return refuse("image", "is damaged or cut off: its hash differs");
    return before_hash.subspan(magic.size());
}

}  // namespace instep::record
