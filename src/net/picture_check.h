// SPDX-License-Identifier: MIT
// What one player's screen shows of the others, compared with the server: whether shots that hit a drawn
// player hit it on the server, and how smoothly others move. Works on any world whose events have a kind
// "hit" with `slot` and `by`; shots are the elements of pools with an owner that are replicated as events.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include <instep/net/client.h>

namespace instep::net {

struct PictureStats {
    std::uint64_t screen_hits = 0;     // own shots that hit another player where it was drawn
    std::uint64_t server_hits = 0;     // of these, the ones that the server saw, too
    std::uint64_t predicted_hits = 0;  // "hit" events by the own player that were shown at once ...
    std::uint64_t cancelled_hits = 0;  // ... and that the server did not send
    std::uint64_t others_drawn = 0;    // other players in frames
    std::uint64_t others_jumped = 0;   // of these, off their path by more than jump_distance
    void add(const PictureStats& more);
};

class PictureCheck {
public:
    static constexpr double hit_distance = 0.4;   // world units: well inside arena's ships
    static constexpr double jump_distance = 0.5;  // world units
    static constexpr double tolerance = 0.15;     // s between a hit on a screen and the server's

    explicit PictureCheck(const match::Setup& setup);

    // Draws a frame. The picture is null if there is no snapshot yet.
    const std::byte* draw(Client& client, double now);
    void take_event(const present::EventNotice& notice, contract::Slot slot);
    // The server's events of a tick.
    void add_server_tick(std::uint64_t tick, std::span<const std::byte> rows, contract::Slot slot);
    const PictureStats& stats() const { return stats_; }

private:
    struct Track {  // of a drawn element
        std::size_t pool = 0;
        state::Handle handle;
        contract::Slot owner = 0;
        math::Vec2 position;
        std::optional<math::Vec2> before;   // in the last frame
        std::optional<math::Vec2> earlier;  // in the frame before that
        bool counted = false;               // as a hit
    };
    struct Hit {
        double tick = 0;
        contract::Slot slot = 0;
        bool seen = false;  // by the server
    };

    std::vector<Track> follow(contract::Slot own, bool shots) const;
    std::optional<Hit> hit_in(std::span<const std::byte> row, contract::Slot by) const;

    const match::Setup& setup_;
    state::Block picture_;
    std::vector<Track> players_;
    std::vector<Track> shots_;
    std::deque<Hit> screen_hits_;  // not judged yet
    std::deque<Hit> server_hits_;
    PictureStats stats_;
};

}  // namespace instep::net
