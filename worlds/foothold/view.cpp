// SPDX-License-Identifier: MIT
// The picture of foothold. Players, mobs and drops are where the state has them; traps and blinking follow
// from the times of the drawn parts.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <foothold/drop.h>
#include <foothold/foothold.h>
#include <foothold/mob.h>
#include <foothold/trap.h>
#include <instep/math/trig.h>
#include <instep/math/units.h>

namespace instep::worlds::foothold {
namespace {

using contract::Color;
using contract::DrawList;
namespace palette = contract::palette;

constexpr Color ground_color{148, 163, 184, 255};
constexpr Color wall_color{100, 116, 139, 255};
constexpr Color wood{180, 130, 80, 255};
constexpr Color water_color{56, 130, 200, 60};
constexpr Color leaf{74, 222, 128, 255};
constexpr Color pupil{15, 23, 42, 255};

struct Scene {
    const State& state;
    const Setup& setup;
    const contract::DrawTimes& times;

    // The clock of the step that made the state of that time.
    Clock clock_at(double ticks) const {
        const double bounded = ticks > 0 ? std::min(ticks, 4e9) : 0;  // 0 for NaN as well
        return {static_cast<std::uint32_t>(bounded) + 1, static_cast<double>(setup.rules.tick_rate)};
    }
    // Traps follow from the time alone, and hurt the own player in its present.
    double trap_ms() const { return times.present * 1000 / setup.rules.tick_rate; }
    Vec2 position(const Drop& drop) const {
        const double bob = setup.is_web() && drop.stance == DropStance::floating ? web_bob_offset(drop) : 0;
        return drop.body.position + Vec2{0, bob};
    }
};

Color with_alpha(Color color, double alpha) {
    color.alpha = static_cast<std::uint8_t>(255 * std::clamp(alpha, 0.0, 1.0));
    return color;
}

void draw_box(const Box& box, Color color, DrawList& list) {
    const Vec2 corners[] = {
        {box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
    list.polygon(corners, color);
}

// Flat below and round above: the body of a player, a mob or a person.
void draw_dome(const Box& box, Color color, DrawList& list) {
    constexpr int arc = 14;
    const double radius = (box.right - box.left) / 2;
    const double rise = std::min(radius, (box.bottom - box.top) * 0.75);
    Vec2 outline[arc + 3] = {{box.left, box.bottom}};
    for (int i = 0; i <= arc; ++i) {
        const math::SinCos turn = math::sincos(math::pi * i / arc);
        outline[i + 1] = {box.left + radius * (1 - turn.cos), box.top + rise * (1 - turn.sin)};
    }
    outline[arc + 2] = {box.right, box.bottom};
    list.polygon(outline, color);
}

// Water down to the lowest ground in it, so that a lake has the shape of its bed. Over very many footholds it
// is drawn as the box that it is.
void draw_water(const Box& water, const Setup& setup, DrawList& list) {
    constexpr std::size_t most_ground = 256;
    std::vector<const Foothold*> ground;
    std::vector<double> cuts{water.left, water.right};
    for (const Foothold& f : setup.ground.all()) {
        if (f.is_wall || f.right < water.left || f.left > water.right || f.bottom() > water.bottom) continue;
        if (ground.size() == most_ground) return draw_box(water, water_color, list);
        ground.push_back(&f);
        for (const double x : {f.left * 1.0, f.right * 1.0})
            if (x > water.left && x < water.right) cuts.push_back(x);
    }
    std::sort(cuts.begin(), cuts.end());  // total order: of equal numbers any may come first
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const double from = cuts[i];
        const double to = cuts[i + 1];
        if (from == to) continue;
        Vec2 bed{water.top, water.top};  // at either end
        bool has_bed = false;
        for (const Foothold* f : ground) {
            const Vec2 depth{f->ground_at(from), f->ground_at(to)};
            if (f->left > from || f->right < to || depth.x + depth.y <= bed.x + bed.y) continue;
            bed = {std::max(depth.x, water.top), std::max(depth.y, water.top)};
            has_bed = true;
        }
        if (!has_bed) bed = {water.bottom, water.bottom};
        const Vec2 corners[] = {{from, water.top}, {to, water.top}, {to, bed.y}, {from, bed.x}};
        list.polygon(corners, water_color);
    }
}

// Rungs are 16 px apart, or farther where ladders are so long that a picture would be nothing but rungs.
double distance_of_rungs(const Setup& setup) {
    constexpr double usual = 16;
    constexpr double most_rungs = 1000;
    double length = 0;
    for (const Ladder& ladder : setup.ladders)
        if (!ladder.is_rope) length += static_cast<double>(ladder.bottom) - ladder.top;
    return std::max(usual, length / most_rungs);
}

void draw_map(const Setup& setup, DrawList& list) {
    const Interval x = setup.ground.extent_x();
    const Interval y = setup.ground.borders();
    if (setup.map.swim) draw_box({x.low, y.low, x.high, y.high}, water_color, list);
    for (const Box& water : setup.water) draw_water(water, setup, list);
    const double rung_distance = distance_of_rungs(setup);
    for (const Ladder& ladder : setup.ladders) {
        const double half = ladder.is_rope ? 0 : 9;
        const double top = ladder.top;
        const double bottom = ladder.bottom;
        for (const double side : {-half, half}) {
            const Vec2 rail[] = {{ladder.x + side, top}, {ladder.x + side, bottom}};
            list.polyline(rail, 3, wood);
        }
        for (double rung = top + rung_distance / 2; !ladder.is_rope && rung < bottom; rung += rung_distance) {
            const Vec2 ends[] = {{ladder.x - half, rung}, {ladder.x + half, rung}};
            list.polyline(ends, 2, wood);
        }
    }
    for (const Foothold& f : setup.ground.all()) {
        const Vec2 ends[] = {{f.x1 * 1.0, f.y1 * 1.0}, {f.x2 * 1.0, f.y2 * 1.0}};
        list.polyline(ends, f.is_wall ? 3 : 5, f.is_wall ? wall_color : ground_color);
    }
    for (std::size_t i = 0; i < setup.portals.size(); ++i) {
        if (setup.portal_ends[i] == i) continue;
        list.circle(setup.portals[i].position - Vec2{0, 30}, 26, {125, 211, 252, 160});
        list.circle(setup.portals[i].position - Vec2{0, 30}, 18, {125, 211, 252, 220});
    }
    for (const Npc& npc : setup.npcs) {
        draw_dome(Box{-12, -52, 12, 0}.moved(npc.position), {167, 139, 250, 255}, list);
        list.label(npc.position - Vec2{0, 60}, 14, npc.name.view(), palette::ink);
    }
}

void draw_traps(const Scene& scene, DrawList& list) {
    const double now = scene.trap_ms();
    for (const Trap& trap : scene.setup.traps) {
        const Box box = box_of(trap, scene.setup, now);
        if (box.is_empty()) continue;
        const double width = box.right - box.left;
        const double height = box.bottom - box.top;
        constexpr int spikes = 8;
        if (width > 2 * height) {  // a row of them on the ground
            for (int i = 0; i < spikes; ++i) {
                const double from = box.left + width * i / spikes;
                const Vec2 spike[] = {{from, box.bottom},
                                      {from + width / spikes / 2, box.top},
                                      {from + width / spikes, box.bottom}};
                list.polygon(spike, palette::danger);
            }
            continue;
        }
        const Vec2 middle{(box.left + box.right) / 2, (box.top + box.bottom) / 2};
        Vec2 star[2 * spikes];
        for (int i = 0; i < 2 * spikes; ++i) {
            const math::SinCos turn = math::sincos(math::pi * i / spikes);
            const double part = i % 2 == 0 ? 0.5 : 0.35;
            star[i] = middle + Vec2{turn.cos * width * part, turn.sin * height * part};
        }
        list.polygon(star, palette::danger);
    }
}

void draw_bar(Vec2 middle, double width, double part, Color color, DrawList& list) {
    const Vec2 whole[] = {middle - Vec2{width / 2, 0}, middle + Vec2{width / 2, 0}};
    const Vec2 rest[] = {whole[0], whole[0] + Vec2{width * std::clamp(part, 0.0, 1.0), 0}};
    list.polyline(whole, 5, with_alpha(palette::faint, 0.5));  // MOB_HP_BAR_HEIGHT
    list.polyline(rest, 5, color);
}

void draw_mobs(const Scene& scene, DrawList& list) {
    for (const Mob& mob : scene.state.mobs) {
        if (mob.stance == MobStance::gone) continue;
        list.belongs_to(&mob);
        const MobKind& kind = scene.setup.kind_of(scene.setup.mobs[mob.home]);
        const Vec2 at = mob.body.position;
        const Box body = (mob.facing_right ? kind.body.mirrored() : kind.body).moved(at);
        const double fading = mob.stance == MobStance::die ? 0.4 : 1;
        const Color color = mob.prey != no_player ? palette::danger : leaf;
        draw_dome(body, with_alpha(color, fading), list);
        const double size = std::min(body.right - body.left, body.bottom - body.top);
        const double way = mob.facing_right ? 1 : -1;
        for (const double side : {0.05, 0.3}) {  // its eyes are on the side that it goes to
            const Vec2 eye{(body.left + body.right) / 2 + way * side * size, body.top + 0.4 * size};
            list.disc(eye, 0.12 * size, with_alpha(palette::ink, fading));
            list.disc(eye + Vec2{way * 0.04 * size, 0}, 0.06 * size, with_alpha(pupil, fading));
        }
        if (mob.alive() && mob.health < kind.health)
            draw_bar({at.x, body.top - 10}, 60, static_cast<double>(mob.health) / kind.health,
                     palette::danger, list);
    }
}

void draw_drops(const Scene& scene, DrawList& list) {
    for (const Drop& drop : scene.state.drops) {
        list.belongs_to(&drop);
        const Vec2 at = scene.position(drop) - Vec2{0, 8};
        const math::SinCos turn = math::sincos(drop.angle);
        const Vec2 a = Vec2{turn.cos, turn.sin} * 9;
        const Vec2 b = math::perpendicular(a);
        const Vec2 coin[] = {at + a, at + b, at - a, at - b};
        list.polygon(coin, with_alpha(palette::gold, drop.stance == DropStance::picked_up ? 0.5 : 1));
    }
}

// A blinking body is one that was just hurt; a line in front of it is an attack.
void draw_player(const Scene& scene, const Player& player, DrawList& list) {
    list.belongs_to(&player);
    const Setup& setup = scene.setup;
    const Vec2 at = player.body.position;
    const Clock clock = scene.clock_at(scene.times.of(player.slot));
    const bool blinks =
        !clock.is_past(player.hurt_at, setup.rules.invincible_time) && clock.tick / 8 % 2 == 0;
    const bool lies = player.stance == Stance::prone || player.stance == Stance::sit || !player.alive();
    const Color color = with_alpha(palette::player(player.slot), !player.alive() ? 0.3 : blinks ? 0.5 : 1);
    const double way = player.facing_right ? 1 : -1;
    const Box body = (lies ? Box{-18, -22, 18, 0} : Box{-10, -40, 10, -12}).moved(at);
    if (!lies) {  // one step is 40 px long
        const double stride = player.stance == Stance::walk ? 9 * math::sin(at.x * math::pi / 40) : 4;
        for (const double side : {-stride, stride}) {
            const Vec2 leg[] = {at + Vec2{side / 2, -14}, at + Vec2{side, -2}};
            list.polyline(leg, 5, color);
        }
    }
    draw_dome(body, color, list);
    const Vec2 face{at.x + (lies ? way * 18 : 0), body.top - 6};
    list.disc(face, 11, color);
    list.disc(face + Vec2{way * 5, -1}, 2.2, with_alpha(pupil, color.alpha / 255.0));
    if (player.attacked_at != 0 && !clock.is_past(player.attacked_at, 200)) {
        const Vec2 swing[] = {at + Vec2{12 * way, -34}, at + Vec2{44 * way, -24}, at + Vec2{58 * way, -8}};
        list.polyline(swing, 4, palette::ink);
    }
    if (player.alive() && player.health < setup.rules.most_health)
        draw_bar(at - Vec2{0, 66}, 40, static_cast<double>(player.health) / setup.rules.most_health, leaf,
                 list);
    list.label(at + Vec2{0, 16}, 14, player.name.view(), palette::ink);
}

void draw(const Scene& scene, DrawList& list) {
    draw_map(scene.setup, list);
    draw_traps(scene, list);
    draw_mobs(scene, list);
    draw_drops(scene, list);
    for (const Player& player : scene.state.players) draw_player(scene, player, list);
}

}  // namespace

void view(const State& state, const Setup& setup, const contract::DrawTimes& times, DrawList& list) {
    draw({state, setup, times}, list);
}

}  // namespace instep::worlds::foothold
