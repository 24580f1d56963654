// SPDX-License-Identifier: MIT
// One match and those who play it, on one strand, in its own time: tick t is due t / tick_rate seconds after
// the room was opened, by the monotonic clock, however late an earlier one was. What comes from connections
// is put into an inbox from any thread, and taken out of it by the next tick.
//
//     reserve ─► enter ─► deliver ... ─► depart        a seat is kept for a while for one whose line broke
#pragma once

#include <atomic>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <instep/net/host.h>
#include <instep/record/recording.h>
#include <instep/server/recordings.h>
#include <instep/server/wire.h>

namespace instep::server {

struct RoomPlan {
    std::string name;
    match::SharedSetup setup;
    std::uint64_t seed = 1;
    net::ReplicationMode kind = net::ReplicationMode::snapshots;
    std::shared_ptr<RecordingFile> recording;  // null: it is not recorded
    std::string opener;                        // the address that asked for it
    std::uint32_t bots = 0;                    // play where people leave places, up to so many players
    double phase =
        0;  // 0 to 1: how much later than other rooms it ticks, in snapshots, so that not all do at once
};

// One connection to a room; a number that is never used again.
using Guest = std::uint64_t;

class Room : public std::enable_shared_from_this<Room> {
public:
    static constexpr std::uint32_t most_catch_up = 4;               // ticks at once; others want to run too
    static constexpr std::chrono::milliseconds most_behind{250};    // what is beyond is given up as lost
    static constexpr std::chrono::milliseconds sleeps_after{5000};  // with nobody in it: it ticks no more
    static constexpr std::chrono::milliseconds looks_every{100};    // who sleeps, whether somebody came

    Room(Loop& loop, RoomPlan plan, const Limits& limits, Figures& figures, Log& log);

    // Begins to tick. `ended` is called once, when it ticks no more.
    void open(std::function<void(const std::string& name)> ended);

    const RoomPlan& plan() const { return plan_; }
    const match::Setup& setup() const { return *plan_.setup; }
    std::uint64_t tick() const { return tick_; }
    std::uint32_t players() const { return players_; }  // people
    std::uint32_t bots() const { return bot_count_; }
    std::uint32_t watchers() const { return watcher_count_; }
    bool has_ended() const { return has_ended_; }

    // All from any thread. A key is how one who lost its line shows who it was; empty: it cannot.
    std::expected<Guest, Refusal> reserve(const std::string& key);
    std::expected<Guest, Refusal> reserve_to_watch();
    bool has_seat(const std::string& key) const;
    void enter(Guest guest, std::shared_ptr<Line> line, const net::Hello& hello);
    void deliver(Guest guest, codec::ByteView message);
    void depart(Guest guest, bool on_purpose);
    // Finishes the tick, tells everybody, and ends.
    void end(const Refusal& refusal);

private:
    struct Seat {
        std::string key;
        std::string name;
        contract::Slot slot = 0;
        Guest guest = 0;             // whose line this is
        std::shared_ptr<Line> line;  // null: lost, for now
        Time lost_at;
    };
    struct Note {
        enum class Kind : std::uint8_t { enter, message, depart, lose } kind;
        Guest guest;
        Time at;
        std::size_t size;  // of a message
    };
    struct Inbox {
        std::vector<Note> notes;
        codec::Bytes bytes;  // of messages, one after the other
    };
    struct Arrival {
        std::string key;
        std::shared_ptr<Line> line;
        net::Hello hello;
    };

    struct Bot {
        std::uint32_t number = 0;  // what it is named after
        contract::Slot slot = 0;
    };

    double seconds_at(Time time) const { return std::chrono::duration<double>(time - start_).count(); }
    Time due_at(std::uint64_t tick) const;
    void leave_note(Note::Kind kind, Guest guest, codec::ByteView message = {});
    bool take_seat(const std::string& key);  // with mutex_ held
    void free_seat(const std::string& key);

    std::optional<Time> wake();
    bool is_called() const;
    void catch_up(Time now);
    void play_tick(Time now);
    void take_inbox();
    void let_in(Guest guest, Arrival arrival);
    void take_place(Guest guest, Arrival arrival);
    void let_watch(Guest guest, Arrival arrival);
    void stop_watching(Guest guest);
    void keep_bots();
    void dismiss_bot();
    void let_go(Guest guest, bool on_purpose, Time at);
    void give_up_lost(Time now);
    void end_if_empty(Time now);
    void record();
    void write_recording();
    void tell(Time now);
    void tell(Seat& seat, Time now);
    void count_figures();
    void check_invariants();
    void check_budget(std::chrono::nanoseconds used);
    void fail(const std::string& why);
    void finish(const Refusal& refusal);

    RoomPlan plan_;
    const Limits& limits_;
    Figures& figures_;
    Log& log_;
    Strand strand_;
    net::Host host_;
    std::function<void(const std::string&)> ended_;
    Time start_;
    Time empty_since_;
    bool is_asleep_ = false;

    mutable std::mutex mutex_;  // of what follows
    Inbox inbox_;
    std::unordered_map<Guest, std::string> expected_;  // who reserved, by key
    std::unordered_map<Guest, Arrival> arrivals_;
    std::set<std::string> keys_;   // of all seats, taken or reserved
    std::uint32_t may_watch_ = 0;  // who watch or are about to

    Inbox taken_;
    std::map<std::string, Seat> seats_;  // by key
    std::unordered_map<Guest, Seat*> guests_;
    std::unordered_map<Guest, Seat> watchers_;
    std::vector<Seat*> leaving_;
    std::vector<Bot> bots_;
    std::vector<std::pair<Guest, Arrival>> waiting_;  // for the place of a bot that leaves with this tick
    std::optional<record::Recorder> recorder_;
    codec::Bytes recorded_;
    net::HostStats counted_;
    codec::Bytes message_;
    std::optional<Time> over_budget_since_;

    std::atomic<std::uint64_t> tick_{0};
    std::atomic<std::uint32_t> players_{0};
    std::atomic<std::uint32_t> bot_count_{0};
    std::atomic<std::uint32_t> watcher_count_{0};
    std::atomic<bool> has_ended_{false};
};

}  // namespace instep::server
