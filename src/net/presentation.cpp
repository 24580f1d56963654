// SPDX-License-Identifier: MIT
#include <instep/net/presentation.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <instep/present/own_entities.h>

namespace instep::net {

Presentation::Presentation(const match::Setup& setup, const ClientConfig& config)
    : setup_(setup),
      tick_seconds_(1.0 / setup.facts.tick_rate),
      events_(*setup.world->event,
              static_cast<std::uint32_t>(std::ceil(config.event_tolerance * setup.facts.tick_rate))),
      delay_(tick_seconds_ * setup.facts.snapshot_every),
      others_present_(std::ranges::any_of(setup.layout.pools,
                                          [](const state::PoolLayout& pool) {
                                              return !pool.kind.owner.empty() &&
                                                     pool.kind.shown == state::Shown::present;
                                          })),
      from_(setup.layout),
      to_(setup.layout) {}

void Presentation::add_snapshot(const SnapshotDecoder& decoder, contract::Slot slot) {
    add_events(decoder, slot);
    timeline_.add({static_cast<double>(decoder.tick()) * tick_seconds_, decoder.number()});
}

void Presentation::add_events(const SnapshotDecoder& decoder, contract::Slot slot) {
    const std::span<const codec::TickEvents> events = decoder.events();
    for (const codec::TickEvents& tick : events)
        if (tick.tick > events_until_)  // datagrams repeat ticks
            events_.receive(tick.tick, slot, tick.rows);
    // A keyframe after a gap does not have the events of the gap.
    if (!events.empty() && events.front().tick > events_until_ + 1)
        events_.confirm_until(events.front().tick - 1);
    events_until_ = std::max(events_until_, decoder.tick());
    events_.cancel_until(events_until_);
}

// Each snapshot that falls due for drawing was received in time, or counts as missing.
void Presentation::count_missing(double room_time, const SnapshotHistory& history) {
    const double interval = tick_seconds_ * setup_.facts.snapshot_every;
    const auto due = static_cast<std::uint32_t>(std::clamp(room_time / interval, 0.0, 4e9)) + 1;
    if (last_due_ && due > *last_due_ && due - *last_due_ < snapshots_kept)
        for (std::uint32_t n = *last_due_ + 1; n <= due; ++n) delay_.add(!history.find(n).empty());
    last_due_ = due;
}

std::optional<contract::DrawTimes> Presentation::draw(double now, const Clock& clock,
                                                      const SnapshotHistory& history, Prediction& prediction,
                                                      contract::Slot slot, std::byte* block) {
    const double passed = last_draw_ ? now - *last_draw_ : std::numeric_limits<double>::infinity();
    last_draw_ = now;
    const double room_time = clock.room_time(now) - delay_.advance(passed);
    count_missing(room_time, history);
    const auto pair = timeline_.at(room_time);
    timeline_.forget_before(room_time);
    if (!pair) return {};
    const codec::ByteView from = history.find(pair->from.number);
    const codec::ByteView to = history.find(pair->to.number);
    if (to.empty()) return {};
    state::restore(setup_.layout, to, to_.data());
    state::restore(setup_.layout, from.empty() ? to : from, from_.data());
    present::blend_states(setup_.layout, from_.data(), to_.data(), pair->part, setup_.facts.teleport_distance,
                          block);
    contract::DrawTimes times;
    times.past = times.present =
        (pair->from.time + (pair->to.time - pair->from.time) * pair->part) / tick_seconds_;
    if (slot == watcher_slot) return times;
    times.own = slot;
    times.others_present = others_present_;
    times.present = draw_present(clock.time(), passed, prediction, slot, block);
    return times;
}

// The own player, its shots and all pools that are shown in the present, between the last predicted tick and
// the next, so that they move in every frame. Returns the time at which they are drawn, in ticks. Entities
// that only the next tick would create are not drawn: another input may prevent them.
double Presentation::draw_present(double client_time, double passed, Prediction& prediction,
                                  contract::Slot slot, std::byte* block) {
    Predictor& predictor = prediction.predictor();
    const auto tick = static_cast<double>(predictor.tick());
    const double part = std::clamp(client_time / tick_seconds_ - tick, 0.0, 1.0);
    present::blend_states(setup_.layout, predictor.next(slot), predictor.state(), 1 - part,
                          setup_.facts.teleport_distance, from_.data());
    present::show_present(setup_.layout, from_.data(), slot, block);
    prediction.fade_corrections(passed).apply(block);
    return tick + part;
}

}  // namespace instep::net
