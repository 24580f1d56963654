// SPDX-License-Identifier: MIT
// A pool without its element type: for the codec, which works on any world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <instep/state/layout.h>

namespace instep::state {

class RawPool : public PoolBase {
public:
    RawPool(const Layout& layout, std::size_t pool, std::byte* block)
        : layout_(&layout.pools[pool]), elements_(block + layout_->elements_offset) {
        header_ = reinterpret_cast<PoolHeader*>(block + layout.headers_offset) + pool;
        index_ = reinterpret_cast<PoolIndex*>(block + layout_->index_offset);
        capacity_ = layout_->capacity;
    }
    // For a const state: a const RawPool gives const elements.
    static const RawPool looking_at(const Layout& layout, std::size_t pool, const std::byte* block) {
        return {layout, pool, const_cast<std::byte*>(block)};
    }

    const PoolLayout& layout() const { return *layout_; }
    const StructInfo& element_info() const { return *layout_->element; }
    std::byte* element(std::uint32_t index) {
        return elements_ + std::size_t{index} * layout_->element->size;
    }
    const std::byte* element(std::uint32_t index) const {
        return elements_ + std::size_t{index} * layout_->element->size;
    }
    std::uint32_t next_generation() const { return header_->next_generation; }

    // The element of that handle, or null.
    const std::byte* find(Handle handle) const {
        const std::uint32_t index = index_of(handle);
        return index == no_index ? nullptr : element(index);
    }

    // A new last element, all zeros; null if the pool is full.
    std::byte* add();
    // False if there is no such element.
    bool remove(Handle handle);

    // Makes these the live elements, in this order; the caller fills in their contents. False, and the pool
    // is empty, if the handles are inconsistent.
    bool set_handles(std::span<const Handle> handles, std::uint32_t next_generation);

private:
    const PoolLayout* layout_;
    std::byte* elements_;
};

}  // namespace instep::state
