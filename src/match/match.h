// SPDX-License-Identifier: MIT
// A running match: a setup, shared and immutable, and one current state. It knows no clock and no network;
// its owner decides when to step and with which inputs. Rings of past states are separate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <instep/match/world_table.h>
#include <instep/state/layout_description.h>

namespace instep::match {

// A level and its rules, resolved for one world. Many matches, predictors and encoders share one.
struct Setup {
    const WorldTable* world;
    std::shared_ptr<const void> value;
    std::string level;  // its name
    contract::Facts facts;
    state::Layout layout;
    // Of state layout, rules and level: two sides that differ in it must not play together.
    std::uint64_t fingerprint;
    std::string text;  // the level's JSON, so that it can be handed on
    bool is_builtin = false;
};

using SharedSetup = std::shared_ptr<const Setup>;

// Refuses mistakes in a world that no compiler sees: a name that does not exist, and a state in which players
// own nothing.
state::Result<void> check_setup(const Setup& setup, const std::string& where);

// `json` is a level; `where` is its name in errors. A file without a world, as one that another program
// wrote, is shown to the world that is given, and named as the file is.
state::Result<SharedSetup> load_setup(std::string_view json, const std::string& where,
                                      std::string_view world_if_unsaid = {});
// The default level: the first built-in level with the rules of a game, or else the first.
std::string_view usual_level(std::string_view world);
// A built-in level; an empty name means the usual one.
state::Result<SharedSetup> load_builtin_setup(std::string_view world, std::string_view level);

class Match {
public:
    Match(SharedSetup setup, std::uint64_t seed);

    const Setup& setup() const { return *setup_; }
    const WorldTable& world() const { return *setup_->world; }
    const state::Layout& layout() const { return setup_->layout; }
    const contract::Facts& facts() const { return setup_->facts; }
    const std::byte* state() const { return block_.data(); }

    std::uint64_t tick() const { return world().tick(layout(), state()); }
    contract::SlotSet live_slots() const { return world().live_slots(layout(), state()); }

    // What is wrong with a tick's inputs from outside, before they are stepped: a slot that does not exist, a
    // join into a taken slot, slots out of order. Inputs themselves go through sanitize().
    state::Result<void> check(const TickBytes& tick) const;
    // False if the bytes were no legal input: they become the empty input.
    bool sanitize(std::byte* input) const { return world().sanitize(setup_->value.get(), input); }

    // One tick. Allocates nothing; `inputs` has a row for every slot the setup allows.
    void step(const TickBytes& tick);
    // The events of the last step, and how many did not fit.
    std::span<const std::byte> events() const {
        return std::span(event_memory_).first(std::size_t{events_.count} * world().event->size);
    }
    std::uint32_t events_lost() const { return events_.lost; }

    std::uint64_t hash() const { return state::hash(layout(), state()); }
    std::vector<state::FieldHash> hash_fields() const { return state::hash_fields(layout(), state()); }

    std::uint32_t image_size() const { return state::image_size(layout(), state()); }
    std::uint32_t save(std::span<std::byte> image) const { return state::save(layout(), state(), image); }
    // For images that this build saved in this process. Anything else goes through load().
    void restore(std::span<const std::byte> image) { state::restore(layout(), image, block_.data()); }
    // Refuses an illegal state of this world; the match then keeps its state.
    state::Result<void> load(std::span<const std::byte> image);
    // load() for an image of another build. `seed` is for what this build has and the image has not.
    state::Result<state::NotCarried> carry_over(const state::LayoutDescription& from,
                                                std::span<const std::byte> image, std::uint64_t seed);

    // One time for all parts: that of this tick.
    contract::DrawTimes draw_times() const {
        const auto time = static_cast<double>(tick());
        return {.past = time, .present = time};
    }
    void view(contract::DrawList& list) const;
    void bot(contract::Slot slot, std::byte* input) const;

private:
    SharedSetup setup_;
    state::Block block_;
    std::vector<std::byte> event_memory_;
    EventBytes events_;
};

}  // namespace instep::match
