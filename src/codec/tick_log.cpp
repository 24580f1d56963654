// SPDX-License-Identifier: MIT
#include <instep/codec/tick_log.h>

#include <bit>
#include <cstring>

#include <instep/codec/input_codec.h>

namespace instep::codec {
namespace {

using contract::Join;
using contract::Slot;
using contract::SlotSet;

constexpr unsigned slot_bits = std::bit_width(contract::most_slots - 1);

template <class Stream>
void code_slot(Stream& stream, Slot& slot) {
    std::uint64_t wide = slot;
    stream.raw(wide, slot_bits);
    slot = static_cast<Slot>(wide);
}

template <class Stream, class Item, class CodeItem>
void code_list(Stream& stream, std::vector<Item>& items, CodeItem code_item) {
    std::uint64_t count = items.size();
    stream.raw(count, slot_bits + 1);
    if (count > contract::most_slots) return stream.fail();
    items.resize(static_cast<std::size_t>(count));
    for (Item& item : items)
        if (stream.ok()) code_item(item);
}

template <class Stream>
void code_join(Stream& stream, Join& join) {
    code_slot(stream, join.slot);
    stream.raw(join.seed, 64);
    std::uint64_t player = join.player;
    stream.raw(player, 32);
    join.player = static_cast<std::uint32_t>(player);
    std::uint64_t length = join.name.view().size();
    stream.raw(length, 5);
    if (length > join.name.bytes.size()) return stream.fail();
    for (std::size_t i = 0; i < length; ++i) {
        std::uint64_t letter = static_cast<std::uint8_t>(join.name.bytes[i]);
        stream.raw(letter, 8);
        join.name.bytes[i] = static_cast<char>(letter);
    }
    if (!state::fields_are_legal(state::describe<Join>(), reinterpret_cast<const std::byte*>(&join)))
        stream.fail();
}

// Whether a match accepts these; `live` becomes the slots after them.
bool apply_membership(const match::Setup& setup, const TickRecord& record, SlotSet& live) {
    int last = -1;
    for (const Slot slot : record.leaves) {
        if (slot <= last || !contract::contains(live, slot)) return false;
        live &= ~contract::only(slot);
        last = slot;
    }
    last = -1;
    for (const Join& join : record.joins) {
        if (join.slot <= last || join.slot >= setup.facts.most_players || contract::contains(live, join.slot))
            return false;
        live |= contract::only(join.slot);
        last = join.slot;
    }
    return true;
}

// `before` has the input rows of the tick before; in the decoder it is `record` itself.
template <class Stream>
void code_tick(Stream& stream, const match::Setup& setup, TickModel& model, const TickRecord& before,
               TickRecord& record) {
    bool has_changes = !record.leaves.empty() || !record.joins.empty();
    stream.bit(has_changes, model.membership);
    if (has_changes) {
        code_list(stream, record.leaves, [&](Slot& slot) { code_slot(stream, slot); });
        code_list(stream, record.joins, [&](Join& join) { code_join(stream, join); });
    }
    if constexpr (Stream::reading)
        if (!stream.ok() || !apply_membership(setup, record, record.live)) return stream.fail();
    SlotSet newcomers = 0;  // have no input before this tick
    for (const Join& join : record.joins) newcomers |= contract::only(join.slot);
    const std::size_t size = setup.world->input->size;
    std::vector<std::byte> was(Stream::reading ? size : 0);  // the decoder overwrites its row
    for (std::uint32_t slot = 0; slot < setup.facts.most_players && stream.ok(); ++slot) {
        if (!contract::contains(record.live, static_cast<Slot>(slot))) continue;
        std::byte* now = record.row(static_cast<Slot>(slot), size).data();
        const bool is_new = contract::contains(newcomers, static_cast<Slot>(slot));
        const std::byte* predicted =
            is_new ? zeros_of(*setup.world->input) : before.row(static_cast<Slot>(slot), size).data();
        if constexpr (Stream::reading) {
            std::memcpy(was.data(), predicted, size);
            decode_struct(stream, *setup.world->input, model.input, was.data(), now);
            if (!is_canonical(setup, now)) stream.fail();
        } else {
            encode_struct(stream, *setup.world->input, model.input, predicted, now);
        }
    }
}

}  // namespace

TickRecord make_tick_record(const match::Setup& setup) {
    TickRecord record;
    record.inputs.resize(std::size_t{setup.facts.most_players} * setup.world->input->size);
    return record;
}

void fill_tick(const TickRecord& record, match::TickBuilder& tick) {
    tick.begin();
    for (const Slot slot : record.leaves) tick.leave(slot);
    for (const Join& join : record.joins) tick.join(join);
    std::memcpy(tick.input(0), record.inputs.data(), record.inputs.size());
}

void encode_tick(Writer& writer, const match::Setup& setup, TickModel& model, const TickRecord& before,
                 const TickRecord& record) {
    code_tick(writer, setup, model, before, const_cast<TickRecord&>(record));
}

bool decode_tick(Reader& reader, const match::Setup& setup, TickModel& model, TickRecord& record) {
    record.leaves.clear();
    record.joins.clear();
    code_tick(reader, setup, model, record, record);
    return reader.ok();
}

}  // namespace instep::codec
