// SPDX-License-Identifier: MIT
// What goes over the wire, but for room parts (told_chain.h). A message is one byte that says its kind, and
// the rest through the range coder. Every reader takes any bytes, and answers with a whole message or with
// none.
//
//     client to server:  hello      who I am and what I was built from
//                        inputs     the newest, with those not yet acknowledged; what I heard; what I predict
//                        report     what I hold, after a hash differed
//     server to client:  welcome    your slot; the first snapshot follows in the same message
//                        snapshot   own part, then room part
//                        refusal    a sentence
//                        verdict    the first snapshot and field in which a report differs
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/contract/tick.h>
#include <instep/net/snapshot_history.h>

namespace instep::net {

inline constexpr std::uint8_t wire_version = 3;
inline constexpr std::size_t most_message_size = 1 << 20;  // longer ones are not looked at
inline constexpr std::uint32_t most_repeated_inputs = 32;  // in one message
inline constexpr std::size_t most_text = 300;              // bytes of a refusal

enum class MessageKind : std::uint8_t { hello, inputs, report, welcome, snapshot, refusal, verdict };

// Nothing for an empty message or a kind that does not exist.
std::optional<MessageKind> kind_of(codec::ByteView message);

struct Hello {
    std::uint8_t version = wire_version;
    std::uint64_t fingerprint = 0;  // match::Setup's
    contract::PlayerName name;
};
void write(const Hello& hello, codec::Bytes& out);
std::optional<Hello> read_hello(codec::ByteView message);
// Why these two must not play together; empty if they may.
std::string refusal_of(const Hello& hello, const match::Setup& setup);

// Ticks and sequences count from 1 and stand on the wire with 32 bits; a room ends long before they wrap.
struct InputMessage {
    std::uint32_t acknowledged = 0;    // the newest snapshot told to me
    bool decode_failed = false;        // I could not read the last: go on from what I heard, or begin anew
    std::uint32_t first_tick = 0;      // the tick that the first input is for; the others follow one by one
    std::uint32_t first_sequence = 0;  // likewise
    std::uint32_t count = 0;           // at most most_repeated_inputs
    codec::Bytes inputs;               // `count` rows
    std::optional<std::uint32_t>
        predicted_hash;                 // of the last snapshot that is not after the last input's tick
    std::optional<std::uint8_t> probe;  // please tell me the time
};
void write(const InputMessage& message, const state::StructInfo& input, codec::Bytes& out);
std::optional<InputMessage> read_inputs(codec::ByteView message, const state::StructInfo& input);

// For whoever reads many: what one needs is kept for the next.
class InputReader {
public:
    explicit InputReader(const state::StructInfo& input);
    // Null if it is none. Good until the next is read.
    InputMessage* read(codec::ByteView message);

private:
    const state::StructInfo& input_;
    InputMessage message_;
    codec::StructModel fresh_;
    codec::StructModel model_;
};

// The slot of whoever watches and does not play: nobody's.
inline constexpr contract::Slot watcher_slot = contract::most_slots;

struct Welcome {
    std::uint8_t version = wire_version;
    std::uint64_t fingerprint = 0;
    contract::Slot slot = 0;
    ReplicationMode room = ReplicationMode::snapshots;
};

enum class OwnState : std::uint8_t {
    as_replicated,  // nothing more exact is known, or needed
    as_predicted,   // the hash that you sent was right
    exact,          // it was not: the difference to the told state follows
};

// How early an input came, so that the client can run as far ahead as it must and no further.
struct InputMargin {
    std::uint8_t tick = 0;    // the low bits of the one it was for
    std::int16_t margin = 0;  // eighths of a tick before it was due; negative: too late
};

struct Pong {
    std::uint8_t probe = 0;
    std::uint64_t microseconds = 0;  // of the room's time when the probe came, 48 bits
    std::uint32_t held = 0;          // microseconds from then until the answer left, 24 bits
};

struct OwnPlayerPart {
    std::uint8_t acknowledged = 0;  // the low bits of the newest sequence that came
    OwnState own = OwnState::as_replicated;
    std::optional<std::uint32_t> hash;  // of the own entities, about once a second
    std::optional<InputMargin> margin;
    std::optional<Pong> pong;
};

// A snapshot, or a welcome if there is a Welcome. `exact` follows the own part in the same stream.
struct SnapshotWriter {
    explicit SnapshotWriter(codec::Bytes& message) : out(message) {}
    // Calls `write_exact(Writer&)` where the exact own state belongs.
    template <class WriteExact>
    void write(const Welcome* welcome, OwnPlayerPart part, codec::ByteView world_delta,
               WriteExact write_exact) {
        const std::size_t own_at = begin(welcome);
        codec::Writer writer(out);
        write_own(writer, welcome, part);
        if (part.own == OwnState::exact) write_exact(writer);
        writer.finish();
        end(own_at, world_delta);
    }

    codec::Bytes& out;

private:
    std::size_t begin(const Welcome* welcome);
    static void write_own(codec::Writer& writer, const Welcome* welcome, OwnPlayerPart& part);
    void end(std::size_t own_at, codec::ByteView world_delta);
};

// The parts of a snapshot or welcome. `own` stays open: the exact own state is read from it once the room
// part has been heard.
struct SnapshotParts {
    std::optional<Welcome> welcome;
    OwnPlayerPart part;
    codec::Reader own;
    codec::ByteView world_delta;
};
std::optional<SnapshotParts> read_snapshot(codec::ByteView message);

void write_refusal(const std::string& text, codec::Bytes& out);
std::optional<std::string> read_refusal(codec::ByteView message);

// The short hashes of one state: of each field, in the order of state::hash_fields.
struct ReportedState {
    std::uint32_t number = 0;
    std::vector<std::uint16_t> fields;
};
struct Report {
    std::uint8_t serial = 0;             // its verdict has the same
    std::vector<ReportedState> states;   // as told, oldest first, at most snapshots_kept + 1
    std::optional<ReportedState> exact;  // with the own player to the bit, if that is what differed
};
void write(const Report& report, codec::Bytes& out);
std::optional<Report> read_report(codec::ByteView message, std::size_t field_count);
// Without reading the rest.
std::uint8_t serial_of_report(codec::ByteView message);

struct Verdict {
    std::uint8_t serial = 0;   // of the report
    bool found = false;        // false: nothing differs in what is still remembered
    bool is_own = false;       // nothing that was told differs, but the exact own player does
    std::uint32_t number = 0;  // of the first snapshot that differs
    std::uint16_t field = 0;   // the first one that differs in it
};
void write(const Verdict& verdict, codec::Bytes& out);
std::optional<Verdict> read_verdict(codec::ByteView message);

}  // namespace instep::net
