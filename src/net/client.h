// SPDX-License-Identifier: MIT
// The player's end of a room: hears snapshots, predicts its own player, says what it wants, and makes the
// state that is drawn. Knows no sockets and reads no clock: `now` is any clock of the caller's, in seconds. A
// frame:
//
//     for each message that came:  client.receive(message, now);
//     while (client.wants_tick(now))  client.tick(input from keys);
//     if (client.write_message(now, bytes))  send(bytes);
//     client.draw(now, block);
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <instep/contract/draw_times.h>
#include <instep/net/clock.h>
#include <instep/net/desync.h>
#include <instep/net/messages.h>
#include <instep/net/predictor.h>
#include <instep/net/snapshot_decoder.h>
#include <instep/present/interpolation.h>

namespace instep::net {

struct ClientStats {
    std::uint64_t snapshots = 0;
    std::uint64_t messages_malformed = 0;
    std::uint64_t ticks = 0;
    std::uint64_t skipped_ticks = 0;     // left out after a pause
    std::uint64_t corrections = 0;       // replays that moved the own player by more than 0.05
    double largest_correction = 0;       // world units
    std::uint32_t deepest_rollback = 0;  // ticks
    std::uint32_t desyncs = 0;
};

class Client {
public:
    static constexpr double most_rollback = 1.0;      // s that are ever predicted ahead or played again
    static constexpr double most_catching_up = 0.25;  // s; a longer pause is skipped, not played
    static constexpr double correction_worth_counting = 0.05;  // world units
    static constexpr double same_event = 0.1;  // s between a predicted event and the server's, at most
    static constexpr double smoothing = 0.1;  // s in which about 60 % of a correction fade from what is drawn

    Client(match::SharedSetup setup, LinkKind link);

    void write_hello(std::string_view name, codec::Bytes& out) const;

    // Any bytes from the server.
    void receive(codec::ByteView message, double now);
    // Why the server does not want us, or we not it; empty if all is well.
    const std::string& refusal() const { return refusal_; }

    bool joined() const { return decoder_ && decoder_->has_snapshot() && clock_.known(); }
    contract::Slot slot() const { return slot_; }
    // Has no player: wants no ticks, and what it predicts is what it was told last.
    bool watches() const { return slot_ == watcher_slot; }
    bool wants_tick(double now);
    // `input` is a row of any bytes; what is sent and predicted with is its rounded, legal form.
    void tick(const std::byte* input);
    bool write_message(double now, codec::Bytes& out);

    // The own player as it will be when the server gets to this tick, and everybody else as far as they are
    // known.
    const std::byte* predicted() const { return predictor_.state(); }
    std::uint64_t predicted_tick() const { return predictor_.tick(); }
    // The last told state, with the own player exact: what predictions begin with.
    const std::byte* base() const { return base_.data(); }
    std::uint64_t base_tick() const { return predictor_.base_tick(); }
    // Sounds and sparks: each event once. Show those of others when what is drawn gets to their tick.
    bool next_event(present::EventNotice& notice) { return events_.next(notice); }
    // What to draw: others a little ago, the own player now.
    std::optional<contract::DrawTimes> draw(double now, std::byte* block);

    const Clock& clock() const { return clock_; }
    const SnapshotDecoder* decoder() const { return decoder_ ? &*decoder_ : nullptr; }
    const present::InterpolationDelay& interpolation_delay() const { return delay_; }
    const ClientStats& stats() const { return stats_; }
    const std::deque<Desync>& desyncs() const { return desyncs_; }

private:
    struct Unacknowledged {
        std::uint32_t tick = 0;
        std::uint32_t sequence = 0;
        codec::Bytes input;
    };

    void take_snapshot(SnapshotParts& parts, double now);
    void note_desync();
    void take_verdict(const Verdict& verdict);
    void take_own_part(const OwnPlayerPart& part, double now);
    void begin_base(SnapshotParts& parts);
    void tell_events();
    void reconcile();
    void announce();

    match::SharedSetup setup_;
    LinkKind link_;
    double tick_seconds_;
    std::optional<SnapshotDecoder> decoder_;
    contract::Slot slot_ = 0;
    Clock clock_;
    Predictor predictor_;
    present::EventFeed events_;
    std::uint64_t events_told_ = 0;  // the last tick whose events were told
    state::Block base_;
    state::SnapshotRing announced_;  // by snapshot: what the hashes that were sent are of
    std::string refusal_;

    std::deque<Unacknowledged> unacknowledged_;
    std::uint32_t sequence_ = 0;
    std::uint32_t sent_sequence_ = 0;
    struct {
        std::uint32_t number = 0;  // of the snapshot that it is of
        std::uint32_t hash = 0;
    } own_hash_;                       // the newest that was not sent yet, if any
    std::array<double, 256> leads_{};  // when an input was made, by the low bits of its tick
    double now_ = 0;
    double last_message_ = -1;

    std::array<double, 256> probe_times_{};
    std::uint8_t probe_ = 0;
    std::uint32_t probes_sent_ = 0;
    double last_probe_ = -1;

    bool lost_ = false;           // the last snapshot that came was of no use
    bool must_say_lost_ = false;  // so was one since the last message, although a later one may not have been
    bool owes_report_ = false;
    ExactState differing_own_;  // the last one in which the own player's hash was another, if it is to report
    struct OpenReport {
        Report report;
        ExactState exact;           // that it is about, if there is one
        std::uint32_t copies_left;  // that are sent unless there is a verdict
        double next_copy;           // when
    };
    std::optional<OpenReport> report_;
    std::uint8_t report_serial_ = 0;
    double next_report_ = 0;  // not before that: the server judges one a second
    present::Timeline timeline_;
    present::InterpolationDelay delay_;
    double last_draw_ = 0;
    std::uint32_t last_due_ = 0;
    state::Block from_;
    state::Block to_;
    std::vector<double> error_;  // of each blended own field, between what is drawn and what is predicted
    ClientStats stats_;
    std::deque<Desync> desyncs_;
};

}  // namespace instep::net
