// SPDX-License-Identifier: MIT
// The messages of the protocol; docs/wire-format.md has them bit by bit, and snapshot_encoder.h writes world
// deltas. A message is one byte that says its kind, and the rest through the range coder. Every reader takes
// any bytes and returns a complete message or nothing.
//
//     client to server:  hello      the player's name, and the version and level of the client's build
//                        inputs     those not yet acknowledged; acknowledgement; predicted hash
//                        report     hashes of the client's states, after a hash differed
//                        say        a line of chat or an emote
//     server to client:  welcome    the client's slot and resume ticket; the first snapshot follows in the
//                                   same message
//                        snapshot   own-player part, then world delta
//                        refusal    a sentence
//                        verdict    the first snapshot and field in which a report differs
//                        moved      the server where the room goes on
//                        said       what a player said
//                        notice     why the room stands still
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/contract/tick.h>
#include <instep/net/server_address.h>
#include <instep/net/snapshot_history.h>

namespace instep::net {

inline constexpr std::uint8_t wire_version = 4;
inline constexpr std::size_t max_message_size = 1 << 20;  // longer ones are refused
inline constexpr std::uint32_t max_repeated_inputs = 32;  // in one message
inline constexpr std::size_t max_text = 300;              // bytes of a refusal
inline constexpr std::size_t max_ticket = 192;            // bytes of a resume ticket
inline constexpr std::size_t max_room_name = 32;          // bytes
inline constexpr std::size_t max_chat_text = 120;         // bytes of a line
inline constexpr std::size_t max_notice_text = 160;       // bytes of a sentence

enum class MessageKind : std::uint8_t {
    hello,
    inputs,
    report,
    welcome,
    snapshot,
    refusal,
    verdict,
    moved,
    say,
    said,
    notice,
};

// Empty for an empty message or an unknown kind.
std::optional<MessageKind> kind_of(codec::ByteView message);

struct Hello {
    std::uint8_t version = wire_version;
    std::uint64_t fingerprint = 0;  // match::Setup's
    contract::PlayerName name;
};
void write(const Hello& hello, codec::Bytes& out);
std::optional<Hello> read_hello(codec::ByteView message);
// Why this client cannot play here; empty if it can.
std::string refusal_of(const Hello& hello, const match::Setup& setup);

// Ticks and sequence numbers count from 1 and have 32 bits on the wire; a room ends long before they wrap.
struct InputMessage {
    std::uint32_t acknowledged = 0;  // the newest snapshot that was applied; 0: none
    bool decode_failed = false;      // of some snapshot since the last message: a delta from the acknowledged
                                     // one, or a keyframe, is needed
    std::uint32_t first_tick = 0;    // the tick that the first input is for; the others follow one by one
    std::uint32_t first_sequence = 0;  // likewise
    std::uint32_t count = 0;           // at most max_repeated_inputs
    codec::Bytes inputs;               // `count` rows
    std::optional<std::uint32_t>
        predicted_hash;                 // of the own player, at the last snapshot not after the last input
    std::optional<std::uint8_t> probe;  // asks for the room's time
};
void write(const InputMessage& message, const state::StructInfo& input, codec::Bytes& out);
std::optional<InputMessage> read_inputs(codec::ByteView message, const state::StructInfo& input);

// Reads many messages without allocating for each.
class InputReader {
public:
    explicit InputReader(const state::StructInfo& input);
    // Null if it is malformed. Valid until the next is read.
    InputMessage* read(codec::ByteView message);

private:
    const state::StructInfo& input_;
    InputMessage message_;
    codec::StructModel fresh_;
    codec::StructModel model_;
};

// The slot of a client that watches and has no player.
inline constexpr contract::Slot watcher_slot = contract::most_slots;

// What the client shows to get its player back over another connection. The server writes and reads it; to
// everything here it is a text.
using TicketText = state::FixedText<max_ticket>;

struct Welcome {
    std::uint8_t version = wire_version;
    std::uint64_t fingerprint = 0;
    contract::Slot slot = 0;
    ReplicationMode mode = ReplicationMode::snapshots;
    TicketText ticket;  // empty: this client cannot resume
};

enum class OwnState : std::uint8_t {
    as_replicated,  // the client needs nothing more exact
    as_predicted,   // the predicted hash was right
    exact,          // it was not: the difference to the replicated state follows
};

// How early an input came, so that the client leads the server by as much as it must and no more.
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
    std::uint8_t acknowledged = 0;  // the low bits of the newest sequence that was accepted
    OwnState own = OwnState::as_replicated;
    std::optional<std::uint32_t> hash;  // of the own entities, about once a second
    std::optional<InputMargin> margin;
    std::optional<Pong> pong;
};

// A snapshot, or a welcome if there is a Welcome. The exact own player follows the own-player part in the
// same stream.
struct SnapshotWriter {
    explicit SnapshotWriter(codec::Bytes& message) : out(message) {}
    // Calls `write_exact(Writer&)` where the exact own player belongs.
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

// The parts of a snapshot or welcome. `own` stays open: the exact own player is read from it after the world
// delta.
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
    std::vector<ReportedState> states;   // replicated ones, oldest first, at most snapshots_kept + 1
    std::optional<ReportedState> exact;  // with the own player to the bit, if that is what differed
};
void write(const Report& report, codec::Bytes& out);
std::optional<Report> read_report(codec::ByteView message, std::size_t field_count);
// Reads nothing else.
std::uint8_t serial_of_report(codec::ByteView message);

struct Verdict {
    std::uint8_t serial = 0;   // of the report
    bool found = false;        // false: nothing differs in what is still remembered
    bool is_own = false;       // the replicated state is equal, the exact own player differs
    std::uint32_t number = 0;  // of the first snapshot that differs
    std::uint16_t field = 0;   // the first one that differs in it
};
void write(const Verdict& verdict, codec::Bytes& out);
std::optional<Verdict> read_verdict(codec::ByteView message);

// The room goes on at another server: the client connects there with its ticket, or as a watcher by the
// room's name. It gets no other message over this connection.
struct Moved {
    state::FixedText<max_server_address> address;  // see is_server_address
    state::FixedText<max_room_name> room;          // a plain name

    static Moved to(std::string_view address, std::string_view room) {
        return {decltype(Moved::address)::of(address), decltype(Moved::room)::of(room)};
    }
    friend bool operator==(const Moved&, const Moved&) = default;
};
void write(const Moved& moved, codec::Bytes& out);
std::optional<Moved> read_moved(codec::ByteView message);

// Chat is no part of a match: it is neither predicted nor recorded.
enum class Emote : std::uint8_t { none, wave, laugh, cheer, wow, sad };
struct Say {
    Emote emote = Emote::none;
    state::FixedText<max_chat_text> text;  // empty if there is an emote, and only then

    friend bool operator==(const Say&, const Say&) = default;
};
void write(const Say& say, codec::Bytes& out);
std::optional<Say> read_say(codec::ByteView message);

struct Said {
    contract::Slot slot = 0;  // the player's
    Say what;

    friend bool operator==(const Said&, const Said&) = default;
};
void write(const Said& said, codec::Bytes& out);
std::optional<Said> read_said(codec::ByteView message);

// Why the room stands still, in a sentence. It is true until the next snapshot.
struct Notice {
    state::FixedText<max_notice_text> text;  // not empty

    friend bool operator==(const Notice&, const Notice&) = default;
};
void write(const Notice& notice, codec::Bytes& out);
std::optional<Notice> read_notice(codec::ByteView message);

}  // namespace instep::net
