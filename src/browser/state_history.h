// SPDX-License-Identifier: MIT
// Images of the last ten seconds, so that a page can pause, step and go back. Bounded in time and in bytes:
// the history of a large world is shorter.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include <instep/contract/draw_times.h>
#include <instep/state/layout.h>

namespace instep::browser {

class StateHistory {
public:
    static constexpr double most_seconds = 10;
    static constexpr std::size_t most_bytes = 48u << 20;

    explicit StateHistory(const state::Layout& layout) : layout_(layout) {}

    // Ignores a time that is not later than the newest.
    void add(double time, const std::byte* block, const contract::DrawTimes& draw_times = {}) {
        if (!entries_.empty() && time <= entries_.back().time) return;
        Entry entry{time, draw_times, std::move(spare_)};
        entry.image.resize(state::image_size(layout_, block));
        state::save(layout_, block, entry.image);
        bytes_ += entry.image.size();
        entries_.push_back(std::move(entry));
        while (entries_.size() > 1 && (bytes_ > most_bytes || entries_.front().time < time - most_seconds)) {
            bytes_ -= entries_.front().image.size();
            spare_ = std::move(entries_.front().image);
            entries_.pop_front();
        }
    }
    void clear() {
        entries_.clear();
        bytes_ = 0;
    }
    std::size_t bytes() const { return bytes_; }
    bool empty() const { return entries_.empty(); }
    double oldest() const { return entries_.front().time; }
    double newest() const { return entries_.back().time; }

    // Restores the last entry that is not after `time`, or the oldest one, and returns its time.
    double restore_to(double time, std::byte* block) const {
        const Entry& entry = at(time);
        state::restore(layout_, entry.image, block);
        return entry.time;
    }
    const contract::DrawTimes& draw_times_at(double time) const { return at(time).draw_times; }
    void remove_after(double time) {
        while (entries_.size() > 1 && entries_.back().time > time) {
            bytes_ -= entries_.back().image.size();
            entries_.pop_back();
        }
    }

private:
    struct Entry {
        double time = 0;
        contract::DrawTimes draw_times;
        std::vector<std::byte> image;
    };

    const Entry& at(double time) const {
        std::size_t index = entries_.size() - 1;
        while (index > 0 && entries_[index].time > time) --index;
        return entries_[index];
    }

    const state::Layout& layout_;
    std::deque<Entry> entries_;
    std::size_t bytes_ = 0;
    std::vector<std::byte> spare_;  // memory of the entry removed last, reused for the next one
};

}  // namespace instep::browser
