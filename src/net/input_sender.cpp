// SPDX-License-Identifier: MIT
#include <instep/net/input_sender.h>

namespace instep::net {

void InputSender::add(std::uint32_t tick, const std::byte* input) {
    codec::Bytes row;
    if (inputs_.size() >= config_.max_unacknowledged) {  // its memory is used again
        row = std::move(inputs_.front().row);
        inputs_.pop_front();
    }
    row.assign(input, input + input_size_);
    inputs_.push_back({tick, ++sequence_, std::move(row)});
}

void InputSender::acknowledge(std::uint8_t sequence) {
    const auto behind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(sequence_) - sequence);
    if (behind > sequence_) return;  // the server cannot have sent it
    while (!inputs_.empty() && inputs_.front().sequence <= sequence_ - behind) inputs_.pop_front();
}

void InputSender::restart() {
    sequence_ = 0;
    sent_sequence_ = 0;
    for (Input& input : inputs_) input.sequence = ++sequence_;
    last_message_.reset();
}

// Inputs in one message have consecutive ticks.
std::size_t InputSender::first_to_send() const {
    std::size_t first = inputs_.size() - 1;
    while (first > 0 && inputs_.size() - first < max_repeated_inputs &&
           inputs_[first - 1].tick + 1 == inputs_[first].tick &&
           (link_ == LinkKind::datagram || inputs_[first - 1].sequence > sent_sequence_))
        --first;
    return first;
}

void InputSender::write(InputMessage& message, double now) {
    last_message_ = now;
    if (!has_unsent()) return;
    const std::size_t first = first_to_send();
    message.first_tick = inputs_[first].tick;
    message.first_sequence = inputs_[first].sequence;
    for (std::size_t i = first; i < inputs_.size(); ++i, ++message.count)
        message.inputs.insert(message.inputs.end(), inputs_[i].row.begin(), inputs_[i].row.end());
    const std::uint32_t snapshot = inputs_.back().tick / snapshot_every_;
    if (predicted_hash_ && predicted_hash_->snapshot == snapshot)
        message.predicted_hash = predicted_hash_->hash;
    predicted_hash_.reset();
    sent_sequence_ = inputs_.back().sequence;
}

}  // namespace instep::net
