// SPDX-License-Identifier: MIT
// This process in a cluster: it knows the rooms of the others by their leases, and goes on with the rooms of
// those that died.
#pragma once

#include <atomic>
#include <map>
#include <set>

#include <instep/cluster/room_lease.h>
#include <instep/server/lobby.h>
#include <instep/server/room_directory.h>

namespace instep::cluster {

struct ClusterSettings {
    RedisUrl url;
    RedisLogin login;
    server::OnJournalLoss on_loss = server::OnJournalLoss::pause;
};

// Asks Redis for the secret that all processes of the cluster share, and makes one if Redis has no secret.
// Blocks, so only before the server starts; an error says why Redis cannot be used.
state::Result<std::string> find_shared_secret(const ClusterSettings& settings);

class Cluster final : public server::RoomDirectory, public std::enable_shared_from_this<Cluster> {
public:
    static constexpr std::chrono::milliseconds look_interval{200};

    Cluster(server::Loop& loop, server::Lobby& lobby, server::Metrics& metrics, server::Log& log,
            const ClusterSettings& settings);

    void start(std::string address) override;
    void drain() override { is_draining_ = true; }
    std::shared_ptr<server::RoomJournal> open_journal(const std::string& room) override;
    std::optional<std::string> find(const std::string& room) const override;
    std::vector<server::RoomListing> rooms() const override;
    const std::string& process_id() const override { return id_; }

private:
    struct Row {
        server::RoomListing room;
        bool is_elsewhere = false;  // another process holds its lease
    };

    void look_at_rooms();
    void look_at(const std::string& room);
    void update(const std::string& room, const Reply& reply);
    void take(const std::string& room);
    void go_on(const std::string& room, const std::string& holder, server::Time sent, const Reply& reply);
    state::Result<std::uint64_t> restore(const std::string& room, const std::string& holder,
                                         server::Time sent, const Reply& reply);
    LeaseConfig lease_config() const;

    server::Loop& loop_;
    server::Lobby& lobby_;
    server::Metrics& metrics_;
    server::Log& log_;
    const ClusterSettings settings_;
    const std::string id_;
    std::shared_ptr<RedisRooms> redis_;
    server::Strand timer_;
    std::atomic<bool> is_draining_{false};

    mutable server::Mutex mutex_;
    std::string address_ GUARDED_BY(mutex_);
    std::map<std::string, Row> rows_ GUARDED_BY(mutex_);  // all rooms
    std::set<std::string> taking_ GUARDED_BY(mutex_);     // a script is under way
};

}  // namespace instep::cluster
