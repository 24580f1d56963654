// SPDX-License-Identifier: MIT
// A pool is a typed window onto flat memory inside a state: live elements first, without gaps, so that
// stepping them is a walk through an array and saving them is one copy. A handle names an element for good:
// it finds the element wherever it has moved to, and finds nothing once that element is gone. Where things
// lie is part of the state: after a restore every order is as it was.
#pragma once

#include <cassert>
#include <cstdint>

#include <instep/state/field.h>

namespace instep::state {

struct Handle {
    std::uint32_t id = no_id;
    std::uint32_t generation = 0;

    static constexpr std::uint32_t no_id = 0xFFFFFFFF;
    explicit operator bool() const { return id != no_id; }
    friend bool operator==(const Handle&, const Handle&) = default;
};

constexpr auto fields_of(Type<Handle>) {
    return fields("Handle", field("id", &Handle::id), field("generation", &Handle::generation));
}

struct PoolHeader {
    std::uint32_t count = 0;            // live elements
    std::uint32_t id_count = 0;         // one more than the highest live id
    std::uint32_t lowest_free_id = 0;   // ids are given out lowest first, so that they stay small on the wire
    std::uint32_t next_generation = 0;  // one for every element ever added, so that no handle fits twice

    // At a thousand new elements a second it comes after 49 days.
    static constexpr std::uint32_t last_generation = 0xFFFFFFFF;
};

// Row i serves both ways: which id the i-th element has, and where the element with id i is.
struct PoolIndex {
    std::uint32_t id_at = 0;
    std::uint32_t place_of = nowhere;
    std::uint32_t generation_of = 0;

    static constexpr std::uint32_t nowhere = 0xFFFFFFFF;
};

// The part of a pool that does not depend on what is in it.
class PoolBase {
public:
    std::uint32_t size() const { return header_->count; }
    std::uint32_t capacity() const { return capacity_; }
    bool empty() const { return header_->count == 0; }
    // A pool whose generations are used up takes no more either: better than a handle that finds a stranger.
    bool full() const {
        return header_->count == capacity_ || header_->next_generation == PoolHeader::last_generation;
    }

    Handle handle_at(std::uint32_t place) const {
        assert(place < size());
        const std::uint32_t id = index_[place].id_at;
        return {id, index_[id].generation_of};
    }

protected:
    static constexpr std::uint32_t nowhere = PoolIndex::nowhere;

    std::uint32_t place_of(Handle handle) const {
        if (handle.id >= header_->id_count || index_[handle.id].generation_of != handle.generation)
            return nowhere;
        return index_[handle.id].place_of;
    }

    std::uint32_t take_place();                       // of a new last element
    void give_back_place(std::uint32_t place) const;  // the last element is to move there

    PoolHeader* header_ = nullptr;
    PoolIndex* index_ = nullptr;
    std::uint32_t capacity_ = 0;
};

template <class T>
class Pool : public PoolBase {
public:
    using Element = T;
    static_assert(sizeof(T) % 8 == 0,
                  "a pooled struct is a whole number of 8-byte words (add a Reserved<N> member)");
    static_assert(alignof(T) <= 8);

    Pool() = default;
    Pool(PoolHeader* header, PoolIndex* index, T* elements, std::uint32_t capacity) : elements_(elements) {
        header_ = header;
        index_ = index;
        capacity_ = capacity;
    }

    T& operator[](std::uint32_t place) { return assert(place < size()), elements_[place]; }
    const T& operator[](std::uint32_t place) const { return assert(place < size()), elements_[place]; }
    T* begin() { return elements_; }
    T* end() { return elements_ + size(); }
    const T* begin() const { return elements_; }
    const T* end() const { return elements_ + size(); }

    // The new last element, or null if the pool is full: a step goes on without it.
    T* add(const T& value = {}) {
        if (full()) return nullptr;
        T* added = elements_ + take_place();
        *added = value;
        return added;
    }

    // The last element moves into the gap: in a loop, look at the same place again (or use remove_if).
    void remove_at(std::uint32_t place) {
        assert(place < size());
        const std::uint32_t last = size() - 1;
        give_back_place(place);
        if (place != last) elements_[place] = elements_[last];
    }

    template <class Predicate>
    void remove_if(Predicate is_gone) {
        for (std::uint32_t place = 0; place < size();) {
            if (is_gone(elements_[place]))
                remove_at(place);
            else
                ++place;
        }
    }

    T* find(Handle handle) {
        const std::uint32_t place = place_of(handle);
        return place == nowhere ? nullptr : elements_ + place;
    }
    const T* find(Handle handle) const { return const_cast<Pool*>(this)->find(handle); }

    Handle handle_of(const T& element) const {
        return handle_at(static_cast<std::uint32_t>(&element - elements_));
    }

private:
    T* elements_ = nullptr;
};

// A struct of which a state has exactly one: its head.
template <class T>
class Single {
public:
    static_assert(sizeof(T) % 8 == 0,
                  "a state's head is a whole number of 8-byte words (add a Reserved<N> member)");

    Single() = default;
    explicit Single(T* value) : value_(value) {}
    T* operator->() { return value_; }
    const T* operator->() const { return value_; }
    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }

private:
    T* value_ = nullptr;
};

}  // namespace instep::state
