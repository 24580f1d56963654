// SPDX-License-Identifier: MIT
// How many of something may be open at a time, in all and for one address: connections of a listener,
// downloads of recordings.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>

#include <instep/server/metrics.h>
#include <instep/server/mutex.h>

namespace instep::server {

class ConnectionLimits {
public:
    // `gauge`, if there is one, always has the number of permits; it must live as long as all of them.
    ConnectionLimits(std::uint32_t most, std::uint32_t most_per_address, Count* gauge = nullptr)
        : state_(std::make_shared<State>()),
          most_(most),
          most_per_address_(most_per_address),
          gauge_(gauge) {}

    enum class Exceeded : std::uint8_t { total, per_address };
    using Permit = std::shared_ptr<void>;  // counts while it is held; may outlive the limits

    std::expected<Permit, Exceeded> acquire(const std::string& address) {
        const LockGuard lock(state_->mutex);
        if (state_->total >= most_) return std::unexpected(Exceeded::total);
        std::uint32_t& of_address = state_->by_address[address];
        if (of_address >= most_per_address_) return std::unexpected(Exceeded::per_address);
        ++of_address;
        ++state_->total;
        if (gauge_) ++*gauge_;
        return Permit(nullptr, [state = state_, gauge = gauge_, address](void*) {
            const LockGuard releasing(state->mutex);
            --state->total;
            if (gauge) --*gauge;
            const auto found = state->by_address.find(address);
            if (--found->second == 0) state->by_address.erase(found);
        });
    }
    bool empty() const {
        const LockGuard lock(state_->mutex);
        return state_->total == 0;
    }
    std::uint32_t most_per_address() const { return most_per_address_; }

private:
    struct State {
        Mutex mutex;
        std::uint32_t total GUARDED_BY(mutex) = 0;
        std::map<std::string, std::uint32_t> by_address GUARDED_BY(mutex);
    };
    std::shared_ptr<State> state_;
    std::uint32_t most_;
    std::uint32_t most_per_address_;
    Count* gauge_;
};

}  // namespace instep::server
