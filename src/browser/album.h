// SPDX-License-Identifier: MIT
// The last ten seconds as images, so that a page can pause, step and go back. Bounded in time and in bytes:
// a large world keeps fewer seconds.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include <instep/contract/draw_times.h>
#include <instep/state/layout.h>

namespace instep::browser {

class Album {
public:
    static constexpr double most_seconds = 10;
    static constexpr std::size_t most_bytes = 48u << 20;

    explicit Album(const state::Layout& layout) : layout_(layout) {}

    // Times only grow; one that does not is left out.
    void add(double time, const std::byte* block, const contract::DrawTimes& draw_times = {}) {
        if (!pictures_.empty() && time <= pictures_.back().time) return;
        Picture picture{time, draw_times, std::move(spare_)};
        picture.image.resize(state::image_size(layout_, block));
        state::save(layout_, block, picture.image);
        bytes_ += picture.image.size();
        pictures_.push_back(std::move(picture));
        while (pictures_.size() > 1 &&
               (bytes_ > most_bytes || pictures_.front().time < time - most_seconds)) {
            bytes_ -= pictures_.front().image.size();
            spare_ = std::move(pictures_.front().image);
            pictures_.pop_front();
        }
    }
    void clear() {
        pictures_.clear();
        bytes_ = 0;
    }
    std::size_t bytes() const { return bytes_; }
    bool empty() const { return pictures_.empty(); }
    double oldest() const { return pictures_.front().time; }
    double newest() const { return pictures_.back().time; }

    // Brings the block to the last picture that is not after `time`, or the oldest; the time it is of.
    double restore_to(double time, std::byte* block) const {
        const Picture& picture = at(time);
        state::restore(layout_, picture.image, block);
        return picture.time;
    }
    const contract::DrawTimes& draw_times_at(double time) const { return at(time).draw_times; }
    // What is after `time` never was.
    void forget_after(double time) {
        while (pictures_.size() > 1 && pictures_.back().time > time) {
            bytes_ -= pictures_.back().image.size();
            pictures_.pop_back();
        }
    }

private:
    struct Picture {
        double time = 0;
        contract::DrawTimes draw_times;
        std::vector<std::byte> image;
    };

    const Picture& at(double time) const {
        std::size_t index = pictures_.size() - 1;
        while (index > 0 && pictures_[index].time > time) --index;
        return pictures_[index];
    }

    const state::Layout& layout_;
    std::deque<Picture> pictures_;
    std::size_t bytes_ = 0;
    std::vector<std::byte> spare_;  // the memory of the one that went last, for the next
};

}  // namespace instep::browser
