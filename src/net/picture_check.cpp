// SPDX-License-Identifier: MIT
#include <instep/net/picture_check.h>

#include <algorithm>
#include <cmath>

#include <instep/present/own_entities.h>
#include <instep/present/position.h>

namespace instep::net {
namespace {

constexpr double frames_ahead = 2;  // a shot ends where it touches a hull, before its target's centre

// The least distance from the origin to a path.
double least_distance(math::Vec2 from, math::Vec2 way) {
    const double squared = dot(way, way);
    const double part = squared > 0 ? std::clamp(-dot(from, way) / squared, 0.0, 1.0) : 0;
    return length(from + way * part);
}

}  // namespace

void PictureStats::add(const PictureStats& more) {
    screen_hits += more.screen_hits;
    server_hits += more.server_hits;
    predicted_hits += more.predicted_hits;
    cancelled_hits += more.cancelled_hits;
    others_drawn += more.others_drawn;
    others_jumped += more.others_jumped;
}

PictureCheck::PictureCheck(const match::Setup& setup) : setup_(setup), picture_(setup.layout) {}

// The other players' bodies, or the own shots, with their positions in earlier frames.
std::vector<PictureCheck::Track> PictureCheck::follow(contract::Slot own, bool shots) const {
    std::vector<Track> tracks;
    for (std::size_t i = 0; i < setup_.layout.pools.size(); ++i) {
        const state::PoolLayout& pool = setup_.layout.pools[i];
        const state::Field* owner = present::owner_of(pool);
        const present::PositionFields position(pool);
        if (!owner || !position.x || shots != (pool.kind.replication == state::Replication::events)) continue;
        const state::Field* out_of_play = pool.element->find("respawn_pause");
        const auto elements = state::RawPool::looking_at(setup_.layout, i, picture_.data());
        for (std::uint32_t index = 0; index < elements.size(); ++index) {
            const std::byte* element = elements.element(index);
            const double slot = number_at(*owner, element);
            if (shots != (slot == own) || slot >= contract::most_slots) continue;
            if (out_of_play && number_at(*out_of_play, element) > 0) continue;
            Track track{.pool = i,
                        .handle = elements.handle_at(index),
                        .owner = static_cast<contract::Slot>(slot),
                        .position = *position.of(element),
                        .before = {},
                        .earlier = {}};
            for (const Track& last : shots ? shots_ : players_)
                if (last.pool == i && last.handle == track.handle) {
                    track.before = last.position;
                    track.earlier = last.before;
                    track.counted = last.counted;
                }
            tracks.push_back(track);
        }
    }
    return tracks;
}

const std::byte* PictureCheck::draw(Client& client, double now) {
    const auto times = client.draw(now, picture_.data());
    if (!times) return nullptr;
    players_ = follow(client.slot(), false);
    shots_ = follow(client.slot(), true);
    for (const Track& player : players_) {
        if (!player.before || !player.earlier) continue;
        const double moved = distance(player.position, *player.before);
        if (setup_.facts.teleport_distance > 0 && moved > setup_.facts.teleport_distance) continue;
        ++stats_.others_drawn;
        const math::Vec2 expected = *player.before + (*player.before - *player.earlier);
        if (distance(player.position, expected) > jump_distance) ++stats_.others_jumped;
    }
    for (Track& shot : shots_)
        for (const Track& player : players_) {
            if (shot.counted || !shot.before || !player.before) continue;
            const math::Vec2 apart = shot.position - player.position;
            const math::Vec2 way = (apart - (*shot.before - *player.before)) * frames_ahead;
            if (least_distance(apart, way) > hit_distance) continue;
            shot.counted = true;
            ++stats_.screen_hits;
            screen_hits_.push_back({times->present + 1, player.owner});
        }
    return picture_.data();
}

std::optional<PictureCheck::Hit> PictureCheck::hit_in(std::span<const std::byte> row,
                                                      contract::Slot by) const {
    const state::StructInfo& info = *setup_.world->event;
    const state::Field* kind = info.find("kind");
    const state::Field* target = info.find("slot");
    const state::Field* cause = info.find("by");
    if (!kind || !target || !cause || number_at(*cause, row.data()) != by) return {};
    const auto number = static_cast<std::size_t>(number_at(*kind, row.data()));
    if (number >= kind->rules.labels.size() || kind->rules.labels[number] != "hit") return {};
    const double slot = number_at(*target, row.data());
    if (slot == by || slot >= contract::most_slots) return {};
    return Hit{0, static_cast<contract::Slot>(slot)};
}

void PictureCheck::take_event(const present::EventNotice& notice, contract::Slot slot) {
    if (!hit_in(notice.event, slot)) return;
    if (notice.status == present::EventStatus::predicted) ++stats_.predicted_hits;
    if (notice.status == present::EventStatus::cancelled) ++stats_.cancelled_hits;
}

void PictureCheck::add_server_tick(std::uint64_t tick, std::span<const std::byte> rows, contract::Slot slot) {
    const std::size_t size = setup_.world->event->size;
    const auto now = static_cast<double>(tick);
    const double near = tolerance * setup_.facts.tick_rate;
    for (; rows.size() >= size; rows = rows.subspan(size))
        if (auto hit = hit_in(rows.first(size), slot)) {
            hit->tick = now;
            server_hits_.push_back(*hit);
        }
    for (; !screen_hits_.empty() && screen_hits_.front().tick + near < now; screen_hits_.pop_front()) {
        const Hit& seen = screen_hits_.front();
        const auto same = std::ranges::find_if(server_hits_, [&](const Hit& hit) {
            return !hit.seen && hit.slot == seen.slot && std::abs(hit.tick - seen.tick) <= near;
        });
        if (same == server_hits_.end()) continue;
        same->seen = true;
        ++stats_.server_hits;
    }
    while (!server_hits_.empty() && server_hits_.front().tick + 3 * near < now) server_hits_.pop_front();
}

}  // namespace instep::net
