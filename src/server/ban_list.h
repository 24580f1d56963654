// SPDX-License-Identifier: MIT
// Networks that the server's operator has banned for a time. From any thread.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <vector>

#include <instep/server/ip_address.h>
#include <instep/server/loop.h>
#include <instep/server/mutex.h>
#include <instep/server/refusal.h>

namespace instep::server {

class BanList {
public:
    static constexpr std::size_t most_bans = 1024;

    struct Ban {
        IpNetwork network;
        Time until;
        std::string message;  // for those who are banned
    };

    // Replaces an earlier ban of the same network. Refused: there are too many.
    std::expected<void, Refusal> add(const Ban& ban, Time now) {
        const LockGuard lock(mutex_);
        std::erase_if(bans_, [now](const auto& entry) { return entry.second.until <= now; });
        if (bans_.size() >= most_bans && !bans_.contains(ban.network))
            return refuse(RefusalReason::bad_request, "there are " + std::to_string(most_bans) +
                                                          " bans, which is the limit; lift one, or ban a "
                                                          "wider network");
        bans_[ban.network] = ban;
        return {};
    }
    bool lift(const IpNetwork& network) {
        const LockGuard lock(mutex_);
        return bans_.erase(network) > 0;
    }
    std::expected<void, Refusal> check(const IpAddress& address, Time now) const {
        const LockGuard lock(mutex_);
        for (const auto& [network, ban] : bans_)
            if (now < ban.until && network.contains(address)) return std::unexpected(refusal_of(ban, now));
        return {};
    }
    std::vector<Ban> list(Time now) const {
        const LockGuard lock(mutex_);
        std::vector<Ban> all;
        for (const auto& [network, ban] : bans_)
            if (now < ban.until) all.push_back(ban);
        return all;
    }
    static std::uint32_t seconds_left(const Ban& ban, Time now) {
        return static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::seconds>(ban.until - now).count());
    }
    static Refusal refusal_of(const Ban& ban, Time now) {
        const std::uint32_t seconds = seconds_left(ban, now);
        return {RefusalReason::banned, ban.message + "; this ends in " + std::to_string(seconds) + " s",
                seconds};
    }

private:
    mutable Mutex mutex_;
    std::map<IpNetwork, Ban> bans_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
