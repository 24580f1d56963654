// SPDX-License-Identifier: MIT
// A room as a value: what is saved of it, and how it goes on from there.
#include <instep/server/room.h>

#include <algorithm>

namespace instep::server {
namespace {

using SystemClock = std::chrono::system_clock;

std::uint64_t unix_microseconds(SystemClock::time_point time) {
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch());
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, since.count()));
}

}  // namespace

RoomImage Room::save() const {
    RoomImage image = save_roster();
    image.host = host_.save();
    return image;
}

RoomImage Room::save_roster() const {
    RoomImage image{.name = config_.name,
                    .opened_by = config_.opened_by,
                    .bots_wanted = config_.bots,
                    .due = {},
                    .host = {},
                    .seats = {},
                    .bots = bots_,
                    .numbers = player_numbers_.save(),
                    .recording = {}};
    if (!is_asleep_)
        image.due = unix_microseconds(SystemClock::now() + (due_at(host_.match().tick()) - Clock::now()));
    for (const auto& [player, seat] : seats_)
        image.seats.push_back({player, seat.slot, inbox_.key_of(player), seat.name, seat.address});
    if (recorder_) image.recording = RecordingPosition{config_.recording->name(), recorded_since_};
    return image;
}

state::Result<state::NotCarried> Room::load(const RoomImage& image) {
    auto loaded = host_.load(image.host);
    if (!loaded) return loaded;
    if (auto seats = load_seats(image); !seats) return std::unexpected(seats.error());
    last_due_ = image.due;
    tick_ = host_.match().tick();
    recorded_before_ = image.recording;
    return loaded;
}

// Every player of the host has one seat or is one bot.
state::Result<void> Room::load_seats(const RoomImage& image) {
    contract::SlotSet taken = 0;
    const auto take = [&](contract::Slot slot, bool is_bot) {
        const auto is_there = [&](const net::PlayerImage& player) {
            return player.slot == slot && player.is_bot == is_bot;
        };
        const auto& players = image.host.players;
        const bool is_free = slot < contract::most_slots && !contract::contains(taken, slot) &&
                             std::any_of(players.begin(), players.end(), is_there);
        if (is_free) taken |= contract::only(slot);
        return is_free;
    };
    const Time until = Clock::now() + std::max(shortest_resume, std::chrono::milliseconds(limits_.resume_ms));
    for (const SeatImage& seat : image.seats) {
        if (!take(seat.slot, false) || !inbox_.take_seat(seat.player, seat.key))
            return state::refuse("image: seat of slot " + std::to_string(seat.slot),
                                 "has no player of its own");
        Seat kept{seat.player, seat.slot, 0, nullptr, {}};
        kept.chat_limit = chat_limit();
        if (seat.player.can_resume()) kept.kept_until = until;
        kept.name = seat.name;
        kept.address = seat.address;
        seats_.emplace(seat.player, std::move(kept));
    }
    for (const BotImage& bot : image.bots)
        if (!take(bot.slot, true))
            return state::refuse("image: bot in slot " + std::to_string(bot.slot),
                                 "has no player of its own");
    for (const net::PlayerImage& player : image.host.players)
        if (!player.is_leaving && !contract::contains(taken, player.slot))
            return state::refuse("image: slot " + std::to_string(player.slot),
                                 "has neither a seat nor a bot");
    bots_ = image.bots;
    player_numbers_.load(image.numbers);
    bot_count_ = static_cast<std::uint32_t>(bots_.size());
    player_count_ = static_cast<std::uint32_t>(seats_.size());
    return {};
}

// So that its ticks go on as they were due, by the clocks of both machines. What lies further back than a
// room may be behind is skipped. If it lies long ago or in the future, the clocks differ.
Time Room::start_of_image() const {
    const auto played = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(static_cast<double>(host_.match().tick()) / setup().facts.tick_rate));
    Clock::duration late{0};
    if (last_due_) {
        const std::uint64_t now = unix_microseconds(SystemClock::now());
        const std::chrono::microseconds behind(now > *last_due_ ? now - *last_due_ : 0);
        if (behind < std::chrono::duration<double>(net::HostConfig{}.max_lateness))
            late = behind;
        else if (behind < shortest_resume)
            metrics_.ticks_skipped += static_cast<std::uint64_t>(
                std::chrono::duration<double>(behind).count() * setup().facts.tick_rate);
    }
    return Clock::now() - late - played;
}

}  // namespace instep::server
