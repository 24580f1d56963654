// SPDX-License-Identifier: MIT
// How often one address may do something: token buckets (as a virtual scheduling algorithm, ITU-T I.371
// Annex A, which keeps one time for each bucket) in tables of fixed size.
//
// The tables need no memory for new addresses. A new one takes the place of the bucket that is nearest to
// full, among a few that a secret hash chooses, and begins with what that bucket has left. So however many
// addresses a client uses, eviction gives it nothing, and an address that did nothing costs nothing.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include <instep/server/ip_address.h>
#include <instep/server/loop.h>
#include <instep/server/mutex.h>
#include <instep/server/refusal.h>
#include <instep/server/settings.h>

namespace instep::server {

// Buckets of one rate. Not for several threads at once.
class RateTable {
public:
    static constexpr std::size_t ways = 8;  // buckets among which a new address finds its place
    static constexpr std::size_t sets = 512;

    // A bucket holds `burst` and refills at `per_second`.
    RateTable(double per_second, double burst, std::uint64_t hash_seed);

    // How long until the bucket has one more; 0: now.
    std::chrono::nanoseconds wait_for_one(std::uint64_t key, Time now);
    // Takes from the bucket, into debt if need be, but never deeper than one burst.
    void take(std::uint64_t key, double amount, Time now);

private:
    struct Bucket {
        std::uint64_t key = 0;
        std::int64_t full_at = 0;  // ns: when it will be full again; a bucket that is full may be forgotten
    };
    Bucket& find(std::uint64_t key);

    double interval_;    // ns to refill by one
    std::int64_t span_;  // ns to fill an empty bucket
    std::uint64_t hash_seed_;
    std::vector<Bucket> buckets_;
};

// The rate limit of one kind of action. From any thread.
class AddressRate {
public:
    static constexpr std::uint32_t burst_seconds = 30;  // so many seconds' worth may come at once

    explicit AddressRate(std::uint32_t per_second);

    // Takes one, for the address and each network that is counted around it, and returns 0; or takes nothing
    // and returns how long to wait.
    std::chrono::nanoseconds take(const IpAddress& address, Time now);
    // Takes more for an action that turned out to be costly.
    void charge(const IpAddress& address, double amount, Time now);

private:
    Mutex mutex_;
    std::array<RateTable, network_factors.size()> tables_
        GUARDED_BY(mutex_);  // one for each width of LimitedNetworks
};

// "too many joins came from your address; try again in 3 s".
Refusal rate_limited(std::string_view actions, std::chrono::nanoseconds wait);

struct AddressRates {
    explicit AddressRates(const Limits& limits)
        : upgrades(limits.upgrades_per_second),
          hellos(limits.hellos_per_second),
          requests(limits.requests_per_second) {}

    AddressRate upgrades;  // to WebSockets
    AddressRate hellos;
    AddressRate requests;  // over HTTP, upgrades not included
};

}  // namespace instep::server
