// SPDX-License-Identifier: MIT
#include <instep/match/match.h>

#include <algorithm>
#include <cassert>

#include <instep/match/builtin_levels.h>
#include <instep/match/registry.h>
#include <instep/state/hash.h>
#include <instep/state/plain_name.h>

namespace instep::match {

using contract::Slot;
using contract::SlotSet;
using state::refuse;
using state::Result;

namespace {

Result<std::string> text_at(const state::Json& level, std::string_view key, const std::string& where) {
    const state::Json* found = level.find(key);
    if (!found || !found->string())
        return refuse(where, "expected a string \"" + std::string(key) + "\", got " +
                                 (found ? std::string(found->kind_name()) : "none"));
    return *found->string();
}

// It becomes part of file names and addresses, and is printed on terminals.
bool is_level_name(std::string_view name) {
    const auto is_allowed = [](char c) { return state::is_name_character(c) || c == '.'; };
    return !name.empty() && name.size() <= 64 && name[0] != '.' && name[0] != '-' &&
           std::all_of(name.begin(), name.end(), is_allowed);
}

// "walk" of "scenes/walk.json".
std::string stem_of(std::string_view path) {
    path.remove_prefix(std::min(path.find_last_of('/') + 1, path.size()));
    return std::string(path.substr(0, path.find_last_of('.')));
}

// A handle that names its pool must be a handle, and the pool must be there.
Result<void> check_handles(const state::Layout& layout, const state::StructInfo& info,
                           const std::string& where) {
    for (const state::Field& field : info.fields) {
        if (field.rules.pool.empty()) continue;
        const std::string which = "the field \"" + field.path + "\" of " + std::string(info.name) +
                                  " names the pool \"" + std::string(field.rules.pool) + "\"";
        if (!field.path.ends_with(".id") && !field.path.ends_with(".generation"))
            return refuse(where, which + ", but it is no Handle");
        if (layout.find_pool(field.rules.pool)) continue;
        std::vector<std::string_view> names;
        names.reserve(layout.pools.size());
        for (const state::PoolLayout& pool : layout.pools) names.push_back(pool.name);
        return refuse(where, which + ", which is not in parts_of: expected " + state::one_of(names));
    }
    return {};
}

// The members that parts_of names must be fields, and every kind of event has a label: screens, codecs and
// recordings know them by these names.
Result<void> check_names(const Setup& setup, const std::string& where) {
    if (auto checked = check_handles(setup.layout, *setup.layout.head, where); !checked) return checked;
    for (const state::PoolLayout& pool : setup.layout.pools) {
        if (auto checked = check_handles(setup.layout, *pool.element, where); !checked) return checked;
        const auto is_field = [&pool](std::string_view path, std::string_view part) {
            return path.empty() || pool.element->find(std::string(path) + std::string(part));
        };
        const std::string which = "in parts_of, the pool \"" + std::string(pool.name) + "\" names ";
        if (!is_field(pool.kind.position, ".x") || !is_field(pool.kind.position, ".y"))
            return refuse(where, which + "as its position \"" + std::string(pool.kind.position) +
                                     "\", which is no Vec2 in fields_of its elements");
        if (!is_field(pool.kind.owner, ""))
            return refuse(where, which + "as its owner \"" + std::string(pool.kind.owner) +
                                     "\", which is no field of its elements");
    }
    const state::Field* kind = setup.world->event->find("kind");
    if (!kind || kind->rules.labels.empty())
        return refuse(where,
                      "the kinds of events have no names: the world's fields_of(Type<Event>) needs "
                      "field(\"kind\", &Event::kind, {.labels = kinds.labels})");
    if (kind->rules.labels.size() != setup.world->event_texts.size())
        return refuse(where, "there are " + std::to_string(kind->rules.labels.size()) +
                                 " kinds of events and " + std::to_string(setup.world->event_texts.size()) +
                                 " texts: World::event_texts must be those of the same event_table");
    return {};
}

}  // namespace

Result<void> check_setup(const Setup& setup, const std::string& where) {
    const std::vector<state::PoolLayout>& pools = setup.layout.pools;
    if (pools.empty() || pools[0].name != "players")
        return refuse(where, "the first pool in the world's parts_of must be \"players\"");
    if (setup.facts.most_players < 1 || setup.facts.most_players > contract::most_slots)
        return refuse(where, "the world has room for " + std::to_string(setup.facts.most_players) +
                                 " players: expected 1 to " + std::to_string(contract::most_slots));
    const auto has = [&pools](auto is_meant) {
        return std::any_of(pools.begin(), pools.end(),
                           [&](const state::PoolLayout& pool) { return is_meant(pool.kind); });
    };
    if (!has([](const state::EntityKind& kind) { return !kind.owner.empty(); }))
        return refuse(where,
                      "nothing in this world belongs to a player, so nothing can be predicted: name an owner "
                      "in parts_of");
    if (has([](const state::EntityKind& kind) { return !kind.position.empty(); }) &&
        !has([](const state::EntityKind& kind) { return !kind.position.empty() && !kind.owner.empty(); }))
        return refuse(where,
                      "nothing that has a position belongs to a player, so no key is answered at once: name "
                      "the owner of what players move in parts_of, beside its position");
    return check_names(setup, where);
}

namespace {

Result<Setup> parse_setup(std::string_view text, const std::string& where, std::string_view world_if_unsaid) {
    const auto json = state::parse_json(text, where);
    if (!json) return std::unexpected(json.error());
    if (!json->object()) return refuse(where, "expected an object, got " + std::string(json->kind_name()));
    const bool is_foreign = !world_if_unsaid.empty() && !json->find("world");
    const Result<std::string> world_name =
        is_foreign ? std::string(world_if_unsaid) : text_at(*json, "world", where);
    if (!world_name) return std::unexpected(world_name.error());
    const Result<std::string> level_name =
        is_foreign && !json->find("name") ? stem_of(where) : text_at(*json, "name", where);
    if (!level_name) return std::unexpected(level_name.error());
    if (!is_level_name(*level_name))
        return refuse(where + ": name",
                      "expected 1 to 64 of the letters a to z and A to Z, digits, \"-\", \"_\" and \".\"");
    const auto world = find_world(*world_name);
    if (!world) return state::within(where + ": world", world.error());
    auto value = (*world)->load((*world)->context, *json, where);
    if (!value) return std::unexpected(value.error());

    Setup setup{*world,
                *value,
                *level_name,
                (*world)->facts(value->get()),
                (*world)->layout(value->get()),
                0,
                state::write_json(*json)};
    if (auto checked = check_setup(setup, where); !checked) return std::unexpected(checked.error());
    state::Hasher hasher;
    hasher.add(setup.layout.fingerprint());
    // A rule set's numbers may differ from build to build.
    hasher.add(*(*world)->rules, (*world)->rules_of(value->get()), 1);
    hasher.add(setup.text);
    setup.fingerprint = hasher.finish();
    return setup;
}

}  // namespace

Result<SharedSetup> load_setup(std::string_view text, const std::string& where,
                               std::string_view world_if_unsaid) {
    auto setup = parse_setup(text, where, world_if_unsaid);
    if (!setup) return std::unexpected(setup.error());
    return std::make_shared<const Setup>(std::move(*setup));
}

// Levels with the original's rules may be dull to watch.
static bool is_a_game(const BuiltinLevel& level) {
    const auto json = state::parse_json(level.json, level.name);
    const state::Json* rules = json ? json->find("rules") : nullptr;
    if (rules && rules->object()) rules = rules->find("base");
    return rules && rules->string() && *rules->string() == "game";
}

std::string_view usual_level(std::string_view world) {
    std::string_view usual;
    for (const BuiltinLevel& level : builtin_levels()) {
        if (level.world != world) continue;
        if (is_a_game(level)) return level.name;
        if (usual.empty()) usual = level.name;
    }
    return usual;
}

Result<SharedSetup> load_builtin_setup(std::string_view world_name, std::string_view level_name) {
    if (const auto world = find_world(world_name); !world) return std::unexpected(world.error());
    if (level_name.empty()) level_name = usual_level(world_name);
    std::string known;
    for (const BuiltinLevel& level : builtin_levels()) {
        if (level.world != world_name) continue;
        if (level.name == level_name) {
            auto setup = parse_setup(
                level.json, "levels/" + std::string(level.world) + "/" + std::string(level.name) + ".json",
                {});
            if (!setup) return std::unexpected(setup.error());
            setup->is_builtin = true;
            return std::make_shared<const Setup>(std::move(*setup));
        }
        known += (known.empty() ? "" : ", ") + std::string(level.name);
    }
    return refuse("", "world \"" + std::string(world_name) + "\" has no level \"" + std::string(level_name) +
                          "\"; there are: " + known + " (or give a file that ends in .json)");
}

Match::Match(SharedSetup setup, std::uint64_t seed)
    : setup_(std::move(setup)),
      block_(setup_->layout),
      event_memory_(std::size_t{setup_->facts.most_events} * setup_->world->event->size),
      events_{event_memory_} {
    world().start(setup_->value.get(), layout(), block_.data(), seed);
}

Result<void> Match::check(const TickBytes& tick) const {
    SlotSet live = live_slots();
    const std::uint32_t most = facts().most_players;
    const auto name_of = [](Slot slot) { return "slot " + std::to_string(slot); };
    int last = -1;
    for (const Slot slot : tick.leaves) {
        if (slot >= most || !contract::contains(live, slot))
            return refuse(name_of(slot), "leaves, but it is empty");
        if (slot <= last) return refuse(name_of(slot), "leaves are to be given once each and in slot order");
        live &= ~contract::only(slot);
        last = slot;
    }
    last = -1;
    for (const contract::Join& join : tick.joins) {
        if (join.slot >= most)
            return refuse(name_of(join.slot),
                          "does not exist: this level takes " + std::to_string(most) + " players");
        if (contract::contains(live, join.slot)) return refuse(name_of(join.slot), "is taken already");
        if (join.slot <= last) return refuse(name_of(join.slot), "joins are to be given in slot order");
        live |= contract::only(join.slot);
        last = join.slot;
    }
    if (tick.inputs.size() != std::size_t{most} * world().input->size)
        return refuse("inputs", "expected a row for each of " + std::to_string(most) + " slots");
    return {};
}

void Match::step(const TickBytes& tick) {
    assert(check(tick));
    events_ = {event_memory_};
    world().step(setup_->value.get(), layout(), block_.data(), tick, events_);
}

Result<void> Match::load(std::span<const std::byte> image) {
    state::Block candidate(layout());
    if (auto loaded = state::load(layout(), image, candidate.data()); !loaded) return loaded;
    if (auto legal = world().validate(setup_->value.get(), layout(), candidate.data()); !legal)
        return state::within("state image", legal.error());
    block_ = std::move(candidate);
    return {};
}

Result<state::NotCarried> Match::carry_over(const state::LayoutDescription& from,
                                            std::span<const std::byte> image, std::uint64_t seed) {
    state::Block candidate(layout());
    world().start(setup_->value.get(), layout(), candidate.data(), seed);
    auto not_carried = state::carry_over(from, image, layout(), candidate.data());
    if (!not_carried) return not_carried;
    if (auto legal = world().validate(setup_->value.get(), layout(), candidate.data()); !legal)
        return state::within("state image of another build", legal.error());
    block_ = std::move(candidate);
    return not_carried;
}

void Match::view(contract::DrawList& list) const {
    world().view(setup_->value.get(), layout(), state(), draw_times(), list);
}

void Match::bot(Slot slot, std::byte* input) const {
    world().bot(setup_->value.get(), layout(), state(), slot, input);
}

}  // namespace instep::match
