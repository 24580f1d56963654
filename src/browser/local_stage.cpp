// SPDX-License-Identifier: MIT
#include <instep/browser/local_stage.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <instep/match/bot_name.h>
#include <instep/present/blend.h>
#include <instep/present/position.h>
#include <instep/state/raw_pool.h>

namespace instep::browser {
namespace {

using state::RawPool;
using state::refuse;
using state::Result;

constexpr std::string_view gone = "no longer exists";
constexpr std::string_view pool_full = "are already as many as this level allows";

}  // namespace

LocalStage::LocalStage(match::SharedSetup setup, std::uint64_t seed)
    : Stage(std::move(setup)),
      seed_(seed),
      match_(std::in_place, setup_, seed),
      builder_(*setup_),
      previous_(setup_->layout),
      pacer_(setup_->facts.tick_rate),
      templates_(setup_->layout.pools.size()) {}

LocalStage::LocalStage(match::SharedSetup setup, std::uint64_t seed, std::uint32_t bots)
    : LocalStage(std::move(setup), seed) {
    set_bots(bots);
    play_tick();
    show_now();
}

void LocalStage::set_bots(std::uint32_t count) {
    count = std::min(count, most_bots());
    for (std::uint32_t slot = 1; slot <= most_bots() && bots() < count; ++slot)
        bots_ |= contract::only(static_cast<contract::Slot>(slot));
    while (bots() > count) bots_ &= ~std::bit_floor(bots_);  // the newest leaves first
}

std::optional<contract::Slot> LocalStage::own_slot() const {
    if (!contract::contains(match_->live_slots(), own_player)) return {};
    return own_player;
}

void LocalStage::play_tick() {
    state::copy(setup_->layout, match_->state(), previous_.data());
    builder_.begin();
    const contract::SlotSet live = match_->live_slots();
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        const bool is_playing = contract::contains(live, slot);
        if (slot != own_player && !contract::contains(bots_, slot)) {
            if (is_playing) builder_.leave(slot);
        } else if (!is_playing) {
            const std::string name = slot == own_player ? "You" : match::bot_name(i - 1);
            builder_.join({.name = contract::PlayerName::of(name), .seed = seed_ + i, .slot = slot});
        } else {
            if (slot == own_player)
                fill_input(*setup_, match_->state(), slot, pad_, builder_.input(slot));
            else
                match_->bot(slot, builder_.input(slot));
            match_->sanitize(builder_.input(slot));
        }
    }
    match_->step(builder_.bytes());
    events_.add_tick(*match_);
    history_.add(match_time(), match_->state(), match_->draw_times());
    save_templates();
}

void LocalStage::save_templates() {
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        const RawPool pool = RawPool::looking_at(setup_->layout, i, match_->state());
        if (pool.empty() || pool.layout().kind.position.empty()) continue;
        const std::byte* newest = pool.element(pool.size() - 1);
        templates_[i].assign(newest, newest + pool.element_info().size);
    }
}

bool LocalStage::move_on(double now) {
    step(pacer_.advance(now));
    times_ = blend_last_tick(*match_, previous_.data(), pacer_.fraction(), shown_.data());
    return true;
}

void LocalStage::step(std::uint32_t ticks) {
    for (; ticks > 0; --ticks) play_tick();
}

void LocalStage::rewind(double seconds) {
    const double rate = setup_->facts.tick_rate;
    const double tick = static_cast<double>(match_->tick()) - std::round(std::max(seconds, 0.0) * rate);
    state::Block block(setup_->layout);
    history_.remove_after(history_.restore_to((tick + 0.5) / rate, block.data()));  // + 0.5 against rounding
    std::vector<std::byte> image(state::image_size(setup_->layout, block.data()));
    state::save(setup_->layout, block.data(), image);
    restore_image(image);
}

void LocalStage::restore_image(const std::vector<std::byte>& image) {
    match_->restore(image);
    state::copy(setup_->layout, match_->state(), previous_.data());
}

Result<void> LocalStage::change_rules(match::SharedSetup setup) {
    const bool has_same_layout =
        setup->world == setup_->world && setup->layout.fingerprint() == setup_->layout.fingerprint() &&
        setup->layout.size == setup_->layout.size && setup->facts.most_players == setup_->facts.most_players;
    if (!has_same_layout) return refuse("", "changes the layout of the state: restart the match");
    std::vector<std::byte> image(match_->image_size());
    match_->save(image);
    match::Match next(setup, seed_);
    if (auto loaded = next.load(image); !loaded) return loaded;
    const bool is_other_rate = setup->facts.tick_rate != setup_->facts.tick_rate;
    setup_ = std::move(setup);
    match_.emplace(std::move(next));
    if (is_other_rate) {
        pacer_.set_rate(setup_->facts.tick_rate);
        history_.clear();  // its times are of the other rate
        history_.add(match_time(), match_->state(), match_->draw_times());
    }
    return {};
}

template <class Change>
Result<void> LocalStage::edit_state(Change change) {
    state::Block block(setup_->layout);
    state::copy(setup_->layout, match_->state(), block.data());
    if (auto changed = change(block.data()); !changed) return changed;
    std::vector<std::byte> image(state::image_size(setup_->layout, block.data()));
    state::save(setup_->layout, block.data(), image);
    if (auto loaded = match_->load(image); !loaded) return loaded;
    state::copy(setup_->layout, match_->state(), previous_.data());
    return {};
}

namespace {

Result<void> set_position(const state::PoolLayout& pool, std::byte* element, math::Vec2 to) {
    const present::PositionFields position(pool);
    if (!position.x || !position.y) return refuse(std::string(pool.name), "have no position");
    state::set_real(*position.x, to.x, element);
    state::set_real(*position.y, to.y, element);
    return {};
}

// Moves a body with all of its parts: every node of a rope, every foot. A pair of fields counts as a position
// if it has the range of the body's position and is not a velocity; a part at exactly (0, 0) is not in use.
Result<void> translate_to(const state::PoolLayout& pool, std::byte* element, math::Vec2 to) {
    const present::PositionFields position(pool);
    const auto from = position.of(element);
    if (!from) return refuse(std::string(pool.name), "have no position");
    const math::Vec2 displacement = to - *from;
    const auto& fields = pool.element->fields;
    for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
        const state::Field& x = fields[i];
        const state::Field& y = fields[i + 1];
        const bool is_position = x.path.ends_with(".x") && y.path.ends_with(".y") &&
                                 !x.path.ends_with("velocity.x") && x.rules.low == position.x->rules.low &&
                                 x.rules.high == position.x->rules.high;
        const math::Vec2 at{state::number_at(x, element), state::number_at(y, element)};
        if (!is_position || at == math::Vec2{}) continue;
        state::set_real(x, at.x + displacement.x, element);
        state::set_real(y, at.y + displacement.y, element);
    }
    return set_position(pool, element, to);
}

std::optional<contract::Slot> owner_of(const RawPool& pool, const std::byte* element) {
    const state::EntityKind& kind = pool.layout().kind;
    if (kind.owner.empty() || kind.replication == state::Replication::events) return {};
    const double slot = state::number_at(*pool.element_info().find(kind.owner), element);
    if (!(slot >= 0 && slot < contract::most_slots)) return {};
    return static_cast<contract::Slot>(slot);
}

}  // namespace

Result<void> LocalStage::move(const EntityRef& entity, math::Vec2 to) {
    return edit_state([&](std::byte* block) -> Result<void> {
        if (entity.pool >= setup_->layout.pools.size()) return refuse("", std::string(gone));
        RawPool pool(setup_->layout, entity.pool, block);
        auto* found = const_cast<std::byte*>(pool.find(entity.handle));
        if (!found) return refuse("", std::string(gone));
        return set_position(pool.layout(), found, to);
    });
}

Result<void> LocalStage::copy(const EntityRef& entity, math::Vec2 to) {
    return edit_state([&](std::byte* block) -> Result<void> {
        if (entity.pool >= setup_->layout.pools.size()) return refuse("", std::string(gone));
        RawPool pool(setup_->layout, entity.pool, block);
        const std::byte* found = pool.find(entity.handle);
        if (!found) return refuse("", std::string(gone));
        std::byte* added = pool.add();
        if (!added) return refuse(std::string(pool.layout().name), std::string(pool_full));
        std::memcpy(added, found, pool.element_info().size);
        return set_position(pool.layout(), added, to);
    });
}

Result<void> LocalStage::drop_copy(std::size_t pool_number, math::Vec2 to) {
    return edit_state([&](std::byte* block) -> Result<void> {
        if (pool_number >= templates_.size()) return refuse("", std::string(gone));
        RawPool pool(setup_->layout, pool_number, block);
        const std::vector<std::byte>& sample = templates_[pool_number];
        if (sample.empty())
            return refuse(std::string(pool.layout().name),
                          "have not existed yet in this match: wait for the first");
        std::byte* added = pool.add();
        if (!added) return refuse(std::string(pool.layout().name), std::string(pool_full));
        std::memcpy(added, sample.data(), sample.size());
        return translate_to(pool.layout(), added, to);
    });
}

Result<void> LocalStage::drop_bot(math::Vec2 to) {
    const contract::SlotSet bots_before = bots_;
    const EventQueue events_before = events_;
    const double time_before = match_time();
    std::vector<std::byte> before(match_->image_size());
    match_->save(before);
    set_bots(bots() + 1);
    if (bots_ == bots_before) return refuse("players", std::string(pool_full));
    const auto slot = static_cast<contract::Slot>(std::countr_zero(bots_ & ~bots_before));
    play_tick();
    bool has_body = false;
    auto dropped = edit_state([&](std::byte* block) -> Result<void> {
        for (std::size_t i = 0; i < setup_->layout.pools.size(); ++i) {
            RawPool pool(setup_->layout, i, block);
            for (std::uint32_t at = 0; at < pool.size(); ++at) {
                if (pool.layout().kind.position.empty() || owner_of(pool, pool.element(at)) != slot) continue;
                has_body = true;
                if (auto moved = translate_to(pool.layout(), pool.element(at), to); !moved) return moved;
            }
        }
        return {};
    });
    if (dropped && !has_body) dropped = refuse("players", "have no body in this level");
    if (!dropped) {
        bots_ = bots_before;
        events_ = events_before;
        history_.remove_after(time_before);
        restore_image(before);
    }
    return dropped;
}

Result<void> LocalStage::remove(const EntityRef& entity) {
    if (entity.pool >= setup_->layout.pools.size()) return refuse("", std::string(gone));
    const RawPool pool = RawPool::looking_at(setup_->layout, entity.pool, match_->state());
    const std::byte* found = pool.find(entity.handle);
    if (!found) return refuse("", std::string(gone));
    if (const auto slot = owner_of(pool, found)) {
        if (*slot == own_player) return refuse("", "is your own player, which cannot be removed");
        if (contract::contains(bots_, *slot)) {
            bots_ &= ~contract::only(*slot);
            play_tick();
            return {};
        }
    }
    return edit_state([&](std::byte* block) -> Result<void> {
        RawPool(setup_->layout, entity.pool, block).remove(entity.handle);
        return {};
    });
}

// Pools without position and owner, contacts for example, are computed again by the next step.
Result<std::unique_ptr<LocalStage>> LocalStage::with_added_body(const match::SharedSetup& setup,
                                                                math::Vec2 position) const {
    const state::Layout& from = setup_->layout;
    const state::Layout& to = setup->layout;
    if (setup->world != setup_->world || setup->facts.most_players != setup_->facts.most_players)
        return refuse("", "is another level: restart the match");
    std::unique_ptr<LocalStage> next(new LocalStage(setup, seed_));
    const match::Match old_start(setup_, seed_);
    const match::Match new_start(setup, seed_);
    state::Block block(to);
    std::memcpy(block.data(), new_start.state(), to.size);
    std::memcpy(block.data(), match_->state(), from.head->size);
    std::uint32_t grown_by = 0;
    for (std::size_t i = 0; i < to.pools.size(); ++i) {
        const state::EntityKind& kind = to.pools[i].kind;
        if (kind.position.empty() && kind.owner.empty()) continue;
        const RawPool now = RawPool::looking_at(from, i, match_->state());
        const RawPool before = RawPool::looking_at(from, i, old_start.state());
        const RawPool after = RawPool::looking_at(to, i, new_start.state());
        const std::size_t size = now.element_info().size;
        // The index of the added element among those that a match begins with.
        std::uint32_t added = 0;
        while (added < before.size() && added < after.size() &&
               std::memcmp(before.element(added), after.element(added), size) == 0)
            ++added;
        const bool has_more = after.size() == before.size() + 1;
        if (!has_more && after.size() != before.size())
            return refuse(std::string(to.pools[i].name), "have not grown by one: restart the match");
        std::vector<state::Handle> handles;
        handles.reserve(now.size() + 1);
        for (std::uint32_t at = 0; at < now.size(); ++at) handles.push_back(now.handle_at(at));
        std::uint32_t next_generation = now.next_generation();
        if (has_more) {
            if (added > handles.size())
                return refuse(std::string(to.pools[i].name), "have been removed: restart the match");
            ++grown_by;
            std::uint32_t id = 0;
            while (std::ranges::any_of(handles, [&](const state::Handle& each) { return each.id == id; }))
                ++id;
            handles.insert(handles.begin() + added, {id, next_generation++});
        }
        RawPool pool(to, i, block.data());
        if (!pool.set_handles(handles, next_generation))
            return refuse(std::string(to.pools[i].name), std::string(pool_full));
        for (std::uint32_t at = 0, old = 0; at < pool.size(); ++at)
            std::memcpy(pool.element(at), has_more && at == added ? after.element(added) : now.element(old++),
                        size);
        // The level has placed it there or on the ground below, unless it places bodies at random.
        if (!has_more || present::PositionFields(pool.layout()).of(pool.element(added))->x == position.x)
            continue;
        if (auto moved = translate_to(pool.layout(), pool.element(added), position); !moved)
            return std::unexpected(moved.error());
    }
    if (grown_by != 1) return refuse("", "is not a level with one more body: restart the match");
    std::vector<std::byte> image(state::image_size(to, block.data()));
    state::save(to, block.data(), image);
    if (auto loaded = next->match_->load(image); !loaded) return std::unexpected(loaded.error());
    std::memcpy(next->previous_.data(), next->match_->state(), to.size);
    next->bots_ = bots_;
    next->pacer_ = pacer_;
    next->templates_ = templates_;
    next->history_.add(next->match_time(), next->match_->state(), next->match_->draw_times());
    next->show_now();
    return next;
}

void LocalStage::add_nodes(std::size_t pool_number, Totals& totals) const {
    const RawPool pool = RawPool::looking_at(setup_->layout, pool_number, match_->state());
    const RawPool before = RawPool::looking_at(setup_->layout, pool_number, previous_.data());
    const std::string path(pool.layout().kind.position);
    const std::size_t bracket = path.find("[0]");
    const contract::Facts& facts = setup_->facts;
    for (std::size_t node = 0;; ++node) {
        const std::string node_path =
            path.substr(0, bracket) + "[" + std::to_string(node) + "]" + path.substr(bracket + 3);
        const state::Field* x = pool.element_info().find(node_path + ".x");
        const state::Field* y = pool.element_info().find(node_path + ".y");
        if (!x || !y) break;
        for (std::uint32_t at = 0; at < pool.size(); ++at) {
            const std::byte* old = before.find(pool.handle_at(at));
            if (!old) continue;
            const std::byte* now = pool.element(at);
            const math::Vec2 from{state::number_at(*x, old), state::number_at(*y, old)};
            const math::Vec2 to{state::number_at(*x, now), state::number_at(*y, now)};
            const bool is_in_use = from != math::Vec2{} && to != math::Vec2{};
            if (!is_in_use ||
                math::distance_squared(from, to) > facts.teleport_distance * facts.teleport_distance)
                continue;
            const math::Vec2 velocity = (to - from) * facts.tick_rate;
            totals.entities += node == 0 ? 1 : 0;
            totals.kinetic_energy += math::length_squared(velocity) / 2;
            totals.momentum += velocity;
        }
    }
}

Totals LocalStage::totals() const {
    Totals totals;
    for (std::size_t i = 0; i < setup_->layout.pools.size(); ++i) {
        const RawPool pool = RawPool::looking_at(setup_->layout, i, match_->state());
        std::string path(pool.layout().kind.position);
        if (path.find("[0]") != path.npos) {
            add_nodes(i, totals);
            continue;
        }
        if (!path.ends_with("position")) continue;
        path.replace(path.size() - 8, 8, "velocity");
        const state::Field* x = pool.element_info().find(path + ".x");
        const state::Field* y = pool.element_info().find(path + ".y");
        const state::Field* mass = pool.element_info().find("mass");
        if (!x || !y) continue;
        for (std::uint32_t at = 0; at < pool.size(); ++at) {
            const std::byte* element = pool.element(at);
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
