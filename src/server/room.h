// SPDX-License-Identifier: MIT
// One match and its players, on one strand and in its own time: tick t is due t / tick_rate seconds after the
// room was opened, by the monotonic clock, however late earlier ticks were. Connections put events into the
// inbox; the next tick takes them out.
//
//     reserve ─► enter ─► deliver ... ─► leave        the seat of a disconnected player is kept for a while
#pragma once

#include <atomic>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <instep/net/host.h>
#include <instep/net/token_bucket.h>
#include <instep/record/recording.h>
#include <instep/server/held_messages.h>
#include <instep/server/log.h>
#include <instep/server/metrics.h>
#include <instep/server/player_numbers.h>
#include <instep/server/recordings.h>
#include <instep/server/room_carrier.h>
#include <instep/server/room_image.h>
#include <instep/server/room_inbox.h>
#include <instep/server/room_journal.h>
#include <instep/server/room_report.h>
#include <instep/server/settings.h>
#include <instep/server/tick_parts.h>

namespace instep::server {

struct RoomConfig {
    std::string name;
    match::SharedSetup setup;
    std::uint64_t seed = 1;
    net::ReplicationMode replication = net::ReplicationMode::snapshots;
    std::shared_ptr<RecordingFile> recording;  // null: the match is not recorded
    std::string opened_by;                     // the address of the client that asked for it
    std::uint32_t bots = 0;                    // fill empty seats, up to so many players in all
    // 0 to 1, in intervals between snapshots: how much later than other rooms it ticks, so that ticks spread.
    double phase = 0;
    std::shared_ptr<RoomJournal> journal;  // null: the room ends with the process
    bool has_chat = true;                  // false: what players say is dropped
};

class Room : public std::enable_shared_from_this<Room> {
public:
    static constexpr std::uint32_t max_catch_up = 4;                // ticks in a row, then other rooms run
    static constexpr std::chrono::milliseconds sleeps_after{5000};  // without players and watchers
    static constexpr std::chrono::milliseconds sleep_check{100};    // between looks into the inbox
    // Each join costs the room a keyframe, and all its clients the coder's models. So many are admitted in a
    // burst as there are seats, and then this many a second.
    static constexpr double joins_per_second = 8;
    // What one player may say: so much at once, and then this many lines a second.
    static constexpr double chat_burst = 4;
    static constexpr double chat_per_second = 0.5;
    // Lost players whose seats are kept: at most so many of one address, and at most half of the seats.
    static constexpr std::size_t max_lost_per_address = 8;
    static constexpr std::chrono::milliseconds shortest_resume{10'000};  // of the players of an image

    Room(Loop& loop, RoomConfig config, const Limits& limits, Metrics& metrics, Log& log);

    // Goes on from an image, once and before open(). Players have no connection until they resume. Returns
    // what an image of another build contains and this build cannot go on with.
    state::Result<state::NotCarried> load(const RoomImage& image);
    // Before open(): the file that its match is recorded to.
    void record_to(std::shared_ptr<RecordingFile> recording) { config_.recording = std::move(recording); }
    // Begins to tick. `ended` is called once, after the last tick.
    void open(std::function<void(const std::string& name)> ended);

    const RoomConfig& config() const { return config_; }
    const match::Setup& setup() const { return *config_.setup; }
    std::uint64_t tick() const { return tick_; }
    std::uint32_t players() const { return player_count_; }  // without bots
    std::uint32_t bots() const { return bot_count_; }
    std::uint32_t watchers() const { return watcher_count_; }
    std::uint32_t held_seats() const { return inbox_.held_seats(); }  // for parties that are not complete
    bool has_ended() const { return inbox_.is_closed(); }
    bool is_paused() const { return is_paused_; }  // stands still, since its cluster's Redis is silent

    // All from any thread.
    RoomInbox& inbox() { return inbox_; }
    void report(std::function<void(const RoomReport&)> reply);
    // A player by its slot, or a watcher by its connection. Replies with who it was; empty: no such client.
    void kick(bool is_player, std::uint64_t number, const Refusal& refusal,
              std::function<void(const std::optional<RoomReport::Member>&)> reply);
    void end(const Refusal& refusal);  // finishes the tick, and closes all connections with the refusal
    // Ends as soon as it has no connection, and no seat of a lost player either.
    void end_when_left() { ends_when_left_ = true; }
    // Hands the room to another process: it stands still, and its image is carried there. If it goes on
    // there, clients are told where, and it ends here; otherwise it goes on here. `done` is called once,
    // before clients are told.
    void hand_over(std::shared_ptr<RoomCarrier> carrier, RoomCarrier::Done done);

private:
    struct Seat {
        PlayerId player;
        contract::Slot slot = 0;
        ConnectionId id = 0;
        std::shared_ptr<Connection> connection;  // null: disconnected
        std::optional<Time> kept_until;          // if disconnected; empty: it goes with the next tick
        std::string name;
        std::string address;             // of its latest connection
        const char* leaves_by = "lost";  // the reason that is logged when it leaves: lost, left or kicked
        bool is_original = false;        // its client speaks the world's original protocol
        net::TokenBucket chat_limit{0, 0};

        bool is_lost() const { return !connection && kept_until; }
    };
    struct Watcher {
        contract::Slot slot = 0;
        std::shared_ptr<Connection> connection;
    };
    struct OriginalClient {
        PlayerId player;
        std::shared_ptr<Connection> connection;
        std::shared_ptr<void> session;  // of the world's OriginalProtocol
        codec::Bytes input;             // the last one
        bool has_input = false;
        bool has_asked_to_enter = false;
    };
    using Bot = BotImage;
    using Arrival = RoomInbox::Arrival;

    // Ticks: room.cpp
    double seconds_at(Time time) const { return std::chrono::duration<double>(time - start_).count(); }
    Time due_at(std::uint64_t tick) const;
    std::optional<Time> run_due_ticks();
    void catch_up(Time now);
    void play_tick(Time now);
    void begin_recording();
    void record_tick();
    void write_recording();
    void resume_recording();
    void send_messages(Time now);
    void send_messages(contract::Slot slot, const std::shared_ptr<Connection>& connection, Time now);
    void update_metrics();
    void check_state();
    void check_budget(std::chrono::nanoseconds used);
    void check_slow_tick(std::chrono::nanoseconds took, std::chrono::nanoseconds used);
    void fail(const std::string& why);
    void end_if_empty(Time now);
    void finish(const Refusal& refusal);
    void finish(const std::string& why, const std::function<void(Connection&)>& turn_away);
    void finish_recording();
    template <class Step>
    void attempt(const Step& step);

    // As a value: room_save.cpp
    RoomImage save() const;
    RoomImage save_roster() const;  // without the host
    state::Result<void> load_seats(const RoomImage& image);
    Time start_of_image() const;

    // To another process: room_hand_over.cpp
    void begin_hand_over(const std::shared_ptr<RoomCarrier>& carrier, RoomCarrier::Done done);
    void end_hand_over(const RoomCarrier::Outcome& outcome, const RoomCarrier::Done& done, Time since,
                       std::size_t bytes);

    // In a cluster: room_journaled.cpp
    void open_journal();
    std::optional<Time> wait_for_journal(Time now);
    void keep_up_journal(Time now);
    void journal_tick();
    std::function<codec::Bytes()> image_maker() const;
    void send_or_hold(const std::shared_ptr<Connection>& connection, codec::ByteView message);
    void send_notice(Time now);
    void release();
    void leave_to(const std::string& owner);

    // Seats: room_seats.cpp
    void process_inbox();
    void enter(ConnectionId id, Arrival arrival);
    void wait_to_enter(ConnectionId id, Arrival arrival);
    void admit_waiting();
    void admit(ConnectionId id, Arrival arrival);
    void seat_player(ConnectionId id, const PlayerId& player, Arrival arrival);
    void resume(Seat& seat, ConnectionId id, Arrival arrival);
    void add_watcher(ConnectionId id, const Arrival& arrival);
    void remove_watcher(ConnectionId id);
    void adjust_bots();
    void remove_bot();
    void disconnect(ConnectionId id, bool on_purpose, Time at);
    bool give_up_lost_seat(const std::string* address);
    void bound_lost_seats(const std::string& address);
    void remove_expired_players(Time now);
    void release_left_seats();
    void release_seat(const PlayerId& player);
    bool is_waiting(const PlayerId& player) const;
    std::optional<contract::Slot> slot_of(ConnectionId id) const;
    net::TokenBucket chat_limit() const { return {chat_burst, chat_per_second / setup().facts.tick_rate}; }
    void say(Seat& seat, codec::ByteView message);

    // Clients of the world's original protocol: room_original.cpp
    void add_original(ConnectionId id, Arrival arrival);
    void receive_original(ConnectionId id, OriginalClient& client, codec::ByteView message);
    void offer_original_inputs();
    void update_originals();
    void send_original(const OriginalClient& client);
    RoomInbox::Participant remove_original(ConnectionId id);

    // For the operator: room_report.cpp
    RoomReport make_report() const;
    RoomReport::Member member_of(const Seat& seat) const;
    std::optional<RoomReport::Member> kick_player(std::uint64_t slot, const Refusal& refusal);
    std::optional<RoomReport::Member> kick_watcher(ConnectionId id, const Refusal& refusal);
    void log_player(std::string_view event, const Seat& seat, std::string_view reason);

    Loop& loop_;
    RoomConfig config_;
    const Limits& limits_;
    Metrics& metrics_;
    Log& log_;
    RoomInbox inbox_;
    Strand strand_;

    // On the strand.
    net::TokenBucket join_limit_;
    net::Host host_;
    std::function<void(const std::string&)> ended_;
    Time start_;                                        // when tick 0 was due
    std::optional<std::uint64_t> last_due_;             // of an image
    std::optional<RecordingPosition> recorded_before_;  // likewise
    Time empty_since_;
    bool is_asleep_ = false;
    bool is_handed_over_ = false;  // stands still, until its carrier knows where it goes on
    RoomInbox::Batch events_;
    std::map<PlayerId, Seat> seats_;
    PlayerNumbers player_numbers_;
    std::unordered_map<ConnectionId, Seat*> connected_;
    std::unordered_map<ConnectionId, Watcher> watchers_;
    std::unordered_map<ConnectionId, OriginalClient> originals_;  // seated or not
    contract::OriginalMessages original_messages_;                // to the one that is served now
    std::vector<PlayerId> leaving_;                               // with this tick
    std::vector<std::pair<ConnectionId, Arrival>>
        waiting_;  // to enter: beyond the limit, or for a slot that is left with this tick
    std::vector<Bot> bots_;
    std::optional<record::Recorder> recorder_;
    codec::Bytes recorded_;
    std::uint64_t recorded_since_ = 0;  // the tick with which the recording begins
    net::HostStats counted_;            // what metrics_ has of host_'s stats
    codec::Bytes message_;
    HeldMessages held_;                   // whose ticks are not committed yet; any thread
    std::uint64_t journaled_ = 0;         // the last tick in the journal, or on its way there
    bool roster_changed_ = false;         // since the journal's last entry
    bool is_released_ = false;            // stands still until another process has it
    std::atomic<bool> is_paused_{false};  // because the journal is silent; read by any thread
    bool is_unprotected_ = false;         // plays without a lease
    Time next_checkpoint_;
    Time next_renewal_;
    Time next_notice_;
    std::optional<Time> over_budget_since_;
    TickParts parts_;
    Histogram lateness_;
    Time next_slow_line_;
    std::uint64_t ticks_skipped_ = 0;
    std::uint64_t slow_ticks_ = 0;
    std::uint64_t joins_ = 0;
    std::uint64_t resumes_ = 0;
    std::uint64_t bytes_out_ = 0;

    std::atomic<bool> ends_when_left_{false};
    std::atomic<std::uint64_t> tick_{0};
    std::atomic<std::uint32_t> player_count_{0};
    std::atomic<std::uint32_t> bot_count_{0};
    std::atomic<std::uint32_t> watcher_count_{0};
};

}  // namespace instep::server
