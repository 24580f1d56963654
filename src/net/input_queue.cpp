// SPDX-License-Identifier: MIT
#include <instep/net/input_queue.h>

#include <cassert>
#include <cstring>

#include <instep/codec/input_codec.h>

namespace instep::net {

InputQueue::InputQueue(const match::Setup& setup, std::uint32_t window, std::uint32_t hold)
    : setup_(setup),
      hold_(hold),
      entries_(window, Entry{.tick = {}, .input = codec::Bytes(setup.world->input->size)}),
      last_(codec::idle_input(setup)),
      idle_(last_),
      offered_(last_) {
    assert(window > 0);
}

bool InputQueue::is_duplicate(std::uint32_t sequence) const {
    if (sequence == 0) return true;  // they count from 1
    if (sequence > newest_) return false;
    const std::uint32_t behind = newest_ - sequence;
    return behind >= 64 || (accepted_ >> behind & 1) != 0;
}

void InputQueue::mark(std::uint32_t sequence) {
    if (sequence > newest_) {
        const std::uint32_t by = sequence - newest_;
        accepted_ = by < 64 ? accepted_ << by : 0;
        newest_ = sequence;
    }
    accepted_ |= std::uint64_t{1} << (newest_ - sequence);
}

InputVerdict InputQueue::offer(std::uint64_t next_tick, std::uint32_t tick, std::uint32_t sequence,
                               const std::byte* input) {
    if (is_duplicate(sequence)) return InputVerdict::duplicate;
    if (tick < next_tick) return InputVerdict::late;
    if (tick - next_tick >= entries_.size()) return InputVerdict::early;
    if (sequence > newest_ && sequence - newest_ >= max_sequence_jump) return InputVerdict::early;
    Entry& entry = entries_[tick % entries_.size()];
    if (entry.tick == tick && sequence < entry.sequence) return InputVerdict::duplicate;
    std::memcpy(offered_.data(), input, offered_.size());
    if (!codec::make_canonical(setup_, offered_.data())) return InputVerdict::illegal;
    mark(sequence);
    entry.tick = tick;
    entry.sequence = sequence;
    entry.input.swap(offered_);
    return InputVerdict::accepted;
}

void InputQueue::clear() {
    for (Entry& entry : entries_) entry.tick.reset();
}

void InputQueue::restart_sequence() {
    newest_ = 0;
    accepted_ = 0;
    for (Entry& entry : entries_) entry.sequence = 0;
}

InputQueueImage InputQueue::save(std::uint64_t next_tick) const {
    InputQueueImage image{
        .last = last_, .missed = missed_, .newest = newest_, .accepted = accepted_, .waiting = {}};
    for (std::uint64_t tick = next_tick; tick < next_tick + entries_.size(); ++tick) {
        const Entry& entry = entries_[tick % entries_.size()];
        if (entry.tick == tick) image.waiting.push_back({tick, entry.sequence, entry.input});
    }
    return image;
}

bool InputQueue::load(const InputQueueImage& image, std::uint64_t next_tick) {
    const auto is_row = [this](const codec::Bytes& row) {
        return row.size() == last_.size() && codec::is_canonical(setup_, row.data());
    };
    if (!is_row(image.last)) return false;
    std::uint64_t next = next_tick;
    for (const InputQueueImage::Waiting& waiting : image.waiting) {
        if (waiting.tick < next || waiting.tick - next_tick >= entries_.size()) return false;
        if (waiting.sequence > image.newest || !is_row(waiting.input)) return false;
        next = waiting.tick + 1;
    }
    clear();
    for (const InputQueueImage::Waiting& waiting : image.waiting)
        entries_[waiting.tick % entries_.size()] = {waiting.tick, waiting.sequence, waiting.input};
    last_ = image.last;
    missed_ = image.missed;
    newest_ = image.newest;
    accepted_ = image.accepted;
    return true;
}

bool InputQueue::take(std::uint64_t tick, std::byte* row) {
    Entry& entry = entries_[tick % entries_.size()];
    const bool in_time = entry.tick == tick;
    if (in_time) {
        last_ = entry.input;
        entry.tick.reset();
        missed_ = 0;
    } else if (++missed_ > hold_) {
        last_ = idle_;
    }
    std::memcpy(row, last_.data(), last_.size());
    return in_time;
}

}  // namespace instep::net
