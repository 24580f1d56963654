// SPDX-License-Identifier: MIT
// The last few saved states by tick, for rollback and as baselines of the encoder. All memory is allocated by
// the constructor, but each image touches only as much of it as it needs: most states have room for many more
// elements than they hold. Tick t overwrites tick t - capacity; a caller that stores every nth tick divides
// ticks by n.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/state/layout.h>

namespace instep::state {

class SnapshotRing {
public:
    SnapshotRing(const Layout& layout, std::uint32_t capacity)
        : layout_(&layout),
          stride_((layout.max_image_size + cache_line - 1) / cache_line * cache_line),
          entries_(capacity),
          bytes_(allocate_uninitialised(capacity * stride_)) {
        assert(capacity > 0);
    }

    std::uint32_t capacity() const { return static_cast<std::uint32_t>(entries_.size()); }

    void store(std::uint64_t tick, const std::byte* block) {
        entries_[slot_of(tick)] = {tick, save(*layout_, block, {start_of(tick), layout_->max_image_size})};
    }

    // The image of a tick, or an empty span if it was never stored or has been overwritten.
    std::span<const std::byte> find(std::uint64_t tick) const {
        const Entry& entry = entries_[slot_of(tick)];
        if (entry.tick != tick || entry.size == 0) return {};
        return {const_cast<SnapshotRing*>(this)->start_of(tick), entry.size};
    }

    // Restores the state of that tick; false if it is not in the ring.
    bool restore_to(std::uint64_t tick, std::byte* block) const {
        const std::span<const std::byte> image = find(tick);
        if (image.empty()) return false;
        restore(*layout_, image, block);
        return true;
    }

    // Removes the states of all later ticks.
    void forget_after(std::uint64_t tick) {
        for (Entry& entry : entries_)
            if (entry.tick > tick) entry = {};
    }

private:
    struct Entry {
        std::uint64_t tick = 0;
        std::uint32_t size = 0;
    };

    std::size_t slot_of(std::uint64_t tick) const { return tick % entries_.size(); }
    std::byte* start_of(std::uint64_t tick) { return bytes_.get() + slot_of(tick) * stride_; }

    const Layout* layout_;
    std::size_t stride_;  // from one image to the next
    std::vector<Entry> entries_;
    UninitialisedBytes bytes_;
};

}  // namespace instep::state
