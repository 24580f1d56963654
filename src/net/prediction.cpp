// SPDX-License-Identifier: MIT
#include <instep/net/prediction.h>

#include <algorithm>

#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

namespace instep::net {

Prediction::Prediction(const match::Setup& setup, const ClientConfig& config)
    : setup_(setup),
      config_(config),
      predictor_(setup, ticks_in(config.max_rollback, setup.facts)),
      base_(setup.layout),
      scratch_(setup.layout),
      hashed_(setup.layout, 2 * snapshots_kept),
      fade_(setup.layout, setup.facts.teleport_distance) {}

Prediction::NewBase Prediction::set_base(const SnapshotDecoder& decoder, SnapshotParts& parts,
                                         contract::Slot slot) {
    NewBase result;
    const state::Layout& layout = setup_.layout;
    state::copy(layout, decoder.replicated(), base_.data());
    if (parts.part.own == OwnState::exact) {
        decode_own(parts.own, layout, base_.data(), slot);
    } else if (parts.part.own == OwnState::as_predicted) {
        if (hashed_.restore_to(decoder.number(), scratch_.data()))
            copy_own(layout, scratch_.data(), base_.data(), slot);
    }
    if (parts.part.own != OwnState::as_replicated && (!parts.own.ok() || !is_legal(setup_, base_.data()))) {
        result.malformed = true;
        state::copy(layout, decoder.replicated(), base_.data());
    }
    // The server may have confirmed the hash from before a step back, of a state that was replaced: the next
    // exact own player mends that.
    const bool may_be_replaced = parts.part.own == OwnState::as_predicted && hashed_twice_through_ &&
                                 decoder.number() <= *hashed_twice_through_;
    if (parts.part.hash && !may_be_replaced && *parts.part.hash != hash_own(layout, base_.data(), slot)) {
        result.desync = {decoder.number(), codec::Bytes(state::image_size(layout, base_.data()))};
        state::save(layout, base_.data(), result.desync->image);
    }
    predictor_.set_base(base_.data(), decoder.tick());
    return result;
}

void Prediction::reconcile(contract::Slot slot, present::EventFeed& events) {
    if (!predictor_.has_new_base()) return;
    const state::Layout& layout = setup_.layout;
    state::copy(layout, predictor_.state(), scratch_.data());
    const std::uint64_t tick = predictor_.tick();
    predictor_.replay(slot, events);
    const auto depth = static_cast<std::uint32_t>(predictor_.tick() - predictor_.base_tick());
    stats_.deepest_rollback = std::max(stats_.deepest_rollback, depth);
    if (predictor_.tick() != tick) return;
    fade_.add(scratch_.data(), predictor_.state(), slot);
    const auto before = present::own_position(layout, scratch_.data(), slot);
    const auto after = present::own_position(layout, predictor_.state(), slot);
    const double moved = before && after ? distance(*before, *after) : 0;
    stats_.largest_correction = std::max(stats_.largest_correction, moved);
    if (moved > config_.counted_correction) ++stats_.corrections;
}

bool Prediction::wants_tick(std::uint64_t due, contract::Slot slot, present::EventFeed& events) {
    const auto most = static_cast<std::uint64_t>(config_.max_catch_up * setup_.facts.tick_rate);
    const std::uint64_t before = predictor_.tick();
    // The first tick is the one that is due: inputs for the ticks since the first snapshot would be late, and
    // make the clock believe in a slow link.
    const bool is_first = stats_.ticks == 0;
    if (is_first || before + most < due || due + 2 * most < before) {
        predictor_.skip_to(std::max<std::uint64_t>(due, 1) - 1, slot, events);
        if (!is_first && predictor_.tick() > before) stats_.skipped_ticks += predictor_.tick() - before;
    }
    return predictor_.tick() < due && predictor_.may_go_on();
}

void Prediction::go_back_to(std::uint64_t tick, contract::Slot slot, present::EventFeed& events) {
    if (tick >= predictor_.tick()) return;
    const std::uint32_t every = setup_.facts.snapshot_every;
    hashed_twice_through_ = static_cast<std::uint32_t>(predictor_.tick() / every);
    hashed_.forget_after(tick / every);
    predictor_.skip_to(tick, slot, events);
}

std::optional<PredictedHash> Prediction::tick(const std::byte* input, contract::Slot slot,
                                              present::EventFeed& events) {
    predictor_.advance(slot, input, events);
    ++stats_.ticks;
    if (predictor_.tick() % setup_.facts.snapshot_every != 0) return {};
    const auto number = static_cast<std::uint32_t>(predictor_.tick() / setup_.facts.snapshot_every);
    if (!hashed_.find(number).empty()) return {};  // the server may confirm the hash that was sent
    hashed_.store(number, predictor_.state());
    return PredictedHash{number, hash_own(setup_.layout, predictor_.state(), slot)};
}

const present::CorrectionFade& Prediction::fade_corrections(double seconds) {
    fade_.fade(seconds > 10 * config_.smoothing
                   ? 0
                   : config_.smoothing / (config_.smoothing + std::max(0.0, seconds)));
    return fade_;
}

}  // namespace instep::net
