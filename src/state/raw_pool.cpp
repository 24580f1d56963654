// SPDX-License-Identifier: MIT
#include <instep/state/raw_pool.h>

#include <cstring>

namespace instep::state {

std::byte* RawPool::add() {
    if (full()) return nullptr;
    std::byte* added = element(take_index());
    std::memset(added, 0, layout_->element->size);
    return added;
}

bool RawPool::remove(Handle handle) {
    const std::uint32_t index = index_of(handle);
    if (index == no_index) return false;
    const std::uint32_t last = size() - 1;
    release_index(index);
    if (index != last) std::memcpy(element(index), element(last), layout_->element->size);
    return true;
}

bool RawPool::set_handles(std::span<const Handle> handles, std::uint32_t next_generation) {
    *header_ = {.next_generation = next_generation};
    if (handles.size() > capacity_) return false;
    std::uint32_t id_count = 0;
    for (const Handle& handle : handles) {
        if (handle.id >= capacity_ || handle.generation >= next_generation) return false;
        if (handle.id >= id_count) id_count = handle.id + 1;
    }
    // And the row after them, whose beginning may be part of an image.
    for (std::uint32_t i = 0; i <= id_count && i < capacity_; ++i) index_[i] = {};
    for (std::uint32_t index = 0; index < handles.size(); ++index) {
        PoolIndex& row = index_[handles[index].id];
        if (row.index_of != no_index) return false;
        row.index_of = index;
        row.generation_of = handles[index].generation;
        index_[index].id_at = handles[index].id;
    }
    std::uint32_t lowest_free = 0;
    while (lowest_free < id_count && index_[lowest_free].index_of != no_index) ++lowest_free;
    *header_ = {.count = static_cast<std::uint32_t>(handles.size()),
                .id_count = id_count,
                .lowest_free_id = lowest_free,
                .next_generation = next_generation};
    return true;
}

}  // namespace instep::state
