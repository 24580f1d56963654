// SPDX-License-Identifier: MIT
#include <instep/headless/thin_client.h>

#include <algorithm>
#include <utility>

#include <instep/codec/input_codec.h>
#include <instep/match/random_input.h>

namespace instep::headless {
namespace {

constexpr std::uint32_t ticks_per_input = 16;  // on average, until another input is drawn
constexpr std::uint32_t max_inputs = 8;        // at once; older ticks are skipped

}  // namespace

ThinClient::ThinClient(match::SharedSetup setup, std::uint64_t seed, const net::Config& config)
    : setup_(std::move(setup)),
      random_(math::Random::from_seed(seed)),
      clock_(1.0 / setup_->facts.tick_rate, config),
      inputs_(*setup_, net::LinkKind::ordered, config.client),
      input_(codec::idle_input(*setup_)) {}

void ThinClient::write_hello(std::string_view name, codec::Bytes& out) const {
    net::write(net::Hello{.fingerprint = setup_->fingerprint, .name = contract::PlayerName::of(name)}, out);
}

void ThinClient::receive(codec::ByteView message, double arrival) {
    const auto parts = net::read_snapshot(message);
    if (!parts) {
        if (net::read_said(message) || net::read_notice(message)) return;  // the bots do not read it
        moved_ = net::read_moved(message);
        if (!moved_) ++broken_;
        return;
    }
    ++snapshots_;
    if (parts->welcome) ticket_ = parts->welcome->ticket;
    inputs_.acknowledge(parts->part.acknowledged);
    measure_delay(parts->part.acknowledged, arrival);
    if (clock_.receive(parts->part, arrival)) has_stepped_ = true;
}

void ThinClient::measure_delay(std::uint8_t acknowledged, double arrival) {
    const auto is_it = [&](const Sent& sent) {
        return static_cast<std::uint8_t>(sent.sequence) == acknowledged;
    };
    const auto found = std::find_if(sent_.begin(), sent_.end(), is_it);
    if (found == sent_.end()) return;
    const auto delay = static_cast<float>(arrival - found->time);
    sent_.erase(sent_.begin(), found + 1);
    if (delays_.size() < most_delays) return delays_.push_back(delay);
    delays_[next_delay_++ % most_delays] = delay;
}

void ThinClient::relink() {
    inputs_.restart();
    sent_.clear();
    moved_.reset();
}

void ThinClient::add_due_inputs(double now) {
    if (!clock_.clock().known()) return;
    const double time = clock_.clock().time();
    const auto due = static_cast<std::uint32_t>(std::max(0.0, time * setup_->facts.tick_rate));
    if (std::exchange(has_stepped_, false)) tick_ = std::min(tick_, std::max(due, 1u) - 1);
    if (due <= tick_) return;
    const std::uint32_t count = std::min(due - tick_, max_inputs);
    if (random_.below(ticks_per_input) < count) {
        match::random_input(*setup_->world->input, random_, input_.data());
        codec::make_canonical(*setup_, input_.data());
    }
    for (tick_ = due - count + 1; tick_ < due; ++tick_) inputs_.add(tick_, input_.data());
    inputs_.add(due, input_.data());
    clock_.add_input(due, now);
    ticks_ += count;
}

bool ThinClient::write_message(double now, codec::Bytes& out) {
    clock_.advance(now);
    if (!joined()) return false;
    add_due_inputs(now);
    const bool probes = clock_.wants_probe(now);
    if (!inputs_.has_unsent() && !probes) return false;
    net::InputMessage message;
    inputs_.write(message, now);
    if (message.count > 0) {
        sent_.push_back({message.first_sequence + message.count - 1, now});
        if (sent_.size() > most_sent) sent_.pop_front();
    }
    if (probes) message.probe = clock_.send_probe(now);
    net::write(message, *setup_->world->input, out);
    return true;
}

}  // namespace instep::headless
