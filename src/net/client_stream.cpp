// SPDX-License-Identifier: MIT
#include <instep/net/client_stream.h>

#include <utility>

namespace instep::net {

ClientStream::ClientStream(const match::Setup& setup, const HostConfig& config, ReplicationMode mode,
                           LinkKind link, std::uint32_t budget)
    : setup_(setup), config_(config), machine_(link) {
    if (link == LinkKind::datagram) encoder_ = std::make_unique<SnapshotEncoder>(setup, mode, link, budget);
}

void ClientStream::acknowledge(std::uint32_t number, std::uint32_t newest) {
    if (number == 0 || number > newest || (acknowledged_ && number <= *acknowledged_)) return;
    acknowledged_ = number;
    is_welcomed_ = true;
    if (is_within_loss_memory(newest)) machine_.apply(StreamEvent::acknowledged_after_loss);
}

void ClientStream::report_loss(std::optional<std::uint32_t> acknowledged, std::uint32_t newest) {
    lossy_until_ = newest + snapshots_in(config_.loss_memory, setup_.facts);
    machine_.apply(StreamEvent::loss_reported);
    // A datagram client with a baseline gets deltas against it.
    const bool has_baseline = acknowledged && (!keyframe_ || *acknowledged >= keyframe_->number);
    if (link() == LinkKind::ordered || !has_baseline) request_keyframe(newest);
}

void ClientStream::request_keyframe(std::uint32_t newest) {
    const std::uint32_t patience = snapshots_in(
        link() == LinkKind::datagram ? config_.datagram_keyframe_patience : config_.keyframe_patience,
        setup_.facts);
    if (keyframe_ && newest - keyframe_->number <= patience) return;  // one is on its way
    machine_.apply(StreamEvent::keyframe_needed);
    acknowledged_.reset();
    sent_.reset();
    keyframe_.reset();
}

bool ClientStream::may_change_cell(std::uint32_t number) const {
    return cell_ == InterestCells::whole_room ||
           number - in_cell_since() >= snapshots_in(config_.cell_rest, setup_.facts);
}

void ClientStream::change_cell(Cell cell, std::uint32_t number) {
    cell_ = cell;
    in_cell_since_ = number;
    machine_.apply(StreamEvent::cell_changed);
}

std::optional<std::uint32_t> ClientStream::baseline() const {
    if (state() == StreamState::streaming) return sent_;
    if (state() != StreamState::delta_from_acknowledged) return {};
    // A keyframe counts too: if it was lost, the client's next report says that what it has is older.
    if (!keyframe_) return acknowledged_;
    return std::max(acknowledged_.value_or(0), keyframe_->number);
}

ClientStream::Sent ClientStream::choose(const Snapshot& snapshot, SharedStream& shared, bool link_is_free,
                                        const EncodeOptions& options, codec::Bytes& own) {
    if (considered_ == snapshot.number || state() == StreamState::leaving) return Sent::nothing;
    considered_ = snapshot.number;
    machine_.apply(link_is_free ? StreamEvent::link_drained : StreamEvent::link_filled);
    if (!link_is_free) return Sent::nothing;
    if (encoder_) return encode_unshared(snapshot, options, own);
    if (state() == StreamState::streaming) return Sent::delta;
    if (!shared.may_restart(snapshot.number, config_.restart_interval)) return Sent::nothing;
    if (!shared.encode_keyframe(snapshot.log, own)) return Sent::nothing;
    keyframe_ = {.number = snapshot.number};
    machine_.apply(StreamEvent::keyframe_sent);
    return Sent::keyframe;
}

ClientStream::Sent ClientStream::encode_unshared(const Snapshot& snapshot, EncodeOptions options,
                                                 codec::Bytes& own) {
    const bool is_lossy = is_within_loss_memory(snapshot.number);
    if (!is_lossy) machine_.apply(StreamEvent::loss_forgotten);
    options.baseline = baseline();
    const auto encoded = encoder_->encode(snapshot, options, own);
    sent_ = snapshot.number;
    if (encoded == SnapshotEncoder::Encoded::delta) return Sent::delta;
    keyframe_ = {.number = snapshot.number};
    machine_.apply(is_lossy ? StreamEvent::keyframe_sent_after_loss : StreamEvent::keyframe_sent);
    return Sent::keyframe;
}

std::size_t ClientStream::link_capacity() const {
    const bool is_on_its_way = keyframe_ && acknowledged_.value_or(0) < keyframe_->number;
    return config_.link_capacity + (is_on_its_way ? keyframe_->bytes : 0);
}

}  // namespace instep::net
