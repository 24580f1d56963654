// SPDX-License-Identifier: MIT
// The player's end of a room: decodes snapshots, predicts the own player, sends inputs, and makes the state
// that is drawn. It uses no sockets and reads no clock: all times are those of any one clock of the caller's,
// in seconds. A frame:
//
//     for each message:  client.receive(message, when it arrived);
//     while (client.wants_tick(now))  client.tick(input from keys);
//     client.draw(now, block);
//     if (client.write_message(now, bytes))  send(bytes);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <instep/net/clock_sync.h>
#include <instep/net/desync_reporter.h>
#include <instep/net/input_sender.h>
#include <instep/net/prediction.h>
#include <instep/net/presentation.h>

namespace instep::net {

struct ClientStats : PredictionStats {
    std::uint64_t snapshots = 0;
    std::uint64_t messages_malformed = 0;
    std::uint32_t desyncs = 0;
};

class Client {
public:
    Client(match::SharedSetup setup, LinkKind link, const Config& config = {});

    void write_hello(std::string_view name, codec::Bytes& out) const;

    // The player has a new link, perhaps to another process that the room has moved to: send a hello over it.
    // The server answers with a welcome and a keyframe. Until then prediction and drawing go on; inputs that
    // were not acknowledged are sent again.
    void relink();

    // Takes any bytes from the server. `arrival` is when they came, which may be before this frame.
    void receive(codec::ByteView message, double arrival);
    // Why the server refused this client, or the client the server or its own config; empty if none was
    // refused.
    const std::string& refusal() const { return refusal_; }

    // From the welcome: with it the player can be resumed over another connection. Empty: it cannot.
    std::string_view ticket() const { return ticket_.view(); }

    // The server where the room goes on: connect there with the ticket, and then call relink(). Empty: here.
    const std::optional<Moved>& moved() const { return moved_; }

    // Why the room stands still, as the server said; empty: it plays. A snapshot clears it. Show it as text.
    std::string_view notice() const { return notice_.text.view(); }

    // Chat. False: the text is empty, or too much is waiting to be sent.
    bool say(const Say& what);
    // The oldest that was not taken yet.
    bool next_said(Said& said);

    bool joined() const { return decoder_ && decoder_->has_snapshot() && clock().known(); }
    // watcher_slot for a watcher, and until the welcome.
    contract::Slot slot() const { return slot_; }
    // A watcher has no player: it wants no ticks, and its prediction is the last snapshot.
    bool watches() const { return slot_ == watcher_slot; }
    bool wants_tick(double now);
    // `input` is a row of any bytes; its canonical form is predicted with and sent.
    void tick(const std::byte* input);
    bool write_message(double now, codec::Bytes& out);

    // The own player when the server steps this tick, and the other players as far as they are known.
    const std::byte* predicted() const { return prediction_.predictor().state(); }
    std::uint64_t predicted_tick() const { return prediction_.predictor().tick(); }
    // The newest replicated state, with the own player exact: predictions begin with it.
    const std::byte* base() const { return prediction_.base(); }
    std::uint64_t base_tick() const { return prediction_.predictor().base_tick(); }
    // Each event once, for sounds and sparks. Show those of others when the drawn past reaches their tick.
    bool next_event(present::EventNotice& notice) { return presentation_.events().next(notice); }
    // The state to draw and the times of its parts: others a little in the past, the own player in the
    // present.
    std::optional<contract::DrawTimes> draw(double now, std::byte* block);

    const Clock& clock() const { return clock_.clock(); }
    const SnapshotDecoder* decoder() const { return decoder_ ? &*decoder_ : nullptr; }
    const present::InterpolationDelay& interpolation_delay() const { return presentation_.delay(); }
    ClientStats stats() const;
    const std::deque<Desync>& desyncs() const { return reporter_.desyncs(); }

private:
    // A failure to decode is reported until a later snapshot is decoded, and at least once.
    struct DecodeStatus {
        bool failing = false;
        bool unreported = false;

        void fail() { failing = unreported = true; }
        void succeed() { failing = false; }
        bool report() { return std::exchange(unreported, false) || failing; }
    };

    struct Checked {};  // the config
    Client(Checked, match::SharedSetup setup, LinkKind link, const Config& config);

    void receive_snapshot(SnapshotParts& parts, double arrival);
    bool accept_welcome(const Welcome& welcome);
    void begin_base(SnapshotParts& parts);

    match::SharedSetup setup_;
    ClockSync clock_;
    InputSender inputs_;
    Prediction prediction_;
    Presentation presentation_;
    DesyncReporter reporter_;
    std::optional<SnapshotDecoder> decoder_;  // since the welcome
    DecodeStatus decoding_;
    contract::Slot slot_ = watcher_slot;
    TicketText ticket_;
    bool awaits_welcome_ = true;  // of the present link
    double now_ = 0;              // of the last wants_tick()
    bool has_stepped_ = false;    // room time, since then
    codec::Bytes row_;
    std::string refusal_;
    std::optional<Moved> moved_;
    Notice notice_;
    std::deque<Say> to_say_;
    std::deque<Said> said_;
    std::uint64_t snapshots_ = 0;
    std::uint64_t messages_malformed_ = 0;
};

}  // namespace instep::net
