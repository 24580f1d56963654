// SPDX-License-Identifier: MIT
#include <instep/headless/thin_client.h>

#include <algorithm>

#include <instep/codec/state_codec.h>
#include <instep/match/random_input.h>

namespace instep::headless {
namespace {

constexpr double probe_every = 0.5;        // s
constexpr std::uint32_t input_held = 16;   // ticks, on average, that the same thing is asked for
constexpr std::uint32_t most_at_once = 8;  // inputs; what is older is skipped

}  // namespace

ThinClient::ThinClient(match::SharedSetup setup, std::uint64_t seed)
    : setup_(std::move(setup)),
      random_(math::Random::from_seed(seed)),
      clock_(1.0 / setup_->facts.tick_rate),
      input_(setup_->world->input->size) {}

void ThinClient::write_hello(std::string_view name, codec::Bytes& out) const {
    net::write(net::Hello{.fingerprint = setup_->fingerprint, .name = contract::PlayerName::of(name)}, out);
}

void ThinClient::receive(codec::ByteView message, double now) {
    const auto parts = net::read_snapshot(message);
    if (!parts) {
        ++broken_;
        return;
    }
    joined_ = true;
    ++snapshots_;
    if (const auto& margin = parts->part.margin)
        clock_.add_input_margin(leads_[margin->tick], margin->margin / 8.0 / setup_->facts.tick_rate, now);
    if (const auto& pong = parts->part.pong) {
        const double held = pong->held * 1e-6;
        clock_.add_probe(probe_times_[pong->probe] + held,
                         static_cast<double>(pong->microseconds) * 1e-6 + held, now);
    }
}

bool ThinClient::write_message(double now, codec::Bytes& out) {
    clock_.advance(now);
    if (!joined_) return false;
    net::InputMessage message;
    if (clock_.known()) {
        const auto due = static_cast<std::uint32_t>(std::max(0.0, clock_.time() * setup_->facts.tick_rate));
        if (due > tick_) {
            message.count = std::min(due - tick_, most_at_once);
            message.first_tick = due - message.count + 1;
            message.first_sequence = sequence_ + 1;
            tick_ = due;
            sequence_ += message.count;
            if (random_.below(input_held) < message.count) {
                match::random_input(*setup_->world->input, random_, input_.data());
                codec::quantise_struct(*setup_->world->input, input_.data());
            }
            for (std::uint32_t i = 0; i < message.count; ++i)
                message.inputs.insert(message.inputs.end(), input_.begin(), input_.end());
            leads_[tick_ & 255] = clock_.lead(now);
            ticks_ += message.count;
        }
    }
    if (last_probe_ < 0 || now - last_probe_ >= probe_every) {
        message.probe = ++probe_;
        probe_times_[probe_] = now;
        last_probe_ = now;
    }
    if (message.count == 0 && !message.probe) return false;
    net::write(message, *setup_->world->input, out);
    return true;
}

}  // namespace instep::headless
