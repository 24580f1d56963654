// SPDX-License-Identifier: MIT
#include <instep/codec/event_codec.h>

#include <algorithm>
#include <cstring>

#include <instep/codec/byte_model.h>

namespace instep::codec {
namespace {

void quantise_rows(const state::StructInfo& info, std::span<std::byte> rows) {
    for (std::size_t at = 0; at < rows.size(); at += info.size) quantise_struct(info, rows.data() + at);
}

bool are_legal(const state::StructInfo& info, std::span<const std::byte> rows) {
    for (std::size_t at = 0; at < rows.size(); at += info.size)
        if (!state::fields_are_legal(info, rows.data() + at)) return false;
    return true;
}

// Event by event against the one foreseen at its place, or against zeros.
template <class Stream, class Byte>
void code_rows(Stream& stream, const state::StructInfo& info, EventModel& model,
               std::span<const std::byte> foreseen, std::span<Byte> told) {
    for (std::size_t at = 0; at < told.size() && stream.ok(); at += info.size) {
        const std::byte* guess = at < foreseen.size() ? foreseen.data() + at : zeros_of(info);
        if constexpr (Stream::reading)
            decode_struct(stream, info, model.event, guess, told.data() + at);
        else
            encode_struct(stream, info, model.event, guess, told.data() + at);
    }
}

}  // namespace

void quantise_events_against(const state::StructInfo& info, std::span<std::byte> foreseen,
                             std::span<const std::byte> actual, std::vector<std::byte>& told) {
    quantise_rows(info, foreseen);
    told.assign(actual.begin(), actual.end());
    for (std::size_t at = 0; at < told.size(); at += info.size)
        quantise_struct_against(info, at < foreseen.size() ? foreseen.data() + at : nullptr,
                                told.data() + at);
}

void encode_events(Writer& writer, const state::StructInfo& info, EventModel& model,
                   std::span<const std::byte> foreseen, std::span<const std::byte> told) {
    bool same = std::ranges::equal(foreseen, told);
    writer.bit(same, model.as_foreseen);
    if (same) return;
    std::uint64_t count = told.size() / info.size;
    code_unsigned(writer, count, model.count);
    code_rows(writer, info, model, foreseen, told);
}

bool decode_events(Reader& reader, const state::StructInfo& info, EventModel& model, std::uint32_t most,
                   std::span<std::byte> foreseen, std::vector<std::byte>& told) {
    quantise_rows(info, foreseen);
    told.assign(foreseen.begin(), foreseen.end());
    bool same = false;
    reader.bit(same, model.as_foreseen);
    if (same) return reader.ok();
    std::uint64_t count = 0;
    code_unsigned(reader, count, model.count);
    if (!reader.ok() || count > most) return false;
    told.assign(static_cast<std::size_t>(count) * info.size, std::byte{0});
    code_rows(reader, info, model, foreseen, std::span(told));
    return reader.ok() && are_legal(info, told);
}

bool decode_exact_events(Reader& reader, const state::StructInfo& info, std::uint32_t most,
                         std::vector<std::byte>& told) {
    return decode_bytes(reader, told, std::size_t{most} * info.size) && told.size() % info.size == 0 &&
           are_legal(info, told);
}

}  // namespace instep::codec
