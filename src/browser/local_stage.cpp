// SPDX-License-Identifier: MIT
#include <instep/browser/local_stage.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <instep/match/bot_name.h>
#include <instep/net/blend.h>
#include <instep/net/position.h>
#include <instep/state/raw_pool.h>

namespace instep::browser {
namespace {

using state::RawPool;
using state::refuse;
using state::Result;

constexpr std::string_view gone = "is not there any more";

}  // namespace

LocalStage::LocalStage(match::SharedSetup setup, std::uint64_t seed, std::uint32_t bots)
    : Stage(std::move(setup)),
      seed_(seed),
      match_(std::in_place, setup_, seed),
      builder_(*setup_),
      before_(setup_->layout),
      first_(setup_),
      past_(first_->layout),
      pace_(setup_->facts.tick_rate) {
    set_bots(bots);
    play_tick();
}

std::optional<contract::Slot> LocalStage::own_slot() const {
    if (!contract::contains(match_->live_slots(), me)) return {};
    return me;
}

void LocalStage::play_tick() {
    std::memcpy(before_.data(), match_->state(), setup_->layout.size);
    builder_.begin();
    const contract::SlotSet live = match_->live_slots();
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        const bool is_here = contract::contains(live, slot);
        if (i > bots_) {
            if (is_here) builder_.leave(slot);
        } else if (!is_here) {
            const std::string name = slot == me ? "You" : match::bot_name(i - 1);
            builder_.join({.name = contract::PlayerName::of(name), .seed = seed_ + i, .slot = slot});
        } else {
            if (slot == me)
                fill_input(*setup_, match_->state(), slot, pad_, builder_.input(slot));
            else
                match_->bot(slot, builder_.input(slot));
            match_->sanitize(builder_.input(slot));
        }
    }
    match_->step(builder_.bytes());
    events_.add_tick(*match_);
    past_.add(static_cast<double>(match_->tick()) / setup_->facts.tick_rate, match_->state());
}

bool LocalStage::move_on(double now) {
    step(pace_.advance(now));
    show_between(*match_, before_.data(), pace_.fraction(), shown_.data());
    return true;
}

void LocalStage::step(std::uint32_t ticks) {
    for (; ticks > 0; --ticks) play_tick();
}

void LocalStage::rewind(double seconds) {
    const double rate = setup_->facts.tick_rate;
    const double tick = static_cast<double>(match_->tick()) - std::round(std::max(seconds, 0.0) * rate);
    state::Block block(setup_->layout);
    past_.forget_after(past_.restore_to((tick + 0.5) / rate, block.data()));  // half a tick for rounding
    std::vector<std::byte> image(state::image_size(setup_->layout, block.data()));
    state::save(setup_->layout, block.data(), image);
    match_->restore(image);
    std::memcpy(before_.data(), match_->state(), setup_->layout.size);
}

Result<void> LocalStage::retune(match::SharedSetup setup) {
    const bool has_same_form =
        setup->world == setup_->world && setup->layout.fingerprint() == setup_->layout.fingerprint() &&
        setup->layout.size == setup_->layout.size && setup->facts.most_players == setup_->facts.most_players;
    if (!has_same_form) return refuse("", "changes what a state is made of: start it anew");
    std::vector<std::byte> image(match_->image_size());
    match_->save(image);
    match::Match next(setup, seed_);
    if (auto loaded = next.load(image); !loaded) return loaded;
    if (setup->facts.tick_rate != setup_->facts.tick_rate) {
        pace_.set_rate(setup->facts.tick_rate);
        past_.clear();  // its times are of the other rate
        past_.add(static_cast<double>(next.tick()) / setup->facts.tick_rate, next.state());
    }
    setup_ = std::move(setup);
    match_.emplace(std::move(next));
    return {};
}

template <class Change>
Result<void> LocalStage::reach_in(Change change) {
    state::Block block(setup_->layout);
    std::memcpy(block.data(), match_->state(), setup_->layout.size);
    if (auto changed = change(block.data()); !changed) return changed;
    std::vector<std::byte> image(state::image_size(setup_->layout, block.data()));
    state::save(setup_->layout, block.data(), image);
    if (auto loaded = match_->load(image); !loaded) return loaded;
    std::memcpy(before_.data(), match_->state(), setup_->layout.size);
    return {};
}

namespace {

Result<void> put_at(const state::PoolLayout& pool, std::byte* element, math::Vec2 to) {
    const net::PositionFields position(pool);
    if (!position.x || !position.y) return refuse(std::string(pool.name), "have no place to be moved to");
    net::put_number(*position.x, to.x, element);
    net::put_number(*position.y, to.y, element);
    return {};
}

}  // namespace

Result<void> LocalStage::move(const EntityName& entity, math::Vec2 to) {
    return reach_in([&](std::byte* block) -> Result<void> {
        if (entity.pool >= setup_->layout.pools.size()) return refuse("", std::string(gone));
        RawPool pool(setup_->layout, entity.pool, block);
        auto* found = const_cast<std::byte*>(pool.find(entity.handle));
        if (!found) return refuse("", std::string(gone));
        return put_at(pool.layout(), found, to);
    });
}

Result<void> LocalStage::copy(const EntityName& entity, math::Vec2 to) {
    return reach_in([&](std::byte* block) -> Result<void> {
        if (entity.pool >= setup_->layout.pools.size()) return refuse("", std::string(gone));
        RawPool pool(setup_->layout, entity.pool, block);
        const std::byte* found = pool.find(entity.handle);
        if (!found) return refuse("", std::string(gone));
        std::byte* added = pool.add();
        if (!added) return refuse(std::string(pool.layout().name), "are as many as this level takes");
        std::memcpy(added, found, pool.element_info().size);
        return put_at(pool.layout(), added, to);
    });
}

Result<void> LocalStage::remove(const EntityName& entity) {
    return reach_in([&](std::byte* block) -> Result<void> {
        if (entity.pool >= setup_->layout.pools.size()) return refuse("", std::string(gone));
        if (!RawPool(setup_->layout, entity.pool, block).remove(entity.handle))
            return refuse("", std::string(gone));
        return {};
    });
}

Totals LocalStage::totals() const {
    Totals totals;
    for (std::size_t i = 0; i < setup_->layout.pools.size(); ++i) {
        const RawPool pool = RawPool::looking_at(setup_->layout, i, match_->state());
        std::string path(pool.layout().kind.position);
        if (!path.ends_with("position")) continue;
        path.replace(path.size() - 8, 8, "velocity");
        const state::Field* x = pool.element_info().find(path + ".x");
        const state::Field* y = pool.element_info().find(path + ".y");
        const state::Field* mass = pool.element_info().find("mass");
        if (!x || !y) continue;
        for (std::uint32_t place = 0; place < pool.size(); ++place) {
            const std::byte* element = pool.element(place);
            const math::Vec2 velocity{state::number_at(*x, element), state::number_at(*y, element)};
            const double weight = mass ? state::number_at(*mass, element) : 1;
            totals.entities += 1;
            totals.kinetic_energy += weight * math::length_squared(velocity) / 2;
            totals.momentum += velocity * weight;
        }
    }
    return totals;
}

}  // namespace instep::browser
