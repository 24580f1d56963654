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

// Each event against the one predicted at its index, or against zeros.
template <class Stream, class Byte>
void code_rows(Stream& stream, const state::StructInfo& info, EventModel& model,
               std::span<const std::byte> predicted, std::span<Byte> replicated) {
    for (std::size_t at = 0; at < replicated.size() && stream.ok(); at += info.size) {
        const std::byte* against = at < predicted.size() ? predicted.data() + at : zeros_of(info);
        if constexpr (Stream::reading)
            decode_struct(stream, info, model.event, against, replicated.data() + at);
        else
            encode_struct(stream, info, model.event, against, replicated.data() + at);
    }
}

}  // namespace

void quantise_events_against(const state::StructInfo& info, std::span<std::byte> predicted,
                             std::span<const std::byte> actual, std::vector<std::byte>& replicated) {
    quantise_rows(info, predicted);
    replicated.assign(actual.begin(), actual.end());
    for (std::size_t at = 0; at < replicated.size(); at += info.size)
        quantise_struct_against(info, at < predicted.size() ? predicted.data() + at : nullptr,
                                replicated.data() + at);
}

void encode_events(Writer& writer, const state::StructInfo& info, EventModel& model,
                   std::span<const std::byte> predicted, std::span<const std::byte> replicated) {
    bool same = std::ranges::equal(predicted, replicated);
    writer.bit(same, model.as_predicted);
    if (same) return;
    std::uint64_t count = replicated.size() / info.size;
    code_unsigned(writer, count, model.count);
    code_rows(writer, info, model, predicted, replicated);
}

bool decode_events(Reader& reader, const state::StructInfo& info, EventModel& model, std::uint32_t limit,
                   std::span<std::byte> predicted, std::vector<std::byte>& replicated) {
    quantise_rows(info, predicted);
    replicated.assign(predicted.begin(), predicted.end());
    bool same = false;
    reader.bit(same, model.as_predicted);
    if (same) return reader.ok();
    std::uint64_t count = 0;
    code_unsigned(reader, count, model.count);
    if (!reader.ok() || count > limit) return false;
    replicated.assign(static_cast<std::size_t>(count) * info.size, std::byte{0});
    code_rows(reader, info, model, predicted, std::span(replicated));
    return reader.ok() && are_legal(info, replicated);
}

bool decode_exact_events(Reader& reader, const state::StructInfo& info, std::uint32_t limit,
                         std::vector<std::byte>& replicated) {
    return decode_bytes(reader, replicated, std::size_t{limit} * info.size) &&
           replicated.size() % info.size == 0 && are_legal(info, replicated);
}

}  // namespace instep::codec
