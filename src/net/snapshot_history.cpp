// SPDX-License-Identifier: MIT
#include <instep/net/snapshot_history.h>

#include <instep/codec/byte_model.h>
#include <instep/state/raw_pool.h>

namespace instep::net {

template <class Stream>
void code_header(Stream& stream, DeltaHeader& header) {
    code_raw(stream, header.keyframe, 1);
    code_raw(stream, header.fresh_model, 1);
    code_raw(stream, header.numbered, 1);
    code_raw(stream, header.has_hash, 1);
    if (header.keyframe || header.numbered) code_raw(stream, header.number, header.keyframe ? 32 : 16);
    codec::NumberModel model;
    std::uint64_t back = header.back;
    if (!header.keyframe) code_unsigned(stream, back, model);
    if (back > snapshots_kept || back == 0) return stream.fail();
    header.back = static_cast<std::uint32_t>(back);
    if (header.has_hash) code_raw(stream, header.hash, 32);
}

std::uint32_t short_hash(const state::Layout& layout, const std::byte* block) {
    return static_cast<std::uint32_t>(state::hash(layout, block));
}

std::vector<std::uint16_t> short_field_hashes(const state::Layout& layout, codec::ByteView image) {
    state::Block block(layout);
    state::restore(layout, image, block.data());
    std::vector<std::uint16_t> hashes;
    for (const state::FieldHash& field : state::hash_fields(layout, block.data()))
        hashes.push_back(static_cast<std::uint16_t>(field.hash));
    return hashes;
}

template void code_header(codec::Writer&, DeltaHeader&);
template void code_header(codec::Reader&, DeltaHeader&);

bool is_legal(const match::Setup& setup, std::byte* block) {
    const state::Layout& layout = setup.layout;
    if (!state::fields_are_legal(*layout.head, block)) return false;
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const state::RawPool pool(layout, i, block);
        for (std::uint32_t index = 0; index < pool.size(); ++index)
            if (!state::fields_are_legal(pool.element_info(), pool.element(index))) return false;
    }
    return setup.world->validate(setup.value.get(), layout, block).has_value();
}

SnapshotHistory::SnapshotHistory(const match::Setup& setup, ReplicationMode mode)
    : setup_(setup),
      mode_(mode),
      stepper_(setup),
      ring_(setup.layout, snapshots_kept + 1),
      initial_(setup.layout),
      predicted_(setup.layout),
      replicated_(setup.layout),
      fresh_model_(setup, mode),
      model_(fresh_model_) {
    setup.world->start(setup.value.get(), setup.layout, initial_.data(), 0);
    codec::quantise(setup.layout, initial_.data());
}

bool SnapshotHistory::restore_baseline(std::uint32_t baseline, codec::TickRecord& record) {
    if (!ring_.restore_to(baseline, predicted_.data())) return false;
    record.live = setup_.world->live_slots(setup_.layout, predicted_.data());
    setup_.world->held_inputs(setup_.layout, predicted_.data(), record.inputs.data());
    return true;
}

void SnapshotHistory::store(std::uint32_t number) {
    ring_.store(number, replicated_.data());
    if (!field_hashes_.empty()) field_hashes_[number % field_hashes_.size()].clear();
    number_ = number;
    has_snapshot_ = true;
}

const std::vector<std::uint16_t>& SnapshotHistory::field_hashes(std::uint32_t number) const {
    static const std::vector<std::uint16_t> forgotten;
    const codec::ByteView image = find(number);
    if (image.empty()) return forgotten;
    if (field_hashes_.empty()) field_hashes_.resize(ring_.capacity());
    std::vector<std::uint16_t>& hashes = field_hashes_[number % field_hashes_.size()];
    if (hashes.empty()) {
        hashes = short_field_hashes(setup_.layout, image);
        ++states_hashed_;
    }
    return hashes;
}

void SnapshotHistory::store_model(std::uint32_t number) {
    if (models_.empty()) models_.assign(snapshots_kept + 1, {std::nullopt, fresh_model_});
    StoredModel& kept = models_[number % models_.size()];
    kept.number = number;
    kept.model = model_;
}

bool SnapshotHistory::restore_model(std::uint32_t number) {
    if (models_.empty()) return false;
    const StoredModel& kept = models_[number % models_.size()];
    if (kept.number != number) return false;
    model_ = kept.model;
    return true;
}

}  // namespace instep::net
