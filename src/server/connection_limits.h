// SPDX-License-Identifier: MIT
// How many of something may be open at a time, in all and for one address: connections of a listener,
// downloads of recordings.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <instep/server/ip_address.h>
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

    // Counts in all and for the address.
    std::expected<Permit, Exceeded> acquire(const std::string& address) {
        auto total = acquire_total();
        if (!total) return total;
        auto of_address = acquire_networks({{address, 1}});
        if (!of_address) return of_address;
        return std::make_shared<std::pair<Permit, Permit>>(std::move(*total), std::move(*of_address));
    }
    // Counts in all. The address is counted when it is known.
    std::expected<Permit, Exceeded> acquire_total() {
        const LockGuard lock(state_->mutex);
        if (state_->total >= most_) return std::unexpected(Exceeded::total);
        ++state_->total;
        if (gauge_) ++*gauge_;
        return Permit(nullptr, [state = state_, gauge = gauge_](void*) {
            const LockGuard releasing(state->mutex);
            --state->total;
            if (gauge) --*gauge;
        });
    }
    // Counts for the address and for the networks around it, but not in all.
    std::expected<Permit, Exceeded> acquire_address(const IpAddress& address) {
        Networks networks;
        for (const LimitedNetwork& limited : LimitedNetworks(address))
            networks.emplace_back(limited.network.text(), limited.factor);
        return acquire_networks(std::move(networks));
    }
    bool empty() const {
        const LockGuard lock(state_->mutex);
        return state_->total == 0;
    }
    std::uint32_t most_per_address() const { return most_per_address_; }

private:
    using Networks = std::vector<std::pair<std::string, std::uint32_t>>;  // and how many times the limit
    struct State {
        Mutex mutex;
        std::uint32_t total GUARDED_BY(mutex) = 0;
        std::map<std::string, std::uint32_t> by_network GUARDED_BY(mutex);
    };

    std::expected<Permit, Exceeded> acquire_networks(Networks networks) {
        const LockGuard lock(state_->mutex);
        for (const auto& [network, factor] : networks)
            if (const auto found = state_->by_network.find(network);
                found != state_->by_network.end() &&
                found->second >= std::uint64_t{most_per_address_} * factor)
                return std::unexpected(Exceeded::per_address);
        for (const auto& [network, factor] : networks) ++state_->by_network[network];
        return Permit(nullptr, [state = state_, networks = std::move(networks)](void*) {
            const LockGuard releasing(state->mutex);
            for (const auto& [network, factor] : networks)
                if (const auto found = state->by_network.find(network); --found->second == 0)
                    state->by_network.erase(found);
        });
    }

    std::shared_ptr<State> state_;
    std::uint32_t most_;
    std::uint32_t most_per_address_;
    Count* gauge_;
};

}  // namespace instep::server
