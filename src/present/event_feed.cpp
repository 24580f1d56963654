// SPDX-License-Identifier: MIT
#include <instep/present/event_feed.h>

#include <cstring>

#include <instep/codec/grid.h>

namespace instep::present {
namespace {

std::uint64_t distance_between(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

}  // namespace

bool EventFeed::concerns(std::span<const std::byte> event, contract::Slot slot) const {
    for (const std::string_view name : {"slot", "by"}) {
        const state::Field* field = info_.find(name);
        if (field && event[field->offset] == static_cast<std::byte>(slot)) return true;
    }
    return false;
}

bool EventFeed::is_same(std::span<const std::byte> a, std::span<const std::byte> b) const {
    for (const state::Field& field : info_.fields) {
        if (field.kind == state::FieldKind::reserved || codec::is_quantised(field)) continue;
        if (std::memcmp(a.data() + field.offset, b.data() + field.offset, field.size) != 0) return false;
    }
    return true;
}

std::deque<EventFeed::Pending>::iterator EventFeed::find(std::uint64_t tick, std::span<const std::byte> event,
                                                         bool vanished_only) {
    auto nearest = pending_.end();
    for (auto it = pending_.begin(); it != pending_.end(); ++it) {
        if ((vanished_only && it->still_predicted) || distance_between(it->tick, tick) > tolerance_ ||
            !is_same(it->event, event))
            continue;
        if (nearest == pending_.end() ||
            distance_between(it->tick, tick) < distance_between(nearest->tick, tick))
            nearest = it;
    }
    return nearest;
}

void EventFeed::notify(EventStatus status, std::uint32_t number, std::uint64_t tick,
                       std::span<const std::byte> event) {
    if (notices_.size() == max_notices) {
        notices_.pop_front();
        ++dropped_;
    }
    notices_.push_back({status, number, tick, {event.begin(), event.end()}});
}

void EventFeed::begin_replay() {
    for (Pending& pending : pending_) pending.still_predicted = false;
}

void EventFeed::predict(std::uint64_t tick, contract::Slot slot, std::span<const std::byte> rows) {
    for (; !rows.empty(); rows = rows.subspan(info_.size)) {
        const auto event = rows.first(info_.size);
        if (!concerns(event, slot)) continue;
        if (const auto known = find(tick, event, true); known != pending_.end()) {
            known->still_predicted = true;
            known->tick = tick;
        } else if (pending_.size() < max_pending) {
            pending_.push_back({++last_number_, tick, true, {event.begin(), event.end()}});
            notify(EventStatus::predicted, last_number_, tick, event);
        }
    }
}

void EventFeed::receive(std::uint64_t tick, contract::Slot slot, std::span<const std::byte> rows) {
    for (; !rows.empty(); rows = rows.subspan(info_.size)) {
        const auto event = rows.first(info_.size);
        const auto known = concerns(event, slot) ? find(tick, event, false) : pending_.end();
        if (known == pending_.end()) {
            notify(EventStatus::received, ++last_number_, tick, event);
            continue;
        }
        notify(EventStatus::confirmed, known->number, tick, event);
        pending_.erase(known);
    }
}

void EventFeed::cancel_until(std::uint64_t tick) {
    if (tick >= tolerance_) end_pending(tick - tolerance_, EventStatus::cancelled);
}

void EventFeed::confirm_until(std::uint64_t tick) { end_pending(tick, EventStatus::confirmed); }

void EventFeed::end_pending(std::uint64_t until, EventStatus status) {
    std::erase_if(pending_, [&](const Pending& pending) {
        if (pending.tick > until) return false;
        notify(status, pending.number, pending.tick, pending.event);
        return true;
    });
}

bool EventFeed::next(EventNotice& notice) {
    if (notices_.empty()) return false;
    notice = std::move(notices_.front());
    notices_.pop_front();
    return true;
}

}  // namespace instep::present
