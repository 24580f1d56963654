// SPDX-License-Identifier: MIT
#include <instep/net/client.h>

#include <algorithm>

#include <instep/codec/input_codec.h>

namespace instep::net {

namespace {

constexpr std::size_t max_chat_waiting = 16;  // lines, to be sent or to be taken

}  // namespace

Client::Client(Checked, match::SharedSetup setup, LinkKind link, const Config& config)
    : setup_(std::move(setup)),
      clock_(1.0 / setup_->facts.tick_rate, config),
      inputs_(*setup_, link, config.client),
      prediction_(*setup_, config.client),
      presentation_(*setup_, config.client),
      reporter_(*setup_, link, config.client) {}

Client::Client(match::SharedSetup setup, LinkKind link, const Config& config)
    : Client(Checked{}, std::move(setup), link, check(config) ? config : Config{}) {
    if (const auto checked = check(config); !checked) refusal_ = checked.error().text();
}

void Client::write_hello(std::string_view name, codec::Bytes& out) const {
    write(Hello{.fingerprint = setup_->fingerprint, .name = contract::PlayerName::of(name)}, out);
}

void Client::relink() {
    inputs_.restart();
    if (decoder_) decoder_->expect_keyframe();
    awaits_welcome_ = true;
    refusal_.clear();
    moved_.reset();
}

// --- Receiving --------------------------------------------------------------------------------------------

void Client::receive(codec::ByteView message, double arrival) {
    switch (kind_of(message).value_or(MessageKind::hello)) {
        case MessageKind::welcome:
        case MessageKind::snapshot:
            if (auto parts = read_snapshot(message)) return receive_snapshot(*parts, arrival);
            break;
        case MessageKind::refusal:
            if (const auto text = read_refusal(message)) {
                refusal_ = *text;
                return;
            }
            break;
        case MessageKind::verdict:
            if (const auto verdict = read_verdict(message)) {
                if (decoder_) reporter_.receive(*verdict, *decoder_);
                return;
            }
            break;
        case MessageKind::moved:
            if (const auto moved = read_moved(message)) {
                moved_ = moved;
                return;
            }
            break;
        case MessageKind::notice:
            if (const auto notice = read_notice(message)) {
                notice_ = *notice;
                return;
            }
            break;
        case MessageKind::said:
            if (const auto said = read_said(message)) {
                said_.push_back(*said);
                if (said_.size() > max_chat_waiting) said_.pop_front();
                return;
            }
            break;
        default: break;
    }
    ++messages_malformed_;
}

void Client::receive_snapshot(SnapshotParts& parts, double arrival) {
    if (awaits_welcome_ && parts.welcome && !accept_welcome(*parts.welcome)) return;
    if (awaits_welcome_) {
        ++messages_malformed_;
        return;
    }
    notice_ = {};
    inputs_.acknowledge(parts.part.acknowledged);
    if (clock_.receive(parts.part, arrival)) has_stepped_ = true;
    switch (decoder_->decode(parts.world_delta)) {
        case DecodeResult::stale: return;
        case DecodeResult::applied: return begin_base(parts);
        case DecodeResult::desync: reporter_.add(); break;
        case DecodeResult::malformed: ++messages_malformed_; break;
        case DecodeResult::no_baseline: break;
    }
    decoding_.fail();
}

bool Client::accept_welcome(const Welcome& welcome) {
    if (!refusal_.empty()) return false;
    if (welcome.version != wire_version || welcome.fingerprint != setup_->fingerprint) {
        refusal_ = "the server was built from another version; reload the page";
        return false;
    }
    if (welcome.slot >= setup_->facts.most_players && welcome.slot != watcher_slot) {
        ++messages_malformed_;
        return false;
    }
    // The same player over a new link goes on with the snapshots it has.
    if (!decoder_ || welcome.slot != slot_ || welcome.mode != decoder_->mode())
        decoder_.emplace(*setup_, welcome.mode);
    slot_ = welcome.slot;
    ticket_ = welcome.ticket;
    awaits_welcome_ = false;
    return true;
}

void Client::begin_base(SnapshotParts& parts) {
    ++snapshots_;
    decoding_.succeed();
    Prediction::NewBase base = prediction_.set_base(*decoder_, parts, slot_);
    if (base.malformed) ++messages_malformed_;
    if (base.desync) reporter_.add_own(std::move(*base.desync));
    presentation_.add_snapshot(*decoder_, slot_);
}

// --- Playing ----------------------------------------------------------------------------------------------

bool Client::wants_tick(double now) {
    now_ = now;
    clock_.advance(now);
    if (!joined()) return false;
    prediction_.reconcile(slot_, presentation_.events());
    if (watches()) return false;
    const auto due = static_cast<std::uint64_t>(std::max(0.0, clock().time() * setup_->facts.tick_rate));
    if (std::exchange(has_stepped_, false))
        prediction_.go_back_to(std::max<std::uint64_t>(due, 1) - 1, slot_, presentation_.events());
    return prediction_.wants_tick(due, slot_, presentation_.events());
}

void Client::tick(const std::byte* input) {
    if (watches()) return;
    row_.assign(input, input + setup_->world->input->size);
    codec::make_canonical(*setup_, row_.data());
    const auto hash = prediction_.tick(row_.data(), slot_, presentation_.events());
    const auto tick = static_cast<std::uint32_t>(predicted_tick());
    inputs_.add(tick, row_.data());
    if (hash) inputs_.set_predicted_hash(*hash);
    clock_.add_input(tick, now_);
}

bool Client::say(const Say& what) {
    const bool is_empty = what.emote == Emote::none && what.text.view().empty();
    if (is_empty || watches() || to_say_.size() == max_chat_waiting) return false;
    to_say_.push_back(what);
    return true;
}

bool Client::next_said(Said& said) {
    if (said_.empty()) return false;
    said = said_.front();
    said_.pop_front();
    return true;
}

bool Client::write_message(double now, codec::Bytes& out) {
    if (!decoder_) return false;
    if (!to_say_.empty()) {
        write(to_say_.front(), out);
        to_say_.pop_front();
        return true;
    }
    if (!watches() && reporter_.write_message(*decoder_, now, out)) return true;
    const bool probes = clock_.wants_probe(now);
    if (!inputs_.has_unsent() && !probes && !inputs_.wants_keep_alive(now)) return false;
    InputMessage message;
    message.acknowledged = decoder_->is_usable() ? decoder_->number() : 0;
    message.decode_failed = decoding_.report();
    inputs_.write(message, now);
    if (probes) message.probe = clock_.send_probe(now);
    write(message, *setup_->world->input, out);
    return true;
}

std::optional<contract::DrawTimes> Client::draw(double now, std::byte* block) {
    if (!joined()) return {};
    return presentation_.draw(now, clock(), *decoder_, prediction_, slot_, block);
}

ClientStats Client::stats() const {
    return {prediction_.stats(), snapshots_, messages_malformed_, reporter_.count()};
}

}  // namespace instep::net
