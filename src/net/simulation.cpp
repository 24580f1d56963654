// SPDX-License-Identifier: MIT
#include <instep/net/simulation.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

namespace instep::net {

struct Simulation::Player {
    Player(const match::SharedSetup& level, LinkKind link, const PlayerConditions& given,
           math::Random& random)
        : conditions(given), setup(level), kind(link), input(level->world->input->size) {
        clock_start = random.uniform(0, 1000);
        next_frame_at = random.uniform(0, 1 / conditions.frame_rate);
        connect(random);
    }
    void watch_screen() { screen.emplace(*setup); }

    // A reloaded page: a new client over new links.
    void connect(math::Random& random) {
        client = std::make_unique<Client>(setup, kind);
        up = std::make_unique<SimulatedLink>(kind, conditions.up, random.next());
        down = std::make_unique<SimulatedLink>(kind, conditions.down, random.next());
        snapshot_at.reset();
        failures = 0;
        corrections_counted = 0;
        joined_at.reset();
        predicted_events.clear();
    }
    // Nothing but latency and jitter delays its packets.
    bool has_clean_links() const {
        return !(conditions.up.loss + conditions.up.burst_chance + conditions.up.rate + conditions.down.loss +
                     conditions.down.burst_chance + conditions.down.rate >
                 0);
    }
    double round_trip() const {
        return conditions.up.latency + conditions.up.jitter + conditions.down.latency +
               conditions.down.jitter;
    }
    double local(double time) const { return clock_start + time * (1 + conditions.drift); }

    PlayerConditions conditions;
    match::SharedSetup setup;
    LinkKind kind;
    std::unique_ptr<Client> client;
    std::unique_ptr<SimulatedLink> up;
    std::unique_ptr<SimulatedLink> down;
    std::vector<std::byte> input;
    std::optional<PictureCheck> screen;
    const std::byte* picture = nullptr;  // of the last frame, if it decides on that
    contract::Slot slot = 0;
    double clock_start = 0;
    double next_frame_at = 0;
    double paused_until = 0;
    std::optional<double> snapshot_at;  // when the last snapshot was applied
    double slow_at = 0;                 // when its link was last too slow for any input to arrive in time
    double played_at = 0;               // the last tick for which an input came in time
    double reconnected_at = 0;
    bool awaits_recovery = false;              // no input was accepted since the server's pause
    std::uint64_t failures = 0;                // of this client so far
    std::set<std::uint32_t> predicted_events;  // neither confirmed nor cancelled yet
    // A frame counts as free of contacts once a second has passed without one.
    struct Frame {
        double at = 0;
        std::uint64_t corrections = 0;  // in it
    };
    std::deque<Frame> recent;
    std::uint64_t corrections_counted = 0;  // of this client so far
    std::optional<double> joined_at;        // when its first snapshot was applied
    std::optional<double> touched_at;       // the last contact with another player
    std::uint64_t free_frames = 0;
    std::uint64_t free_corrections = 0;
    std::uint64_t frames = 0;
    // Of earlier clients of this player.
    std::uint64_t corrections = 0;
    double largest_correction = 0;
    std::uint32_t deepest_rollback = 0;
    std::uint32_t desyncs = 0;
    std::uint64_t skipped_ticks = 0;
    std::uint64_t bytes_up = 0;
    std::uint64_t bytes_down = 0;

    void collect() {
        const ClientStats stats = client->stats();
        corrections += stats.corrections;
        largest_correction = std::max(largest_correction, stats.largest_correction);
        deepest_rollback = std::max(deepest_rollback, stats.deepest_rollback);
        desyncs += stats.desyncs;
        skipped_ticks += stats.skipped_ticks;
        bytes_up += up->bytes_sent();
        bytes_down += down->bytes_sent();
    }
};

namespace {

constexpr double steps_per_tick = 4;
constexpr std::size_t up_capacity = 8 * 1024;  // bytes of inputs in flight at which a link takes no more
constexpr std::size_t max_faults = 20;
constexpr double joining = 5;       // s until a client's clock has settled
constexpr double near_contact = 1;  // s
constexpr double input_recovery =
    0.1;  // s beyond a round trip until inputs are accepted after the server's pause
constexpr double time_to_recover = 15;  // s after a disturbance until snapshots and inputs must arrive again

LinkConditions varied_link(math::Random& random) {
    LinkConditions link;
    link.latency = random.uniform(0, 0.15);
    link.jitter = random.uniform(0, 0.05);
    link.loss = random.below(3) == 0 ? 0 : random.uniform(0, 0.2);
    if (random.below(3) == 0) {
        link.burst_chance = random.uniform(0, 0.01);
        link.burst_length = random.uniform(0.1, 1.5);
    }
    link.duplicates = random.below(3) == 0 ? random.uniform(0, 0.1) : 0;
    link.rate = random.below(4) == 0 ? random.uniform(8'000, 40'000) : 0;
    return link;
}

PlayerConditions varied_conditions(math::Random& random) {
    PlayerConditions conditions;
    conditions.up = varied_link(random);
    conditions.down = varied_link(random);
    constexpr double frame_rates[] = {30, 60, 60, 120};
    conditions.frame_rate = frame_rates[random.below(4)];
    conditions.drift = random.uniform(-2e-4, 2e-4);
    if (random.below(4) == 0) {
        conditions.pause_every = random.uniform(10, 60);
        conditions.pause_length = random.uniform(0.1, 5);
    }
    if (random.below(8) == 0) conditions.reconnect_every = random.uniform(30, 120);
    return conditions;
}

}  // namespace

Simulation::Simulation(match::SharedSetup setup, const SimulationPlan& plan)
    : setup_(std::move(setup)),
      plan_(plan),
      random_(math::Random::from_seed(plan.seed)),
      host_(setup_, plan.seed, plan.replication, {.delta_budget = plan.budget}),
      step_(1.0 / setup_->facts.tick_rate / steps_per_tick) {
    for (std::uint32_t i = 0; i < plan.players; ++i) {
        const PlayerConditions conditions = plan.varied ? varied_conditions(random_) : plan.conditions;
        auto player = std::make_unique<Player>(setup_, plan.link, conditions, random_);
        const auto slot = host_.join("bot " + std::to_string(i), plan.link);
        if (!slot) {
            fault(slot.error().text());
            break;
        }
        player->slot = *slot;
        if (plan.aims_at_screen) player->watch_screen();
        players_.push_back(std::move(player));
    }
    for (std::uint32_t i = 0; i < plan.bots; ++i)
        if (const auto slot = host_.join_bot("bot " + std::to_string(plan.players + i)); !slot)
            fault(slot.error().text());
}

Simulation::~Simulation() = default;

Client& Simulation::client(std::size_t player) { return *players_[player]->client; }

double Simulation::local_time(std::size_t player) const { return players_[player]->local(time_); }

void Simulation::fault(std::string text) {
    if (faults_.size() < max_faults)
        faults_.push_back("at " + std::to_string(time_) + " s: " + std::move(text));
}

bool Simulation::advance() {
    if (time_ >= plan_.seconds) return false;
    time_ += step_;
    change_links();
    serve();
    for (const auto& player : players_) {
        play(*player);
        check(*player);
    }
    return true;
}

// Storms begin and end, clients reconnect.
void Simulation::change_links() {
    const bool storm = time_ >= plan_.storm_at && time_ < plan_.storm_at + plan_.storm_seconds;
    for (const auto& player : players_) {
        const double every = player->conditions.reconnect_every;
        if (every > 0 && random_.uniform() < step_ / every) {
            player->collect();
            player->connect(random_);
            player->reconnected_at = time_;
            host_.reconnect(player->slot, plan_.link);
        } else if (storm == in_storm_) {
            continue;
        }
        LinkConditions up = player->conditions.up;
        LinkConditions down = player->conditions.down;
        if (storm) up.loss = down.loss = 0.6;
        player->up->set_conditions(up);
        player->down->set_conditions(down);
    }
    in_storm_ = storm;
}

bool Simulation::host_is_paused() const {
    return time_ >= plan_.host_pause_at && time_ < plan_.host_pause_at + plan_.host_pause_seconds;
}

// As server/room.cpp does: room time is set back by the ticks that are given up.
void Simulation::resume_host() {
    is_paused_ = false;
    const double due = static_cast<double>(host_.match().tick() + 1) / setup_->facts.tick_rate;
    const double behind = room_time() - due;
    if (behind > HostConfig{}.max_lateness) {
        host_offset_ += behind;
        next_tick_at_ = due;
        host_.step_back_time();
    }
    resumed_ = {time_, static_cast<std::uint32_t>(host_.match().tick() / setup_->facts.snapshot_every) + 1};
    for (const auto& player : players_)
        player->awaits_recovery = player->has_clean_links() && player->client->joined();
}

void Simulation::serve() {
    if (host_is_paused()) {
        is_paused_ = true;
        return;
    }
    if (is_paused_) resume_host();
    codec::Bytes message;
    for (const auto& player : players_)
        while (const auto arrival = player->up->receive(time_, message)) deliver(*player, message, *arrival);
    if (room_time() < next_tick_at_) return;
    host_.step();
    for (const auto& player : players_)
        if (player->screen)
            player->screen->add_server_tick(host_.match().tick(), host_.match().events(), player->slot);
    const double due = static_cast<double>(host_.match().tick() + 1) / setup_->facts.tick_rate;
    next_tick_at_ = due + random_.uniform() * plan_.host_lateness;
    send_snapshots();
}

void Simulation::deliver(Player& player, codec::ByteView message, double arrival) {
    if (resumed_) arrival = std::max(arrival, resumed_->at);  // a server that stands still stamps nothing
    const std::uint64_t accepted = host_.stats().inputs_accepted;
    host_.receive(player.slot, message, arrival - host_offset_);
    if (!player.awaits_recovery || host_.stats().inputs_accepted == accepted) return;
    const auto inputs = read_inputs(message, *setup_->world->input);
    if (!inputs || inputs->acknowledged < resumed_->snapshot) return;  // made before the pause was over
    player.awaits_recovery = false;
    slowest_recovery_ = std::max(slowest_recovery_, time_ - resumed_->at - player.round_trip());
}

void Simulation::send_snapshots() {
    for (const auto& player : players_) {
        for (;;) {
            codec::Bytes out;
            const bool is_free = player->down->bytes_in_flight() < host_.link_capacity(player->slot);
            if (!host_.write_message(player->slot, is_free, room_time(), out)) break;
            if (!is_free) fault("player " + std::to_string(player->slot) + " was sent more on a full link");
            if (kind_of(out) == MessageKind::welcome)
                join_size_ = std::max(join_size_, static_cast<double>(out.size()));
            else
                sizes_.push_back(static_cast<std::uint32_t>(out.size()));
            player->down->send(out, time_);
            if (time_ <= joining) join_bytes_ += static_cast<double>(out.size());
        }
        max_in_flight_ = std::max<std::uint64_t>(max_in_flight_, player->down->bytes_in_flight());
        max_in_flight_ = std::max<std::uint64_t>(max_in_flight_, player->up->bytes_in_flight());
    }
}

void Simulation::play(Player& player) {
    if (player.conditions.pause_every > 0 && time_ >= player.paused_until &&
        random_.uniform() < step_ / player.conditions.pause_every)
        player.paused_until = time_ + player.conditions.pause_length;
    if (time_ < player.paused_until || time_ < player.next_frame_at) return;
    player.next_frame_at = std::max(player.next_frame_at + 1 / player.conditions.frame_rate, time_);
    Client& client = *player.client;
    const double now = player.local(time_);
    codec::Bytes message;
    while (const auto arrival = player.down->receive(time_, message)) {
        const std::uint64_t before = client.stats().snapshots;
        client.receive(message, player.local(*arrival));
        if (client.stats().snapshots > before) player.snapshot_at = time_;
    }
    while (client.wants_tick(now)) {
        setup_->world->bot(setup_->value.get(), setup_->layout,
                           player.picture ? player.picture : client.predicted(), player.slot,
                           player.input.data());
        client.tick(player.input.data());
        lead_sum_ += client.clock().lead(now);
        ++lead_count_;
    }
    if (player.screen) player.picture = player.screen->draw(client, now);
    take_events(player);
    note_frame(player);
    codec::Bytes out;
    while (player.up->bytes_in_flight() < up_capacity && client.write_message(now, out)) {
        player.up->send(out, time_);
        out.clear();
    }
}

// Each event is shown once, and each prediction ends once.
void Simulation::take_events(Player& player) {
    present::EventNotice notice;
    while (player.client->next_event(notice)) {
        if (is_contact(player, notice)) player.touched_at = time_;
        if (player.screen) player.screen->take_event(notice, player.slot);
        const bool known = player.predicted_events.contains(notice.number);
        const bool is_end = notice.status == present::EventStatus::confirmed ||
                            notice.status == present::EventStatus::cancelled;
        if (known != is_end)
            fault("player " + std::to_string(player.slot) + " saw event " + std::to_string(notice.number) +
                  (known ? " twice" : " end that was never predicted"));
        if (notice.status == present::EventStatus::predicted) {
            player.predicted_events.insert(notice.number);
            continue;
        }
        player.predicted_events.erase(notice.number);
        if (notice.status == present::EventStatus::confirmed) ++events_confirmed_;
        ++(notice.status == present::EventStatus::cancelled ? events_cancelled_ : events_shown_);
    }
}

// A contact between the own player and another, whose inputs no client can predict.
bool Simulation::is_contact(const Player& player, const present::EventNotice& notice) const {
    const state::StructInfo& info = *setup_->world->event;
    const state::Field* slot = info.find("slot");
    const state::Field* by = info.find("by");
    if (!slot || !by) return false;
    const double target = state::number_at(*slot, notice.event.data());
    const double cause = state::number_at(*by, notice.event.data());
    return target != cause && std::max(target, cause) < contract::most_slots &&
           (target == player.slot || cause == player.slot);
}

void Simulation::note_frame(Player& player) {
    if (!player.joined_at && player.client->joined()) player.joined_at = time_;
    if (!player.joined_at) return;
    ++player.frames;
    const std::uint64_t corrections = player.client->stats().corrections;
    if (time_ - *player.joined_at > joining)
        player.recent.push_back({time_, corrections - player.corrections_counted});
    player.corrections_counted = corrections;
    if (player.touched_at && time_ - *player.touched_at < near_contact) player.recent.clear();
    for (; !player.recent.empty() && time_ - player.recent.front().at >= near_contact;
         player.recent.pop_front()) {
        ++player.free_frames;
        player.free_corrections += player.recent.front().corrections;
    }
}

// The guarantees that hold at every moment, whatever the links do.
void Simulation::check(Player& player) {
    const Client& client = *player.client;
    const std::string name = "player " + std::to_string(player.slot);
    if (!client.refusal().empty()) fault(name + " was refused: " + client.refusal());
    const ClientStats stats = client.stats();
    const std::uint64_t failures = stats.messages_malformed + stats.desyncs;
    if (failures > player.failures)
        fault(name + (stats.desyncs > 0 ? " has a desync" : " got a malformed message"));
    player.failures = failures;
    const SnapshotDecoder* decoder = client.decoder();
    if (decoder && decoder->has_snapshot() && decoder->tick() > host_.match().tick())
        fault(name + " has a snapshot from the future");
    if (host_.stats().messages_malformed > messages_malformed_) fault("the server got a malformed message");
    messages_malformed_ = host_.stats().messages_malformed;
    if (stats.deepest_rollback > std::ceil(ClientConfig{}.max_rollback * setup_->facts.tick_rate))
        fault(name + " replayed more than a second");
    check_recovery(player);
    const double calm_since =
        std::max({plan_.storm_at + plan_.storm_seconds, player.paused_until, player.reconnected_at,
                  plan_.host_pause_at + plan_.host_pause_seconds});
    const bool stormy = time_ >= plan_.storm_at && time_ < calm_since;
    if (!stormy && time_ - std::max(calm_since, player.snapshot_at.value_or(0)) > time_to_recover) {
        fault(name + " got no snapshot for " + std::to_string(time_to_recover) + " s");
        player.snapshot_at = time_;  // report it once
    }
    // Inputs that take longer than the longest lead, or that are predicted from a base more than a second
    // old, are late by design.
    const std::uint64_t max_ahead =
        static_cast<std::uint64_t>(ClientConfig{}.max_rollback * setup_->facts.tick_rate);
    if (client.clock().wanted_lead() >= ClockConfig{}.max_lead ||
        client.base_tick() + max_ahead <= host_.match().tick() + 1)
        player.slow_at = time_;
    if (const auto tick = host_.last_played(player.slot))
        player.played_at = static_cast<double>(*tick) / setup_->facts.tick_rate + host_offset_;
    if (!stormy && time_ - std::max({calm_since, player.played_at, player.slow_at}) > time_to_recover) {
        fault(name + " had no input in time for " + std::to_string(time_to_recover) + " s");
        player.slow_at = time_;  // report it once
    }
}

// After the server's pause, inputs over a clean link are accepted within a round trip, 100 ms and a frame.
void Simulation::check_recovery(Player& player) {
    if (!player.awaits_recovery) return;
    if (in_storm_ || player.paused_until > plan_.host_pause_at ||
        player.reconnected_at > plan_.host_pause_at) {
        player.awaits_recovery = false;  // something else holds its inputs up
        return;
    }
    const double limit = player.round_trip() + input_recovery + 1 / player.conditions.frame_rate;
    if (time_ - resumed_->at <= limit) return;
    fault("player " + std::to_string(player.slot) + " had no input accepted within " + std::to_string(limit) +
          " s after the server's pause");
    player.awaits_recovery = false;  // report it once
}

SimulationReport Simulation::report() const {
    SimulationReport report;
    report.seconds = time_;
    report.players = static_cast<std::uint32_t>(players_.size());
    double up = 0;
    double down = 0;
    for (const auto& player : players_) {
        const Player& all = *player;
        const ClientStats stats = all.client->stats();
        report.frames += all.frames;
        report.corrections += all.corrections + stats.corrections;
        report.free_frames += all.free_frames;
        report.free_corrections += all.free_corrections;
        report.largest_correction =
            std::max({report.largest_correction, all.largest_correction, stats.largest_correction});
        report.deepest_rollback =
            std::max({report.deepest_rollback, all.deepest_rollback, stats.deepest_rollback});
        report.desyncs += all.desyncs + stats.desyncs;
        report.skipped_ticks += all.skipped_ticks + stats.skipped_ticks;
        up += static_cast<double>(all.bytes_up + all.up->bytes_sent());
        down += static_cast<double>(all.bytes_down + all.down->bytes_sent());
        if (all.screen) report.pictures.add(all.screen->stats());
    }
    const double players = std::max<double>(1, report.players);
    report.up = up / players / time_ / 1000;
    report.down = down / players / time_ / 1000;
    if (time_ > joining) report.down_steady = (down - join_bytes_) / players / (time_ - joining) / 1000;
    std::vector<std::uint32_t> sizes = sizes_;
    std::stable_sort(sizes.begin(), sizes.end());
    if (!sizes.empty()) report.snapshot_p99 = sizes[sizes.size() * 99 / 100];
    report.join_size = join_size_;
    report.mean_lead = lead_count_ > 0 ? lead_sum_ / static_cast<double>(lead_count_) : 0;
    const HostStats& stats = host_.stats();
    report.starved = static_cast<double>(stats.ticks_starved) /
                     static_cast<double>(std::max<std::uint64_t>(1, stats.ticks_played));
    report.confirmed = static_cast<double>(stats.own_confirmed) /
                       static_cast<double>(std::max<std::uint64_t>(1, stats.own_confirmed + stats.own_exact));
    report.slowest_recovery = slowest_recovery_;
    report.events_shown = events_shown_;
    report.events_confirmed = events_confirmed_;
    report.events_cancelled = events_cancelled_;
    report.max_in_flight = max_in_flight_;
    report.keyframes = stats.keyframes;
    report.deltas_over_budget = static_cast<double>(stats.deltas_over_budget) /
                                static_cast<double>(std::max<std::uint64_t>(1, stats.deltas));
    report.longest_wait = stats.longest_wait;
    report.hash = host_.match().hash();
    report.faults = faults_;
    return report;
}

SimulationReport simulate(const match::SharedSetup& setup, const SimulationPlan& plan) {
    Simulation simulation(setup, plan);
    while (simulation.advance()) {
    }
    return simulation.report();
}

}  // namespace instep::net
