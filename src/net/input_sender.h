// SPDX-License-Identifier: MIT
// The inputs on their way to the server: numbered, and kept until they are acknowledged. Over datagrams each
// message repeats the unacknowledged inputs before the newest one; an ordered link loses nothing, so it sends
// each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include <instep/net/config.h>
#include <instep/net/messages.h>
#include <instep/net/own_player.h>

namespace instep::net {

class InputSender {
public:
    InputSender(const match::Setup& setup, LinkKind link, const ClientConfig& config)
        : config_(config),
          link_(link),
          input_size_(setup.world->input->size),
          snapshot_every_(setup.facts.snapshot_every) {}

    // `input` is canonical (codec/input_codec.h).
    void add(std::uint32_t tick, const std::byte* input);
    // Sent with the next inputs, unless their last tick belongs to a later snapshot.
    void set_predicted_hash(const PredictedHash& hash) { predicted_hash_ = hash; }
    // The low bits of the newest sequence number that the server accepted.
    void acknowledge(std::uint8_t sequence);
    // Over a new link: numbers the unacknowledged inputs from 1, and sends them again.
    void restart();

    bool has_unsent() const { return !inputs_.empty() && inputs_.back().sequence > sent_sequence_; }
    // Whether a message is due although there are no inputs.
    bool wants_keep_alive(double now) const {
        return !last_message_ || now - *last_message_ >= config_.keep_alive_interval;
    }
    // Adds the inputs that this message, sent now, should carry.
    void write(InputMessage& message, double now);

private:
    struct Input {
        std::uint32_t tick = 0;
        std::uint32_t sequence = 0;
        codec::Bytes row;
    };

    std::size_t first_to_send() const;

    ClientConfig config_;
    LinkKind link_;
    std::size_t input_size_;
    std::uint32_t snapshot_every_;
    std::deque<Input> inputs_;                     // that are not acknowledged
    std::uint32_t sequence_ = 0;                   // of the newest input; they count from 1
    std::uint32_t sent_sequence_ = 0;              // of the newest that was sent
    std::optional<PredictedHash> predicted_hash_;  // that was not sent yet
    std::optional<double> last_message_;           // when it was sent
};

}  // namespace instep::net
