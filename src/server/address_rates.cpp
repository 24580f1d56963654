// SPDX-License-Identifier: MIT
#include <instep/server/address_rates.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

namespace instep::server {
namespace {

std::int64_t nanoseconds_of(Time time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the key changes half of the result's.
std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

// Unknown to clients, so that they cannot choose addresses whose buckets collide.
std::uint64_t secret_seed() {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
}

RateTable table_for(std::uint32_t per_second, std::uint32_t factor) {
    const double rate = static_cast<double>(per_second) * factor;
    return {rate, rate * AddressRate::burst_seconds, secret_seed()};
}

}  // namespace

RateTable::RateTable(double per_second, double burst, std::uint64_t hash_seed)
    : interval_(1e9 / per_second),
      span_(std::llround(burst * interval_)),
      hash_seed_(hash_seed),
      buckets_(sets * ways) {}

RateTable::Bucket& RateTable::find(std::uint64_t key) {
    const std::size_t set = mix(mix(key ^ hash_seed_) + hash_seed_) % sets;
    const std::span<Bucket> candidates(buckets_.data() + set * ways, ways);
    for (Bucket& bucket : candidates)
        if (bucket.key == key) return bucket;
    Bucket& fullest =
        *std::min_element(candidates.begin(), candidates.end(),
                          [](const Bucket& a, const Bucket& b) { return a.full_at < b.full_at; });
    fullest.key = key;  // full_at stays
    return fullest;
}

std::chrono::nanoseconds RateTable::wait_for_one(std::uint64_t key, Time now) {
    const std::int64_t at = nanoseconds_of(now);
    const std::int64_t full_at = std::max(find(key).full_at, at) + std::llround(interval_);
    return std::chrono::nanoseconds(std::max<std::int64_t>(0, full_at - at - span_));
}

void RateTable::take(std::uint64_t key, double amount, Time now) {
    const std::int64_t at = nanoseconds_of(now);
    std::int64_t& full_at = find(key).full_at;
    const std::int64_t owed = std::llround(std::min(amount * interval_, 2.0 * static_cast<double>(span_)));
    full_at = std::min(std::max(full_at, at) + owed, at + 2 * span_);
}

AddressRate::AddressRate(std::uint32_t per_second)
    : tables_{table_for(per_second, network_factors[0]), table_for(per_second, network_factors[1]),
              table_for(per_second, network_factors[2])} {}

std::chrono::nanoseconds AddressRate::take(const IpAddress& address, Time now) {
    const LimitedNetworks networks(address);
    const LockGuard lock(mutex_);
    std::chrono::nanoseconds wait{0};
    auto* table = tables_.data();
    for (const LimitedNetwork& limited : networks)
        wait = std::max(wait, (table++)->wait_for_one(limited.network.key(), now));
    if (wait.count() > 0) return wait;
    table = tables_.data();
    for (const LimitedNetwork& limited : networks) (table++)->take(limited.network.key(), 1, now);
    return wait;
}

void AddressRate::charge(const IpAddress& address, double amount, Time now) {
    const LimitedNetworks networks(address);
    const LockGuard lock(mutex_);
    auto* table = tables_.data();
    for (const LimitedNetwork& limited : networks) (table++)->take(limited.network.key(), amount, now);
}

Refusal rate_limited(std::string_view actions, std::chrono::nanoseconds wait) {
    const auto seconds = static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::seconds>(wait).count());
    return {RefusalReason::rate_limited,
            "too many " + std::string(actions) + " came from your address; try again in " +
                std::to_string(seconds) + " s",
            seconds};
}

}  // namespace instep::server
