// SPDX-License-Identifier: MIT
// A pool is a typed view of flat memory inside a state: live elements first, without gaps, so that stepping
// them is a loop over an array and saving them is one copy. A handle refers to one element: it finds the
// element wherever it has moved to, and finds nothing once the element is removed. The order of the elements
// is part of the state: a restore brings it back.
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
    std::uint32_t lowest_free_id = 0;   // a new element gets the lowest free id: ids stay small on the wire
    std::uint32_t next_generation = 0;  // counts every element ever added, so no handle is reused

    // Reached after 49 days at a thousand new elements a second.
    static constexpr std::uint32_t last_generation = 0xFFFFFFFF;
};

// Row i holds the id of the i-th element, and the index and generation of the element with id i.
struct PoolIndex {
    std::uint32_t id_at = 0;
    std::uint32_t index_of = no_index;
    std::uint32_t generation_of = 0;

    static constexpr std::uint32_t no_index = 0xFFFFFFFF;
};

// The part of a pool that does not depend on the element type.
class PoolBase {
public:
    std::uint32_t size() const { return header_->count; }
    std::uint32_t capacity() const { return capacity_; }
    bool empty() const { return header_->count == 0; }
    // Also true once the generations are used up: a reused handle would find another element.
    bool full() const {
        return header_->count == capacity_ || header_->next_generation == PoolHeader::last_generation;
    }

    Handle handle_at(std::uint32_t index) const {
        assert(index < size());
        const std::uint32_t id = index_[index].id_at;
        return {id, index_[id].generation_of};
    }

    static constexpr std::uint32_t no_index = PoolIndex::no_index;

    // Where the element of a handle lies, or no_index.
    std::uint32_t index_of(Handle handle) const {
        if (handle.id >= header_->id_count || index_[handle.id].generation_of != handle.generation)
            return no_index;
        return index_[handle.id].index_of;
    }

    // Whether both are views of one pool.
    bool is_same_as(const PoolBase& other) const { return header_ == other.header_; }

protected:
    std::uint32_t take_index();                     // of a new last element
    void release_index(std::uint32_t index) const;  // the caller moves the last element there

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

    T& operator[](std::uint32_t index) { return assert(index < size()), elements_[index]; }
    const T& operator[](std::uint32_t index) const { return assert(index < size()), elements_[index]; }
    T* begin() { return elements_; }
    T* end() { return elements_ + size(); }
    const T* begin() const { return elements_; }
    const T* end() const { return elements_ + size(); }

    // The new last element, or null if the pool is full.
    T* add(const T& value = {}) {
        if (full()) return nullptr;
        T* added = elements_ + take_index();
        *added = value;
        return added;
    }

    // The last element moves into the gap: in a loop, visit the same index again (or use remove_if).
    void remove_at(std::uint32_t index) {
        assert(index < size());
        const std::uint32_t last = size() - 1;
        release_index(index);
        if (index != last) elements_[index] = elements_[last];
    }

    template <class Predicate>
    void remove_if(Predicate is_gone) {
        for (std::uint32_t index = 0; index < size();) {
            if (is_gone(elements_[index]))
                remove_at(index);
            else
                ++index;
        }
    }

    // Makes the pool hold value_at(0) to value_at(count - 1), as far as it has capacity. Overwrites elements
    // in place: clearing and refilling a pool in every step would use up its generations within days.
    template <class ValueAt>
    void assign(std::uint32_t count, ValueAt value_at) {
        while (size() > count) remove_at(size() - 1);
        for (std::uint32_t index = 0; index < count; ++index) {
            if (index < size())
                elements_[index] = value_at(index);
            else if (!add(value_at(index)))
                break;
        }
    }

    T* find(Handle handle) {
        const std::uint32_t index = index_of(handle);
        return index == no_index ? nullptr : elements_ + index;
    }
    const T* find(Handle handle) const { return const_cast<Pool*>(this)->find(handle); }

    // The same pool as one of the only member of its elements.
    template <class M>
    Pool<M> of_members(M T::* member) const {
        static_assert(sizeof(M) == sizeof(T));
        return Pool<M>(header_, index_, &(elements_->*member), capacity_);
    }

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
