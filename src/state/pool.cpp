// SPDX-License-Identifier: MIT
#include <instep/state/pool.h>

namespace instep::state {

std::uint32_t PoolBase::take_index() {
    const std::uint32_t index = header_->count++;
    const std::uint32_t id = header_->lowest_free_id;
    if (id == header_->id_count) {
        index_[header_->id_count++] = {};
        // Rows have 12 bytes and an image whole words, so an image may contain the beginning of the next row.
        if (header_->id_count < capacity_) index_[header_->id_count].id_at = 0;
    }
    assert(index_[id].index_of == no_index);
    index_[id].index_of = index;
    index_[id].generation_of = header_->next_generation++;
    index_[index].id_at = id;

    std::uint32_t& free = header_->lowest_free_id;
    while (free < header_->id_count && index_[free].index_of != no_index) ++free;
    return index;
}

void PoolBase::release_index(std::uint32_t index) const {
    const std::uint32_t last = --header_->count;
    const std::uint32_t id = index_[index].id_at;
    const std::uint32_t moved = index_[last].id_at;
    index_[index].id_at = moved;
    index_[moved].index_of = index;
    index_[last].id_at = 0;  // free rows are blank, so that equal states are equal bytes
    index_[id].index_of = no_index;
    index_[id].generation_of = 0;

    if (id < header_->lowest_free_id) header_->lowest_free_id = id;
    while (header_->id_count > 0 && index_[header_->id_count - 1].index_of == no_index) --header_->id_count;
}

}  // namespace instep::state
