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
               std::byte* replicated) {
    bool off_grid = !is_quantised(field);
    if (!off_grid) {
        if constexpr (!Stream::reading) off_grid = !is_in_range(field.rules, real_at(field, replicated));
        stream.bit(off_grid, model.off_grid);
    }
    if (off_grid) {
        std::uint64_t bits = bits_at(field, replicated);
        stream.raw(bits, field.size * 8);
        if constexpr (Stream::reading) put_bits(field, bits, replicated);
        return;
    }
    const double guess = real_at(field, predicted);
    const std::int64_t from = is_in_range(field.rules, guess) ? nearest_step(field.rules, guess) : 0;
    std::int64_t difference = 0;
    if constexpr (!Stream::reading) difference = nearest_step(field.rules, real_at(field, replicated)) - from;
    code_signed(stream, difference, model.number);
    if constexpr (Stream::reading) {
        const auto step = static_cast<std::int64_t>(static_cast<std::uint64_t>(from) +
                                                    static_cast<std::uint64_t>(difference));
        const double value = value_at_step(field.rules, step);
        if (!is_in_range(field.rules, value)) return stream.fail();
        state::set_real(field, value, replicated);
    }
}

template <class Stream>
void code_integer(Stream& stream, const Field& field, FieldModel& model, const std::byte* predicted,
                  std::byte* replicated) {
    const unsigned unused = 64 - field.size * 8;
    const auto widened = [&](std::uint64_t bits) {
        return is_signed(field.kind) ? static_cast<std::int64_t>(bits << unused) >> unused
                                     : static_cast<std::int64_t>(bits);
    };
    const auto from = static_cast<std::uint64_t>(widened(bits_at(field, predicted)));
    std::int64_t difference = 0;
    if constexpr (!Stream::reading)
        difference =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(widened(bits_at(field, replicated))) - from);
    code_signed(stream, difference, model.number);
    if constexpr (Stream::reading) put_bits(field, from + static_cast<std::uint64_t>(difference), replicated);
}

template <class Stream>
void code_text(Stream& stream, const Field& field, FieldModel& model, std::byte* replicated) {
    std::uint64_t length = 0;
    if constexpr (!Stream::reading)
        while (length < field.size && replicated[field.offset + length] != std::byte{0}) ++length;
    code_unsigned(stream, length, model.number);
    if (length > field.size) return stream.fail();
    if constexpr (Stream::reading) std::memset(replicated + field.offset, 0, field.size);
    for (std::uint64_t i = 0; i < length; ++i) {
        auto letter = static_cast<std::uint64_t>(replicated[field.offset + i]);
        stream.raw(letter, 8);
        if constexpr (Stream::reading) replicated[field.offset + i] = static_cast<std::byte>(letter);
    }
}

template <class Stream>
void code_field(Stream& stream, const Field& field, FieldModel& model, const std::byte* predicted,
                std::byte* replicated) {
    if (field.kind == FieldKind::reserved) return;
    bool changed = false;
    if constexpr (!Stream::reading)
        changed = std::memcmp(predicted + field.offset, replicated + field.offset, field.size) != 0;
    stream.bit(changed, model.changed);
    if (!changed) {
        if constexpr (Stream::reading)
            std::memcpy(replicated + field.offset, predicted + field.offset, field.size);
        return;
    }
    if (field.kind == FieldKind::text)
        code_text(stream, field, model, replicated);
    else if (state::is_real(field.kind))
        code_real(stream, field, model, predicted, replicated);
    else
        code_integer(stream, field, model, predicted, replicated);
}

template <class Stream>
void code_struct(Stream& stream, const StructInfo& info, StructModel& model, const std::byte* predicted,
                 std::byte* replicated) {
    bool changed = false;
    if constexpr (!Stream::reading) changed = std::memcmp(predicted, replicated, info.size) != 0;
    stream.bit(changed, model.changed);
    if (!changed) {
        if constexpr (Stream::reading) std::memcpy(replicated, predicted, info.size);
        return;
    }
    for (std::size_t i = 0; i < info.fields.size() && stream.ok(); ++i)
        code_field(stream, info.fields[i], model.fields[i], predicted, replicated);
}

bool same_handles(const RawPool& a, const RawPool& b) {
    if (a.size() != b.size() || a.next_generation() != b.next_generation()) return false;
    for (std::uint32_t index = 0; index < a.size(); ++index)
        if (!(a.handle_at(index) == b.handle_at(index))) return false;
    return true;
}

// Which elements there are, and in which order.
template <class Stream>
void code_handles(Stream& stream, PoolModel& model, const RawPool& predicted, RawPool& replicated) {
    bool regrouped = false;
    if constexpr (!Stream::reading) regrouped = !same_handles(predicted, replicated);
    stream.bit(regrouped, model.regrouped);

    std::uint64_t count = regrouped ? replicated.size() : predicted.size();
    std::int64_t made = std::int64_t{replicated.next_generation()} - predicted.next_generation();
    if (regrouped) {
        code_unsigned(stream, count, model.count);
        code_signed(stream, made, model.age);
        if (count > replicated.capacity()) return stream.fail();
    } else {
        made = 0;
    }
    const auto next_generation = static_cast<std::uint32_t>(predicted.next_generation() + made);
    std::vector<Handle> handles(Stream::reading ? static_cast<std::size_t>(count) : 0);
    for (std::uint32_t index = 0; index < count && stream.ok(); ++index) {
        const Handle guess = index < predicted.size() ? predicted.handle_at(index) : Handle{};
        bool moved = false;
        Handle handle = guess;
        if constexpr (!Stream::reading) {
            handle = replicated.handle_at(index);
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
        if constexpr (Stream::reading) handles[index] = handle;
    }
    if constexpr (Stream::reading)
        if (stream.ok() && !replicated.set_handles(handles, next_generation)) stream.fail();
}

template <class Stream>
void code_pool(Stream& stream, PoolModel& model, const RawPool& predicted, RawPool& replicated) {
    const StructInfo& info = replicated.element_info();
    code_handles(stream, model, predicted, replicated);
    for (std::uint32_t index = 0; index < replicated.size() && stream.ok(); ++index) {
        const std::byte* guess = predicted.find(replicated.handle_at(index));
        code_struct(stream, info, guess ? model.known : model.fresh, guess ? guess : zeros_of(info),
                    replicated.element(index));
    }
}

template <class Stream>
void code_state(Stream& stream, const Layout& layout, StateModel& model, const std::byte* predicted,
                std::byte* replicated) {
    code_struct(stream, *layout.head, model.head, predicted, replicated);
    for (std::size_t i = 0; i < layout.pools.size() && stream.ok(); ++i) {
        RawPool pool(layout, i, replicated);
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

void quantise_struct_against(const StructInfo& info, const std::byte* predicted, std::byte* replicated) {
    for (const Field& field : info.fields) {
        if (field.kind == FieldKind::reserved) std::memset(replicated + field.offset, 0, field.size);
        if (!is_quantised(field)) continue;
        const double actual = real_at(field, replicated);
        if (!is_in_range(field.rules, actual)) continue;
        const std::int64_t step = nearest_step(field.rules, actual);
        if (predicted && is_in_range(field.rules, real_at(field, predicted))) {
            const std::int64_t guess = nearest_step(field.rules, real_at(field, predicted));
            const bool close = guess - step <= tolerated_steps && step - guess <= tolerated_steps;
            state::set_real(field, value_at_step(field.rules, close ? guess : step), replicated);
        } else {
            state::set_real(field, value_at_step(field.rules, step), replicated);
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
                   const std::byte* replicated) {
    code_struct(writer, info, model, predicted, const_cast<std::byte*>(replicated));
}

bool decode_struct(Reader& reader, const StructInfo& info, StructModel& model, const std::byte* predicted,
                   std::byte* replicated) {
    code_struct(reader, info, model, predicted, replicated);
    return reader.ok();
}

void quantise(const Layout& layout, std::byte* block) {
    quantise_struct(*layout.head, block);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        RawPool pool(layout, i, block);
        for (std::uint32_t index = 0; index < pool.size(); ++index)
            quantise_struct(pool.element_info(), pool.element(index));
    }
}

void quantise_against(const Layout& layout, const std::byte* predicted, const std::byte* actual,
                      std::byte* replicated) {
    state::copy(layout, actual, replicated);
    quantise_struct_against(*layout.head, predicted, replicated);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        RawPool pool(layout, i, replicated);
        const RawPool predictions = RawPool::looking_at(layout, i, predicted);
        const bool is_never_corrected = pool.layout().kind.replication == state::Replication::events;
        for (std::uint32_t index = 0; index < pool.size(); ++index) {
            const std::byte* guess = predictions.find(pool.handle_at(index));
            if (is_never_corrected && guess)
                std::memcpy(pool.element(index), guess, pool.element_info().size);
            else
                quantise_struct_against(pool.element_info(), guess, pool.element(index));
        }
    }
}

void encode_state(Writer& writer, const Layout& layout, StateModel& model, const std::byte* predicted,
                  const std::byte* replicated) {
    code_state(writer, layout, model, predicted, const_cast<std::byte*>(replicated));
}

bool decode_state(Reader& reader, const Layout& layout, StateModel& model, const std::byte* predicted,
                  std::byte* replicated) {
    code_state(reader, layout, model, predicted, replicated);
    return reader.ok();
}

}  // namespace instep::codec
