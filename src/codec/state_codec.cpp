// SPDX-License-Identifier: MIT
#include <instep/codec/state_codec.h>

#include <cassert>
#include <cstring>

#include <instep/codec/grid.h>
#include <instep/state/raw_pool.h>

namespace instep::codec {
namespace {

using state::Field;
using state::FieldKind;
using state::Handle;
using state::Layout;
using state::RawPool;
using state::StructInfo;

constexpr std::int64_t tolerated_steps = 1;

double real_at(const Field& field, const std::byte* bytes) { return state::number_at(field, bytes); }

std::uint64_t bits_at(const Field& field, const std::byte* bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes + field.offset, field.size);
    return bits;
}

void put_bits(const Field& field, std::uint64_t bits, std::byte* bytes) {
    std::memcpy(bytes + field.offset, &bits, field.size);
}

bool is_signed(FieldKind kind) {
    return kind == FieldKind::i8 || kind == FieldKind::i16 || kind == FieldKind::i32 ||
           kind == FieldKind::i64;
}

// --- One description for both directions ------------------------------------------------------------------

template <class Stream>
void code_real(Stream& stream, const Field& field, FieldModel& model, const std::byte* predicted,
               std::byte* told) {
    bool whole = !is_quantised(field);
    if (!whole) {
        if constexpr (!Stream::reading) whole = !is_in_range(field.rules, real_at(field, told));
        stream.bit(whole, model.whole);
    }
    if (whole) {
        std::uint64_t bits = bits_at(field, told);
        stream.raw(bits, field.size * 8);
        if constexpr (Stream::reading) put_bits(field, bits, told);
        return;
    }
    const double guess = real_at(field, predicted);
    const std::int64_t from = is_in_range(field.rules, guess) ? nearest_step(field.rules, guess) : 0;
    std::int64_t difference = 0;
    if constexpr (!Stream::reading) difference = nearest_step(field.rules, real_at(field, told)) - from;
    code_signed(stream, difference, model.number);
    if constexpr (Stream::reading) {
        const auto step = static_cast<std::int64_t>(static_cast<std::uint64_t>(from) +
                                                    static_cast<std::uint64_t>(difference));
        const double value = value_at_step(field.rules, step);
        if (!is_in_range(field.rules, value)) return stream.fail();
        state::set_real(field, value, told);
    }
}

template <class Stream>
void code_whole_number(Stream& stream, const Field& field, FieldModel& model, const std::byte* predicted,
                       std::byte* told) {
    const unsigned unused = 64 - field.size * 8;
    const auto widened = [&](std::uint64_t bits) {
        return is_signed(field.kind) ? static_cast<std::int64_t>(bits << unused) >> unused
                                     : static_cast<std::int64_t>(bits);
    };
    const auto from = static_cast<std::uint64_t>(widened(bits_at(field, predicted)));
    std::int64_t difference = 0;
    if constexpr (!Stream::reading)
        difference =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(widened(bits_at(field, told))) - from);
    code_signed(stream, difference, model.number);
    if constexpr (Stream::reading) put_bits(field, from + static_cast<std::uint64_t>(difference), told);
}

template <class Stream>
void code_text(Stream& stream, const Field& field, FieldModel& model, std::byte* told) {
    std::uint64_t length = 0;
    if constexpr (!Stream::reading)
        while (length < field.size && told[field.offset + length] != std::byte{0}) ++length;
    code_unsigned(stream, length, model.number);
    if (length > field.size) return stream.fail();
    if constexpr (Stream::reading) std::memset(told + field.offset, 0, field.size);
    for (std::uint64_t i = 0; i < length; ++i) {
        auto letter = static_cast<std::uint64_t>(told[field.offset + i]);
        stream.raw(letter, 8);
        if constexpr (Stream::reading) told[field.offset + i] = static_cast<std::byte>(letter);
    }
}

template <class Stream>
void code_field(Stream& stream, const Field& field, FieldModel& model, const std::byte* predicted,
                std::byte* told) {
    if (field.kind == FieldKind::reserved) return;
    bool changed = false;
    if constexpr (!Stream::reading)
        changed = std::memcmp(predicted + field.offset, told + field.offset, field.size) != 0;
    stream.bit(changed, model.changed);
    if (!changed) {
        if constexpr (Stream::reading) std::memcpy(told + field.offset, predicted + field.offset, field.size);
        return;
    }
    if (field.kind == FieldKind::text)
        code_text(stream, field, model, told);
    else if (state::is_real(field.kind))
        code_real(stream, field, model, predicted, told);
    else
        code_whole_number(stream, field, model, predicted, told);
}

template <class Stream>
void code_struct(Stream& stream, const StructInfo& info, StructModel& model, const std::byte* predicted,
                 std::byte* told) {
    bool changed = false;
    if constexpr (!Stream::reading) changed = std::memcmp(predicted, told, info.size) != 0;
    stream.bit(changed, model.changed);
    if (!changed) {
        if constexpr (Stream::reading) std::memcpy(told, predicted, info.size);
        return;
    }
    for (std::size_t i = 0; i < info.fields.size() && stream.ok(); ++i)
        code_field(stream, info.fields[i], model.fields[i], predicted, told);
}

bool same_handles(const RawPool& a, const RawPool& b) {
    if (a.size() != b.size() || a.next_generation() != b.next_generation()) return false;
    for (std::uint32_t place = 0; place < a.size(); ++place)
        if (!(a.handle_at(place) == b.handle_at(place))) return false;
    return true;
}

// Which elements there are, and in which order.
template <class Stream>
void code_handles(Stream& stream, PoolModel& model, const RawPool& predicted, RawPool& told) {
    bool regrouped = false;
    if constexpr (!Stream::reading) regrouped = !same_handles(predicted, told);
    stream.bit(regrouped, model.regrouped);

    std::uint64_t count = regrouped ? told.size() : predicted.size();
    std::int64_t made = std::int64_t{told.next_generation()} - predicted.next_generation();
    if (regrouped) {
        code_unsigned(stream, count, model.count);
        code_signed(stream, made, model.age);
        if (count > told.capacity()) return stream.fail();
    } else {
        made = 0;
    }
    const auto next_generation = static_cast<std::uint32_t>(predicted.next_generation() + made);
    std::vector<Handle> handles(Stream::reading ? static_cast<std::size_t>(count) : 0);
    for (std::uint32_t place = 0; place < count && stream.ok(); ++place) {
        const Handle guess = place < predicted.size() ? predicted.handle_at(place) : Handle{};
        bool moved = false;
        Handle handle = guess;
        if constexpr (!Stream::reading) {
            handle = told.handle_at(place);
            moved = !(handle == guess);
        }
        if (regrouped) stream.bit(moved, model.moved);
        if (moved) {
            std::uint64_t id = handle.id;
            std::uint64_t age = next_generation - handle.generation;
            code_unsigned(stream, id, model.id);
            code_unsigned(stream, age, model.age);
            handle = {static_cast<std::uint32_t>(id), next_generation - static_cast<std::uint32_t>(age)};
        }
        if constexpr (Stream::reading) handles[place] = handle;
    }
    if constexpr (Stream::reading)
        if (stream.ok() && !told.set_handles(handles, next_generation)) stream.fail();
}

template <class Stream>
void code_pool(Stream& stream, PoolModel& model, const RawPool& predicted, RawPool& told) {
    const StructInfo& info = told.element_info();
    code_handles(stream, model, predicted, told);
    for (std::uint32_t place = 0; place < told.size() && stream.ok(); ++place) {
        const std::byte* guess = predicted.find(told.handle_at(place));
        code_struct(stream, info, guess ? model.known : model.fresh, guess ? guess : zeros_of(info),
                    told.element(place));
    }
}

template <class Stream>
void code_state(Stream& stream, const Layout& layout, StateModel& model, const std::byte* predicted,
                std::byte* told) {
    code_struct(stream, *layout.head, model.head, predicted, told);
    for (std::size_t i = 0; i < layout.pools.size() && stream.ok(); ++i) {
        RawPool pool(layout, i, told);
        code_pool(stream, model.pools[i], RawPool::looking_at(layout, i, predicted), pool);
    }
}

}  // namespace

const std::byte* zeros_of([[maybe_unused]] const StructInfo& info) {
    static constexpr std::byte zeros[8192]{};
    assert(info.size <= sizeof zeros);
    return zeros;
}

StateModel::StateModel(const Layout& layout) {
    head = StructModel(*layout.head);
    for (const state::PoolLayout& pool : layout.pools) {
        PoolModel& model = pools.emplace_back();
        model.known = StructModel(*pool.element);
        model.fresh = StructModel(*pool.element);
    }
}

void quantise_struct_against(const StructInfo& info, const std::byte* predicted, std::byte* told) {
    for (const Field& field : info.fields) {
        if (field.kind == FieldKind::reserved) std::memset(told + field.offset, 0, field.size);
        if (!is_quantised(field)) continue;
        const double actual = real_at(field, told);
        if (!is_in_range(field.rules, actual)) continue;
        const std::int64_t step = nearest_step(field.rules, actual);
        if (predicted && is_in_range(field.rules, real_at(field, predicted))) {
            const std::int64_t guess = nearest_step(field.rules, real_at(field, predicted));
            const bool close = guess - step <= tolerated_steps && step - guess <= tolerated_steps;
            state::set_real(field, value_at_step(field.rules, close ? guess : step), told);
        } else {
            state::set_real(field, value_at_step(field.rules, step), told);
        }
    }
}

void quantise_struct(const StructInfo& info, std::byte* bytes) {
    for (const Field& field : info.fields) {
        if (!is_quantised(field)) continue;
        const double value = real_at(field, bytes);
        if (is_in_range(field.rules, value))
            state::set_real(field, value_at_step(field.rules, nearest_step(field.rules, value)), bytes);
    }
}

void encode_struct(Writer& writer, const StructInfo& info, StructModel& model, const std::byte* predicted,
                   const std::byte* told) {
    code_struct(writer, info, model, predicted, const_cast<std::byte*>(told));
}

bool decode_struct(Reader& reader, const StructInfo& info, StructModel& model, const std::byte* predicted,
                   std::byte* told) {
    code_struct(reader, info, model, predicted, told);
    return reader.ok();
}

void quantise(const Layout& layout, std::byte* block) {
    quantise_struct(*layout.head, block);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        RawPool pool(layout, i, block);
        for (std::uint32_t place = 0; place < pool.size(); ++place)
            quantise_struct(pool.element_info(), pool.element(place));
    }
}

void quantise_against(const Layout& layout, const std::byte* predicted, const std::byte* actual,
                      std::byte* told) {
    state::copy(layout, actual, told);
    quantise_struct_against(*layout.head, predicted, told);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        RawPool pool(layout, i, told);
        const RawPool guesses = RawPool::looking_at(layout, i, predicted);
        const bool only_begins_and_ends = pool.layout().kind.replication == state::Replication::events;
        for (std::uint32_t place = 0; place < pool.size(); ++place) {
            const std::byte* guess = guesses.find(pool.handle_at(place));
            if (only_begins_and_ends && guess)
                std::memcpy(pool.element(place), guess, pool.element_info().size);
            else
                quantise_struct_against(pool.element_info(), guess, pool.element(place));
        }
    }
}

void encode_state(Writer& writer, const Layout& layout, StateModel& model, const std::byte* predicted,
                  const std::byte* told) {
    code_state(writer, layout, model, predicted, const_cast<std::byte*>(told));
}

bool decode_state(Reader& reader, const Layout& layout, StateModel& model, const std::byte* predicted,
                  std::byte* told) {
    code_state(reader, layout, model, predicted, told);
    return reader.ok();
}

}  // namespace instep::codec
