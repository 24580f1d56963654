// SPDX-License-Identifier: MIT
// The places there are for connections: so many in all, and so many for one address.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <instep/server/figures.h>
#include <instep/server/refusal.h>
#include <instep/server/settings.h>

namespace instep::server {

class Places {
public:
    Places(const Limits& limits, Figures& figures) : limits_(limits), figures_(figures) {}

    // Held for as long as what is given back is.
    std::expected<std::shared_ptr<void>, Refusal> take(const std::string& address) {
        const std::lock_guard lock(mutex_);
        if (all_ >= limits_.most_connections)
            return refuse(Cause::too_many_connections,
                          "the server holds all the connections it may; try again later");
        std::uint32_t& of_address = by_address_[address];
        if (of_address >= limits_.most_connections_per_address)
            return refuse(Cause::too_many_from_address, "your address holds " + std::to_string(of_address) +
                                                            " connections, which is all it may; close some");
        ++of_address;
        ++all_;
        ++figures_.connections;
        ++figures_.connections_total;
        return std::shared_ptr<void>(nullptr, [this, address](void*) { release(address); });
    }
    bool empty() const {
        const std::lock_guard lock(mutex_);
        return all_ == 0;
    }

private:
    void release(const std::string& address) {
        const std::lock_guard lock(mutex_);
        --all_;
        --figures_.connections;
        const auto found = by_address_.find(address);
        if (--found->second == 0) by_address_.erase(found);
    }

    const Limits& limits_;
    Figures& figures_;
    mutable std::mutex mutex_;
    std::uint32_t all_ = 0;
    std::map<std::string, std::uint32_t> by_address_;
};

}  // namespace instep::server
