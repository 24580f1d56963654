// SPDX-License-Identifier: MIT
#include <instep/net/messages.h>

#include <algorithm>

#include <instep/codec/byte_model.h>
#include <instep/state/plain_name.h>

namespace instep::net {
namespace {

void put_kind(codec::Bytes& out, MessageKind kind) { out.push_back(static_cast<std::byte>(kind)); }

// What is read loses control characters and what is not UTF-8. Returns whether all of it was legal.
template <class Stream, std::size_t N>
bool code_text(Stream& stream, state::FixedText<N>& text) {
    std::uint8_t length = static_cast<std::uint8_t>(text.view().size());
    code_raw(stream, length, 8);
    if (length > N) {
        stream.fail();
        return false;
    }
    for (std::size_t i = 0; i < length; ++i) code_raw(stream, text.bytes[i], 8);
    if constexpr (Stream::reading) text = state::FixedText<N>::of(text.view());
    return text.view().size() == length;
}

template <class Stream>
void code(Stream& stream, Hello& hello) {
    code_raw(stream, hello.version, 8);
    code_raw(stream, hello.fingerprint, 64);
    code_text(stream, hello.name);
}

template <class Stream>
void code(Stream& stream, Welcome& welcome) {
    code_raw(stream, welcome.version, 8);
    code_raw(stream, welcome.fingerprint, 64);
    code_raw(stream, welcome.slot, 8);
    code_raw(stream, welcome.mode, 1);
    if (welcome.slot > watcher_slot) return stream.fail();
    code_text(stream, welcome.ticket);
}

template <class Stream>
void code(Stream& stream, OwnPlayerPart& part) {
    code_raw(stream, part.acknowledged, 8);
    code_raw(stream, part.own, 2);
    if (part.own > OwnState::exact) return stream.fail();
    code_optional(stream, part.hash, [&](std::uint32_t& hash) { code_raw(stream, hash, 32); });
    code_optional(stream, part.margin, [&](InputMargin& margin) {
        code_raw(stream, margin.tick, 8);
        auto bits = static_cast<std::uint16_t>(margin.margin);
        code_raw(stream, bits, 16);
        margin.margin = static_cast<std::int16_t>(bits);
    });
    code_optional(stream, part.pong, [&](Pong& pong) {
        code_raw(stream, pong.probe, 8);
        code_raw(stream, pong.microseconds, 48);
        code_raw(stream, pong.held, 24);
    });
}

template <class Stream>
void code(Stream& stream, InputMessage& message, const state::StructInfo& input, codec::StructModel& model) {
    code_raw(stream, message.acknowledged, 32);
    code_raw(stream, message.decode_failed, 1);
    code_raw(stream, message.count, 6);
    if (message.count > max_repeated_inputs) return stream.fail();
    code_optional(stream, message.predicted_hash, [&](std::uint32_t& hash) { code_raw(stream, hash, 32); });
    code_optional(stream, message.probe, [&](std::uint8_t& probe) { code_raw(stream, probe, 8); });
    if (message.count == 0) return;
    code_raw(stream, message.first_tick, 32);
    code_raw(stream, message.first_sequence, 32);
    if constexpr (Stream::reading) message.inputs.resize(message.count * input.size);
    const std::byte* before = codec::zeros_of(input);
    for (std::uint32_t i = 0; i < message.count && stream.ok(); ++i) {
        std::byte* row = message.inputs.data() + i * input.size;
        if constexpr (Stream::reading)
            decode_struct(stream, input, model, before, row);
        else
            encode_struct(stream, input, model, before, row);
        before = row;
    }
}

template <class Stream>
void code(Stream& stream, ReportedState& state, std::size_t field_count) {
    code_raw(stream, state.number, 32);
    state.fields.resize(field_count);
    for (std::uint16_t& hash : state.fields)
        if (stream.ok()) code_raw(stream, hash, 16);
}

template <class Stream>
void code(Stream& stream, Report& report, std::size_t field_count) {
    code_raw(stream, report.serial, 8);
    auto count = static_cast<std::uint8_t>(report.states.size());
    code_raw(stream, count, 8);
    if (count > snapshots_kept + 1) return stream.fail();
    report.states.resize(count);
    for (ReportedState& state : report.states) code(stream, state, field_count);
    code_optional(stream, report.exact, [&](ReportedState& state) { code(stream, state, field_count); });
}

template <class Stream>
void code(Stream& stream, Say& say) {
    code_raw(stream, say.emote, 3);
    if (say.emote > Emote::sad) return stream.fail();
    if (!code_text(stream, say.text) || (say.emote == Emote::none) == say.text.view().empty()) stream.fail();
}

template <class Stream>
void code(Stream& stream, Said& said) {
    code_raw(stream, said.slot, 8);
    if (said.slot >= contract::most_slots) return stream.fail();
    code(stream, said.what);
}

template <class Stream>
void code(Stream& stream, Notice& notice) {
    if (!code_text(stream, notice.text) || notice.text.view().empty()) stream.fail();
}

template <class Stream>
void code(Stream& stream, Verdict& verdict) {
    code_raw(stream, verdict.serial, 8);
    code_raw(stream, verdict.found, 1);
    code_raw(stream, verdict.is_own, 1);
    code_raw(stream, verdict.number, 32);
    code_raw(stream, verdict.field, 16);
}

template <class Stream>
void code(Stream& stream, Moved& moved) {
    const bool is_legal = code_text(stream, moved.address) && code_text(stream, moved.room);
    const std::string_view room = moved.room.view();
    if (!is_legal || !is_server_address(moved.address.view()) || room.empty() || !state::is_plain_name(room))
        stream.fail();
}

template <class Message, class... More>
void write_message(MessageKind kind, const Message& message, codec::Bytes& out, More&... more) {
    put_kind(out, kind);
    codec::Writer writer(out);
    Message copy = message;
    code(writer, copy, more...);
    writer.finish();
}

template <class Message, class... More>
bool read_into(Message& result, MessageKind kind, codec::ByteView message, More&... more) {
    if (kind_of(message) != kind) return false;
    codec::Reader reader(message.subspan(1));
    code(reader, result, more...);
    reader.finish();
    return reader.ok();
}

template <class Message, class... More>
std::optional<Message> read_message(MessageKind kind, codec::ByteView message, More&... more) {
    Message result;
    if (!read_into(result, kind, message, more...)) return {};
    return result;
}

}  // namespace

std::optional<MessageKind> kind_of(codec::ByteView message) {
    if (message.empty() || message.size() > max_message_size ||
        message[0] > static_cast<std::byte>(MessageKind::notice))
        return {};
    return static_cast<MessageKind>(message[0]);
}

void write(const Hello& hello, codec::Bytes& out) { write_message(MessageKind::hello, hello, out); }
std::optional<Hello> read_hello(codec::ByteView message) {
    return read_message<Hello>(MessageKind::hello, message);
}

std::string refusal_of(const Hello& hello, const match::Setup& setup) {
    if (hello.version != wire_version)
        return "this page speaks version " + std::to_string(hello.version) + " and the server version " +
               std::to_string(wire_version) + "; reload the page";
    if (hello.fingerprint != setup.fingerprint)
        return "this page was built from another version of the world or of its level; reload the page";
    return {};
}

void write(const InputMessage& message, const state::StructInfo& input, codec::Bytes& out) {
    codec::StructModel model(input);
    write_message(MessageKind::inputs, message, out, input, model);
}
std::optional<InputMessage> read_inputs(codec::ByteView message, const state::StructInfo& input) {
    InputReader reader(input);
    const InputMessage* read = reader.read(message);
    return read ? std::optional(*read) : std::nullopt;
}

InputReader::InputReader(const state::StructInfo& input) : input_(input), fresh_(input), model_(fresh_) {
    message_.inputs.reserve(max_repeated_inputs * input.size);
}

InputMessage* InputReader::read(codec::ByteView message) {
    message_ = {.inputs = std::move(message_.inputs)};
    model_ = fresh_;
    return read_into(message_, MessageKind::inputs, message, input_, model_) ? &message_ : nullptr;
}

// | kind | length of the own-player part | own-player part, after the welcome if it is one | world delta |
// The length has one byte; 255 means that three more follow.
std::size_t SnapshotWriter::begin(const Welcome* welcome) {
    put_kind(out, welcome ? MessageKind::welcome : MessageKind::snapshot);
    out.push_back(std::byte{0});
    return out.size();
}

void SnapshotWriter::write_own(codec::Writer& writer, const Welcome* welcome, OwnPlayerPart& part) {
    if (welcome) {
        Welcome copy = *welcome;
        code(writer, copy);
    }
    code(writer, part);
}

void SnapshotWriter::end(std::size_t own_at, codec::ByteView world_delta) {
    const std::size_t length = out.size() - own_at;
    out[own_at - 1] = static_cast<std::byte>(std::min<std::size_t>(length, 255));
    if (length >= 255) {
        const std::byte more[]{static_cast<std::byte>(length & 255),
                               static_cast<std::byte>(length >> 8 & 255),
                               static_cast<std::byte>(length >> 16)};
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(own_at), std::begin(more), std::end(more));
    }
    out.insert(out.end(), world_delta.begin(), world_delta.end());
}

std::optional<SnapshotParts> read_snapshot(codec::ByteView message) {
    const auto kind = kind_of(message);
    if (kind != MessageKind::welcome && kind != MessageKind::snapshot) return {};
    codec::ByteView rest = message.subspan(1);
    if (rest.empty()) return {};
    std::size_t length = static_cast<std::size_t>(rest[0]);
    rest = rest.subspan(1);
    if (length == 255) {
        if (rest.size() < 3) return {};
        length = static_cast<std::size_t>(rest[0]) | static_cast<std::size_t>(rest[1]) << 8 |
                 static_cast<std::size_t>(rest[2]) << 16;
        rest = rest.subspan(3);
    }
    if (length > rest.size()) return {};
    SnapshotParts parts{{}, {}, codec::Reader(rest.first(length)), rest.subspan(length)};
    if (kind == MessageKind::welcome) {
        parts.welcome.emplace();
        code(parts.own, *parts.welcome);
    }
    code(parts.own, parts.part);
    if (!parts.own.ok()) return {};
    return parts;
}

void write_refusal(const std::string& text, codec::Bytes& out) {
    put_kind(out, MessageKind::refusal);
    for (std::size_t i = 0; i < text.size() && i < max_text; ++i)
        out.push_back(static_cast<std::byte>(text[i]));
}

std::optional<std::string> read_refusal(codec::ByteView message) {
    if (kind_of(message) != MessageKind::refusal || message.size() > max_text + 1) return {};
    std::string text;
    for (const std::byte letter : message.subspan(1)) text += static_cast<char>(letter);
    return text;
}

void write(const Report& report, codec::Bytes& out) {
    std::size_t fields = report.exact ? report.exact->fields.size() : 0;
    if (!report.states.empty()) fields = report.states.front().fields.size();
    write_message(MessageKind::report, report, out, fields);
}
std::optional<Report> read_report(codec::ByteView message, std::size_t field_count) {
    return read_message<Report>(MessageKind::report, message, field_count);
}

std::uint8_t serial_of_report(codec::ByteView message) {
    codec::Reader reader(message.subspan(1));
    std::uint8_t serial = 0;
    code_raw(reader, serial, 8);
    return serial;
}

void write(const Verdict& verdict, codec::Bytes& out) { write_message(MessageKind::verdict, verdict, out); }
std::optional<Verdict> read_verdict(codec::ByteView message) {
    return read_message<Verdict>(MessageKind::verdict, message);
}

void write(const Moved& moved, codec::Bytes& out) { write_message(MessageKind::moved, moved, out); }
std::optional<Moved> read_moved(codec::ByteView message) {
    return read_message<Moved>(MessageKind::moved, message);
}

void write(const Say& say, codec::Bytes& out) { write_message(MessageKind::say, say, out); }
std::optional<Say> read_say(codec::ByteView message) { return read_message<Say>(MessageKind::say, message); }

void write(const Said& said, codec::Bytes& out) { write_message(MessageKind::said, said, out); }
std::optional<Said> read_said(codec::ByteView message) {
    return read_message<Said>(MessageKind::said, message);
}

void write(const Notice& notice, codec::Bytes& out) { write_message(MessageKind::notice, notice, out); }
std::optional<Notice> read_notice(codec::ByteView message) {
    return read_message<Notice>(MessageKind::notice, message);
}

}  // namespace instep::net
