// SPDX-License-Identifier: MIT
// The server's end of a room: steps the match with the inputs that came, and writes each client's messages.
// It knows no sockets and reads no clock. `now` is the room's time in seconds: tick t is due at t /
// tick_rate, and a caller that steps late still passes the true time to receive().
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

#include <instep/net/client_stream.h>
#include <instep/net/config.h>
#include <instep/net/desync_judge.h>
#include <instep/net/host_image.h>
#include <instep/net/input_queue.h>
#include <instep/net/messages.h>
#include <instep/net/own_player.h>
#include <instep/net/report_limit.h>

namespace instep::net {

// Counted since the room began.
struct HostStats {
    std::uint64_t inputs_accepted = 0;
    std::uint64_t inputs_duplicate = 0;
    std::uint64_t inputs_late = 0;
    std::uint64_t inputs_early = 0;
    std::uint64_t inputs_illegal = 0;
    std::uint64_t messages_malformed = 0;
    std::uint64_t reports_ignored = 0;  // beyond the limit, of a watcher, or older than one that was judged
    std::uint64_t reports_judged = 0;
    std::uint64_t reports_unfounded = 0;  // of these, the ones that differ in nothing that is remembered
    std::uint64_t ticks_starved = 0;      // players' ticks for which no input had come
    std::uint64_t ticks_played = 0;       // players' ticks in all
    std::uint64_t own_exact = 0;          // snapshots that carried the exact own player
    std::uint64_t own_confirmed = 0;      // snapshots that confirmed the client's prediction of it
    std::uint64_t keyframes = 0;
    std::uint64_t deltas = 0;  // encoded; a shared one counts once
    std::uint64_t deltas_over_budget = 0;
    std::uint32_t longest_wait = 0;  // snapshots that any correction waited
};

class Host {
public:
    static constexpr std::uint32_t max_watchers = 64;

    Host(match::SharedSetup setup, std::uint64_t seed, ReplicationMode mode, const HostConfig& config = {});
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // The room as a value, between two steps; watchers are not in it.
    HostImage save() const;
    // Goes on from an image of any process: with the same inputs, to the same hashes. Only for a host that
    // has not begun to play. The players have no link until reconnect(). Returns what an image of another
    // build contains and this build cannot go on with. On error the host is unchanged.
    state::Result<state::NotCarried> load(const HostImage& image);

    // A free slot, which the player enters with the next tick; refused if the room is full or its config
    // cannot be used. `player` is Join::player.
    state::Result<contract::Slot> join(std::string_view name, LinkKind link, std::uint32_t player = 0);
    // A player without a link, whose inputs come from the world's bot.
    state::Result<contract::Slot> join_bot(std::string_view name);
    // A client that gets every snapshot and has no player. Its slot lies beyond those of players.
    state::Result<contract::Slot> watch(LinkKind link);
    // The same player over a new link: its stream starts anew. Inputs that wait stay.
    void reconnect(contract::Slot slot, LinkKind link);
    // What the welcome of this client's link carries; after join() or reconnect().
    void set_ticket(contract::Slot slot, const TicketText& ticket) { clients_[slot]->ticket = ticket; }
    // Writes no messages to this player's client, and reads none of it: it speaks another protocol. After
    // join() or reconnect(); until the next reconnect().
    void unlink(contract::Slot slot) { clients_[slot]->has_link = false; }
    // Such a player's input for the next tick: a row of any bytes.
    void offer_input(contract::Slot slot, const std::byte* input);
    void leave(contract::Slot slot);

    // Takes any bytes from this client.
    void receive(contract::Slot slot, codec::ByteView message, double now);

    // Room time was set back, as after a pause of the server. Inputs that clients sent before they could know
    // are dropped: their ticks come later than the players meant.
    void step_back_time();

    void step();
    const match::Match& match() const { return match_; }
    const codec::TickLog& ticks() const { return log_; }

    // Writes this client's next message after the last step; false if none is due. A link with
    // link_capacity() bytes in flight is not free: the client misses the snapshot.
    std::size_t link_capacity(contract::Slot slot) const;
    bool write_message(contract::Slot slot, bool link_is_free, double now, codec::Bytes& out);

    // The last tick for which an input of this player came in time; empty if none did since it connected.
    std::optional<std::uint64_t> last_played(contract::Slot slot) const {
        return has_client(slot) ? clients_[slot]->last_played : std::nullopt;
    }
    // Empty without a client in this slot.
    std::optional<StreamState> stream_state(contract::Slot slot) const {
        return has_client(slot) ? std::optional(clients_[slot]->stream.state()) : std::nullopt;
    }
    std::optional<Cell> interest_cell(contract::Slot slot) const {
        return has_client(slot) ? std::optional(clients_[slot]->stream.cell()) : std::nullopt;
    }
    std::uint64_t joined() const { return joined_; }  // players that ever joined
    const HostStats& stats() const { return stats_; }
    // The newest, without reports that are unfounded.
    const std::deque<Desync>& desyncs() const { return desyncs_; }
    // States whose fields were hashed to judge reports, by the streams that there are now.
    std::uint64_t states_hashed() const;

private:
    struct Client {
        Client(const Host& host, LinkKind link);

        bool is_bot = false;
        bool has_link = true;  // false: its stream is not used
        ClientStream stream;
        TicketText ticket;
        InputQueue inputs;
        DesyncJudge judge;
        std::array<std::optional<PredictedHash>, 64> predicted;  // by snapshot
        std::optional<std::uint64_t> last_input;                 // the tick in which an input came last
        std::uint32_t inputs_since = 0;  // inputs of a client that has not received this snapshot are dropped
        std::optional<std::uint64_t> last_played;
        std::optional<InputMargin> worst_margin;  // since the last report of it
        std::optional<Pong> pong;
    };

    using Clients = std::array<std::unique_ptr<Client>, contract::most_slots + max_watchers>;

    state::Result<std::unique_ptr<Client>> load_player(const PlayerImage& image, std::uint64_t tick,
                                                       bool has_inputs) const;
    bool has_client(contract::Slot slot) const { return slot < clients_.size() && clients_[slot]; }
    bool is_player(contract::Slot slot) const { return slot < contract::most_slots; }
    std::uint32_t newest_snapshot() const {
        return static_cast<std::uint32_t>(match_.tick() / setup_->facts.snapshot_every);
    }
    const SnapshotEncoder& encoder_of(const Client& client) const {
        return client.stream.own_encoder() ? *client.stream.own_encoder()
                                           : cells_.stream(client.stream.cell()).encoder();
    }
    bool sends_hash() const;

    void receive_inputs(contract::Slot slot, Client& client, const InputMessage& message, double now);
    void note_margin(Client& client, std::uint32_t tick, double now) const;
    void count(InputVerdict verdict);
    void receive_report(contract::Slot slot, Client& client, codec::ByteView message);
    void judge(contract::Slot slot, Client& client, Report report);

    void begin_tick(codec::TickRecord& record);
    void collect_inputs(codec::TickRecord& record, contract::SlotSet live_before);
    void write_bot_input(contract::Slot slot, std::byte* row) const;
    void encode_shared();
    void move_between_cells(std::uint32_t number);
    void count_delta(const CorrectionBudget& budget);

    OwnPlayerPart own_player_part(contract::Slot slot, Client& client, std::uint32_t number, double now);
    OwnState own_state(contract::Slot slot, const Client& client, std::uint32_t number);

    match::SharedSetup setup_;
    state::Result<void> checked_;  // whether the config can be used
    HostConfig config_;
    match::Match match_;
    ReplicationMode mode_;
    match::TickBuilder tick_;
    codec::TickLog log_;
    InputReader reader_;
    ReportLimit report_limit_;
    std::uint32_t budget_;     // bytes of a delta
    std::size_t field_count_;  // of a report
    InterestCells cells_;
    std::vector<bool> used_cells_;
    codec::Bytes own_delta_;
    Clients clients_;
    codec::Bytes idle_input_;
    std::vector<contract::Join> joins_;
    std::uint64_t seed_;
    std::uint64_t joined_ = 0;
    HostStats stats_;
    std::deque<Desync> desyncs_;
};

}  // namespace instep::net
