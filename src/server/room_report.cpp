// SPDX-License-Identifier: MIT
// What the operator may ask of a room, and do to those in it.
#include <instep/server/room_report.h>

#include <instep/server/room.h>

namespace instep::server {
namespace {

double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

double ms_of(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

void Room::report(std::function<void(const RoomReport&)> reply) {
    strand_.post([self = shared_from_this(), reply = std::move(reply)] { reply(self->make_report()); });
}

RoomReport::Member Room::member_of(const Seat& seat) const {
    return {.slot = seat.slot,
            .name = seat.name,
            .address = seat.address,
            .is_connected = seat.connection != nullptr,
            .bytes_waiting = seat.connection ? seat.connection->bytes_waiting() : 0,
            .last_played = host_.last_played(seat.slot)};
}

RoomReport Room::make_report() const {
    RoomReport report;
    for (const auto& [player, seat] : seats_) report.players.push_back(member_of(seat));
    for (const auto& [id, watcher] : watchers_)
        report.watchers.push_back({.id = id,
                                   .address = watcher.connection->address(),
                                   .bytes_waiting = watcher.connection->bytes_waiting()});
    const net::HostStats& stats = host_.stats();
    const auto number = [](auto value) { return static_cast<double>(value); };
    report.numbers = {{"players", number(players())},
                      {"bots", number(bots())},
                      {"watchers", number(watchers())},
                      {"ticks_total", number(host_.match().tick())},
                      {"ticks_skipped_total", number(ticks_skipped_)},
                      {"slow_ticks_total", number(slow_ticks_)},
                      {"joins_total", number(joins_)},
                      {"resumes_total", number(resumes_)},
                      {"bytes_out_total", number(bytes_out_)},
                      {"inputs_accepted_total", number(stats.inputs_accepted)},
                      {"inputs_late_total", number(stats.inputs_late)},
                      {"inputs_starved_total", number(stats.ticks_starved)},
                      {"keyframes_total", number(stats.keyframes)},
                      {"desyncs_total", number(stats.reports_judged)},
                      {"tick_lateness_p99_seconds", lateness_.count() > 0 ? lateness_.quantile(0.99) : 0.0}};
    for (std::size_t i = 0; i < tick_part_names.size(); ++i)
        report.numbers.emplace_back("tick_" + std::string(tick_part_names[i]) + "_seconds_total",
                                    seconds_of(parts_.totals()[i]));
    return report;
}

void Room::kick(bool is_player, std::uint64_t number, const Refusal& refusal,
                std::function<void(const std::optional<RoomReport::Member>&)> reply) {
    strand_.post([self = shared_from_this(), is_player, number, refusal, reply = std::move(reply)] {
        reply(is_player ? self->kick_player(number, refusal) : self->kick_watcher(number, refusal));
    });
}

// Its seat is free after the next tick.
std::optional<RoomReport::Member> Room::kick_player(std::uint64_t slot, const Refusal& refusal) {
    for (auto& [player, seat] : seats_) {
        if (seat.slot != slot) continue;
        const RoomReport::Member kicked = member_of(seat);
        if (seat.connection) {
            seat.connection->refuse(refusal);
            disconnect(seat.id, true, Clock::now());
        }
        seat.kept_until.reset();
        seat.leaves_by = "kicked";
        return kicked;
    }
    return {};
}

std::optional<RoomReport::Member> Room::kick_watcher(ConnectionId id, const Refusal& refusal) {
    const auto found = watchers_.find(id);
    if (found == watchers_.end()) return {};
    const RoomReport::Member kicked{.id = id, .address = found->second.connection->address()};
    found->second.connection->refuse(refusal);
    remove_watcher(id);
    return kicked;
}

// One line a second at most, since a room that is slow once often stays so.
void Room::check_slow_tick(std::chrono::nanoseconds took, std::chrono::nanoseconds used) {
    for (std::size_t i = 0; i < tick_part_names.size(); ++i)
        metrics_.tick_parts[i].fetch_add(static_cast<std::uint64_t>(parts_.latest()[i].count()),
                                         std::memory_order_relaxed);
    const double limit = limits_.slow_tick_percent / 100.0 / setup().facts.tick_rate;
    if (seconds_of(took) <= limit) return;
    ++slow_ticks_;
    ++metrics_.slow_ticks;
    const Time now = Clock::now();
    if (now < next_slow_line_) return;
    next_slow_line_ = now + std::chrono::seconds(1);
    state::Json::Object parts;
    for (std::size_t i = 0; i < tick_part_names.size(); ++i)
        parts.emplace_back(tick_part_names[i], ms_of(parts_.latest()[i]));
    log_.info("slow_tick", {{"room", config_.name},
                            {"tick", tick()},
                            {"ms", ms_of(took)},
                            {"processor_ms", ms_of(used)},
                            {"parts_ms", std::move(parts)},
                            {"slow_ticks", slow_ticks_}});
}

}  // namespace instep::server
