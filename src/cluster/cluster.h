// SPDX-License-Identifier: MIT
// This process in a cluster: it knows the rooms of the others by their leases, and goes on with the rooms of
// those that died.
#pragma once

#include <instep/cluster/process_table.h>
#include <instep/cluster/room_lease.h>
#include <instep/cluster/room_watch.h>
#include <instep/cluster/take_over.h>
#include <instep/server/lobby.h>
#include <instep/server/room_directory.h>

namespace instep::cluster {

struct ClusterSettings {
    RedisUrl url;
    RedisLogin login;
    server::OnJournalLoss on_loss = server::OnJournalLoss::pause;
    std::chrono::milliseconds lease = LeaseConfig{}.length;
};

// Asks Redis for the secret that all processes of the cluster share, and makes one if Redis has no secret.
// Blocks, so only before the server starts; an error says why Redis cannot be used.
state::Result<std::string> find_shared_secret(const ClusterSettings& settings);

class Cluster final : public server::RoomDirectory, public std::enable_shared_from_this<Cluster> {
public:
    Cluster(server::Loop& loop, server::Lobby& lobby, server::Metrics& metrics, server::Log& log,
            const ClusterSettings& settings);

    void start(std::string address) override;
    void drain() override { take_over_->drain(); }
    std::shared_ptr<server::RoomJournal> open_journal(const std::string& room) override;
    std::optional<std::string> find(const std::string& room) const override { return watch_->find(room); }
    std::shared_ptr<const server::RoomListings> rooms() const override { return watch_->rooms(); }
    const std::string& process_id() const override { return id_; }
    std::optional<Place> place_room() override { return processes_->place_room(); }
    void spend(const std::string& token, std::chrono::milliseconds valid_for,
               std::function<void(Spent)> answer) override;
    void give_back(const std::string& token) override;
    void place_party(const std::string& party, const std::string& address, const std::string& room,
                     std::function<void(const std::optional<net::Moved>&)> answer) override;
    std::size_t other_processes() const { return processes_->others(); }
    std::size_t rooms_being_taken() const { return take_over_->under_way(); }

private:
    LeaseConfig lease_config() const;
    ProcessFacts facts() const;

    server::Loop& loop_;
    server::Lobby& lobby_;
    server::Metrics& metrics_;
    server::Log& log_;
    const ClusterSettings settings_;
    const std::string id_;
    const std::string build_;
    const std::shared_ptr<RedisRooms> redis_;
    const std::shared_ptr<TakeOver> take_over_;
    const std::shared_ptr<RoomWatch> watch_;
    const std::shared_ptr<ProcessTable> processes_;
    server::Strand timer_;

    mutable server::Mutex mutex_;
    std::string address_ GUARDED_BY(mutex_);
};

}  // namespace instep::cluster
