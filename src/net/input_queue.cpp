// SPDX-License-Identifier: MIT
#include <instep/net/input_queue.h>

#include <cassert>
#include <cstring>

#include <instep/codec/state_codec.h>

namespace instep::net {

InputQueue::InputQueue(const match::Setup& setup, std::uint32_t window, std::uint32_t hold)
    : setup_(setup),
      hold_(hold),
      places_(window, Place{0, std::vector<std::byte>(setup.world->input->size)}),
      last_(setup.world->input->size),
      nothing_(setup.world->input->size),
      checked_(setup.world->input->size) {
    assert(window > 0);
    codec::quantise_struct(*setup.world->input, nothing_.data());
    last_ = nothing_;
}

bool InputQueue::is_copy(std::uint32_t sequence) const {
    if (sequence == 0) return true;  // they count from 1
    if (sequence > newest_) return false;
    const std::uint32_t behind = newest_ - sequence;
    return behind >= 64 || (taken_ >> behind & 1) != 0;
}

void InputQueue::mark(std::uint32_t sequence) {
    if (sequence > newest_) {
        const std::uint32_t by = sequence - newest_;
        taken_ = by < 64 ? taken_ << by : 0;
        newest_ = sequence;
    }
    taken_ |= std::uint64_t{1} << (newest_ - sequence);
}

InputVerdict InputQueue::offer(std::uint64_t next_tick, std::uint32_t tick, std::uint32_t sequence,
                               const std::byte* input) {
    if (is_copy(sequence)) return InputVerdict::duplicate;
    if (tick < next_tick) return InputVerdict::late;
    if (tick - next_tick >= places_.size()) return InputVerdict::early;
    if (sequence > newest_ && sequence - newest_ >= farthest_sequence) return InputVerdict::early;
    Place& place = places_[tick % places_.size()];
    if (place.tick == tick) return InputVerdict::duplicate;
    std::memcpy(checked_.data(), input, checked_.size());
    if (!setup_.world->sanitize(setup_.value.get(), checked_.data())) return InputVerdict::illegal;
    mark(sequence);
    place.tick = tick;
    std::memcpy(place.input.data(), input, place.input.size());
    codec::quantise_struct(*setup_.world->input, place.input.data());
    return InputVerdict::accepted;
}

bool InputQueue::take(std::uint64_t tick, std::byte* row) {
    Place& place = places_[tick % places_.size()];
    const bool came = place.tick == tick;
    if (came) {
        last_ = place.input;
        place.tick = 0;
        unanswered_ = 0;
    } else if (++unanswered_ > hold_) {
        last_ = nothing_;
    }
    std::memcpy(row, last_.data(), last_.size());
    return came;
}

}  // namespace instep::net
