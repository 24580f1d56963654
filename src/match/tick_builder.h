// SPDX-License-Identifier: MIT
// One tick's inputs in the making: rows for all slots, kept from tick to tick, and the joins and leaves of
// this one in the order in which a step wants them.
#pragma once

#include <array>

#include <instep/match/match.h>

namespace instep::match {

class TickBuilder {
public:
    explicit TickBuilder(const Setup& setup)
        : row_size_(setup.world->input->size), words_((setup.facts.most_players * row_size_ + 7) / 8) {
        rows_ = {reinterpret_cast<std::byte*>(words_.data()), setup.facts.most_players * row_size_};
    }
    TickBuilder(const TickBuilder&) = delete;  // rows_ looks into words_
    TickBuilder& operator=(const TickBuilder&) = delete;

    // Forgets joins and leaves; inputs stay as they were: a key that is held is still held.
    void begin() { leave_count_ = join_count_ = 0; }

    void leave(contract::Slot slot) {
        insert(leaves_, leave_count_, slot, [](contract::Slot a, contract::Slot b) { return a < b; });
        clear_input(slot);
    }
    void join(const contract::Join& join) {
        insert(joins_, join_count_, join,
               [](const contract::Join& a, const contract::Join& b) { return a.slot < b.slot; });
        clear_input(join.slot);
    }
    std::byte* input(contract::Slot slot) { return rows_.data() + slot * row_size_; }

    TickBytes bytes() const { return {{leaves_.data(), leave_count_}, {joins_.data(), join_count_}, rows_}; }

private:
    template <class T, class Less>
    static void insert(std::array<T, contract::most_slots>& items, std::size_t& count, const T& item,
                       Less less) {
        if (count == items.size()) return;
        std::size_t at = count++;
        for (; at > 0 && less(item, items[at - 1]); --at) items[at] = items[at - 1];
        items[at] = item;
    }
    void clear_input(contract::Slot slot) {
        if ((slot + std::size_t{1}) * row_size_ <= rows_.size()) std::memset(input(slot), 0, row_size_);
    }

    std::size_t row_size_;
    std::vector<std::uint64_t> words_;
    std::span<std::byte> rows_;
    std::array<contract::Slot, contract::most_slots> leaves_{};
    std::array<contract::Join, contract::most_slots> joins_{};
    std::size_t leave_count_ = 0;
    std::size_t join_count_ = 0;
};

}  // namespace instep::match
