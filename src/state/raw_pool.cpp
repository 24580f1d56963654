// SPDX-License-Identifier: MIT
#include <instep/state/raw_pool.h>

#include <cstring>

namespace instep::state {

std::byte* RawPool::add() {
    if (full()) return nullptr;
    std::byte* added = element(take_place());
    std::memset(added, 0, layout_->element->size);
    return added;
}

bool RawPool::remove(Handle handle) {
    const std::uint32_t place = place_of(handle);
    if (place == nowhere) return false;
    const std::uint32_t last = size() - 1;
    give_back_place(place);
    if (place != last) std::memcpy(element(place), element(last), layout_->element->size);
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
    // And the row after them, of which an image may take the beginning along.
    for (std::uint32_t i = 0; i <= id_count && i < capacity_; ++i) index_[i] = {};
    for (std::uint32_t place = 0; place < handles.size(); ++place) {
        PoolIndex& row = index_[handles[place].id];
        if (row.place_of != nowhere) return false;
        row.place_of = place;
        row.generation_of = handles[place].generation;
        index_[place].id_at = handles[place].id;
    }
    std::uint32_t lowest_free = 0;
    while (lowest_free < id_count && index_[lowest_free].place_of != nowhere) ++lowest_free;
    *header_ = {.count = static_cast<std::uint32_t>(handles.size()),
                .id_count = id_count,
                .lowest_free_id = lowest_free,
                .next_generation = next_generation};
    return true;
}

}  // namespace instep::state
