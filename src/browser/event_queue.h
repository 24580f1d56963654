// SPDX-License-Identifier: MIT
// The events of a match that runs in this process, until the page takes them. All of them are final.
#pragma once

#include <deque>

#include <instep/match/match.h>
#include <instep/present/event_feed.h>

namespace instep::browser {

class EventQueue {
public:
    static constexpr std::size_t most = 4096;  // events not taken yet; beyond that the oldest is dropped

    // Adds the events of the match's last tick.
    void add_tick(const match::Match& match) {
        const std::size_t size = match.world().event->size;
        for (auto rows = match.events(); !rows.empty(); rows = rows.subspan(size)) {
            if (notices_.size() == most) notices_.pop_front();
            const auto row = rows.first(size);
            notices_.push_back(
                {present::EventStatus::received, ++numbers_, match.tick(), {row.begin(), row.end()}});
        }
    }
    bool next(present::EventNotice& notice) {
        if (notices_.empty()) return false;
        notice = std::move(notices_.front());
        notices_.pop_front();
        return true;
    }
    void clear() { notices_.clear(); }

private:
    std::deque<present::EventNotice> notices_;
    std::uint32_t numbers_ = 0;
};

}  // namespace instep::browser
