// SPDX-License-Identifier: MIT
#include <instep/state/pool.h>

namespace instep::state {

std::uint32_t PoolBase::take_place() {
    const std::uint32_t place = header_->count++;
    const std::uint32_t id = header_->lowest_free_id;
    if (id == header_->id_count) {
        index_[header_->id_count++] = {};
        // Rows have 12 bytes and an image whole words, so it may take the beginning of the next row along.
        if (header_->id_count < capacity_) index_[header_->id_count].id_at = 0;
    }
    assert(index_[id].place_of == nowhere);
    index_[id].place_of = place;
    index_[id].generation_of = header_->next_generation++;
    index_[place].id_at = id;

    std::uint32_t& free = header_->lowest_free_id;
    while (free < header_->id_count && index_[free].place_of != nowhere) ++free;
    return place;
}

void PoolBase::give_back_place(std::uint32_t place) const {
    const std::uint32_t last = --header_->count;
    const std::uint32_t id = index_[place].id_at;
    const std::uint32_t moved = index_[last].id_at;
    index_[place].id_at = moved;
    index_[moved].place_of = place;
    index_[last].id_at = 0;  // what is not live is blank, so that equal states are equal bytes
    index_[id].place_of = nowhere;
    index_[id].generation_of = 0;

    if (id < header_->lowest_free_id) header_->lowest_free_id = id;
    while (header_->id_count > 0 && index_[header_->id_count - 1].place_of == nowhere) --header_->id_count;
}

}  // namespace instep::state
