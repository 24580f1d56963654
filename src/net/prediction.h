// SPDX-License-Identifier: MIT
// Predicts the own player, so that its inputs show before the server has seen them. Each snapshot is a new
// base: the prediction rolls back to it and replays the own inputs since then. What then stands elsewhere
// than before is drawn on its way there.
#pragma once

#include <cstdint>
#include <optional>

#include <instep/net/desync.h>
#include <instep/net/input_sender.h>
#include <instep/net/predictor.h>
#include <instep/net/snapshot_decoder.h>
#include <instep/present/correction_fade.h>

namespace instep::net {

struct PredictionStats {
    std::uint64_t ticks = 0;
    std::uint64_t skipped_ticks = 0;     // left out after a pause
    std::uint64_t corrections = 0;       // replays that moved the own player by more than 0.05
    double largest_correction = 0;       // world units
    std::uint32_t deepest_rollback = 0;  // ticks
};

class Prediction {
public:
    Prediction(const match::Setup& setup, const ClientConfig& config);

    // The newest replicated state with the own player as exact as it is known. `parts` is the rest of its
    // message.
    struct NewBase {
        bool malformed = false;  // the own player that was sent cannot be; the replicated one stands
        std::optional<ExactState> desync;  // the base, if the hash of its own player is not the server's
    };
    NewBase set_base(const SnapshotDecoder& decoder, SnapshotParts& parts, contract::Slot slot);
    // Replays from the newest base, if that was not done yet.
    void reconcile(contract::Slot slot, present::EventFeed& events);

    // Whether tick() should be called now that `due` is the client's tick. Skips what is too much to catch up
    // with.
    bool wants_tick(std::uint64_t due, contract::Slot slot, present::EventFeed& events);
    // Goes back to this tick if the prediction is ahead of it: room time stepped back, and the ticks after it
    // are predicted, hashed and sent again.
    void go_back_to(std::uint64_t tick, contract::Slot slot, present::EventFeed& events);
    // One tick more. Returns the own player's hash once for each snapshot to come.
    std::optional<PredictedHash> tick(const std::byte* input, contract::Slot slot,
                                      present::EventFeed& events);

    const std::byte* base() const { return base_.data(); }
    Predictor& predictor() { return predictor_; }
    const Predictor& predictor() const { return predictor_; }
    // What is left of earlier corrections after so many seconds more.
    const present::CorrectionFade& fade_corrections(double seconds);
    const PredictionStats& stats() const { return stats_; }

private:
    const match::Setup& setup_;
    ClientConfig config_;
    Predictor predictor_;
    state::Block base_;
    state::Block scratch_;        // one of hashed_, or the prediction before a replay
    state::SnapshotRing hashed_;  // by snapshot: the states whose hashes were sent
    std::optional<std::uint32_t>
        hashed_twice_through_;  // the last snapshot that was hashed before a step back
    present::CorrectionFade fade_;
    PredictionStats stats_;
};

}  // namespace instep::net
