// SPDX-License-Identifier: MIT
#include <instep/match/laws.h>

#include <cstring>
#include <string>
#include <vector>

#include <instep/match/random_input.h>
#include <instep/match/random_script.h>
#include <instep/match/tick_builder.h>

namespace instep::match {
namespace {

using state::refuse;
using state::Result;

void run(Match& match, RandomScript& script, std::uint64_t ticks) {
    for (std::uint64_t i = 0; i < ticks; ++i) match.step(script.next());
}

std::vector<std::byte> image_of(const Match& match) {
    std::vector<std::byte> image(match.image_size());
    match.save(image);
    return image;
}

// A tick's inputs that outlive the script that made them.
struct KeptTick {
    std::vector<contract::Slot> leaves;
    std::vector<contract::Join> joins;
    std::vector<std::uint64_t> rows;  // words, for their alignment
    std::size_t size;

    explicit KeptTick(const TickBytes& tick)
        : leaves(tick.leaves.begin(), tick.leaves.end()),
          joins(tick.joins.begin(), tick.joins.end()),
          rows((tick.inputs.size() + 7) / 8),
          size(tick.inputs.size()) {
        std::memcpy(rows.data(), tick.inputs.data(), size);
    }
    TickBytes bytes() const {
        return {leaves, joins, {reinterpret_cast<const std::byte*>(rows.data()), size}};
    }
};

Result<void> is_legal(const Match& match) {
    const Setup& setup = match.setup();
    return setup.world->validate(setup.value.get(), setup.layout, match.state());
}

std::string at_tick(const Match& match) { return "tick " + std::to_string(match.tick()); }

// The first field of the two states that differs, for the report.
std::string first_difference(const Match& a, const Match& b) {
    const auto left = state::hash_fields(a.setup().layout, a.state());
    const auto right = state::hash_fields(b.setup().layout, b.state());
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i)
        if (left[i].hash != right[i].hash) return left[i].path;
    return "a field";
}

Result<void> restore_and_run_again(const SharedSetup& setup, math::Random& random) {
    Match match(setup, random.next());
    RandomScript script(match, random.next());
    run(match, script, random.below(600));
    const std::vector<std::byte> saved = image_of(match);
    Match twin(setup, 1);
    if (auto loaded = twin.load(saved); !loaded) return state::within("its own image", loaded.error());
    std::vector<KeptTick> ticks;
    std::vector<std::uint64_t> hashes;
    for (std::uint32_t n = 1 + random.below(60); n > 0; --n) {
        ticks.emplace_back(script.next());
        match.step(ticks.back().bytes());
        hashes.push_back(match.hash());
    }
    match.restore(saved);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        match.step(ticks[i].bytes());
        twin.step(ticks[i].bytes());
        if (match.hash() != hashes[i])
            return refuse(at_tick(match),
                          "the same inputs after a restore gave another state: the step reads something that "
                          "is neither state nor setup nor input");
        if (twin.hash() != hashes[i])
            return refuse(at_tick(match), first_difference(match, twin) +
                                              " differs in a match with another past: the step keeps "
                                              "something outside the state");
    }
    return {};
}

Result<void> legal_states(const SharedSetup& setup, math::Random& random) {
    Match match(setup, random.next());
    RandomScript script(match, random.next());
    for (std::uint64_t tick = 0; tick < 500; ++tick) {
        if (match.tick() != tick) return refuse(at_tick(match), "a step must add 1 to head.tick");
        if (auto legal = is_legal(match); !legal) return state::within(at_tick(match), legal.error());
        match.step(script.next());
        if (match.events_lost() > 0)
            return refuse(at_tick(match), "more events than Facts::most_events: some were lost");
    }
    return {};
}

Result<void> sanitized_inputs(const SharedSetup& setup, math::Random& random) {
    const Match match(setup, 1);
    const std::size_t size = setup->world->input->size;
    std::vector<std::uint64_t> words((size + 7) / 8);
    auto* input = reinterpret_cast<std::byte*>(words.data());
    for (int i = 0; i < 500; ++i) {
        for (std::uint64_t& word : words) word = random.next();
        if (random.below(2) == 0) random_input(*setup->world->input, random, input);
        match.sanitize(input);
        const std::vector<std::uint64_t> once = words;
        if (!match.sanitize(input) || words != once)
            return refuse("sanitize", "changes or refuses an input that it made legal itself");
    }
    return {};
}

Result<void> raw_bits(const SharedSetup& setup, math::Random& random) {
    Match match(setup, random.next());
    TickBuilder tick(*setup);
    const std::uint32_t players = setup->facts.most_players;
    for (std::uint32_t i = 0; i < players; ++i) tick.join({.slot = static_cast<contract::Slot>(i)});
    for (int t = 0; t < 300; ++t) {
        match.step(tick.bytes());
        tick.begin();
        for (std::uint32_t i = 0; i < players; ++i) {
            std::byte* input = tick.input(static_cast<contract::Slot>(i));
            for (std::uint32_t k = 0; k < setup->world->input->size; ++k)
                input[k] = static_cast<std::byte>(random.next());
            match.sanitize(input);
        }
        if (auto legal = is_legal(match); !legal) return state::within(at_tick(match), legal.error());
    }
    return {};
}

Result<void> flipped_bits(const SharedSetup& setup, math::Random& random) {
    Match source(setup, random.next());
    RandomScript source_script(source, random.next());
    run(source, source_script, 400);
    const std::vector<std::byte> image = image_of(source);
    for (int i = 0; i < 60; ++i) {
        std::vector<std::byte> broken = image;
        for (std::uint32_t n = 1 + random.below(4); n > 0; --n)
            broken[random.below(static_cast<std::uint32_t>(broken.size()))] ^=
                static_cast<std::byte>(1u << random.below(8));
        if (random.below(4) == 0) broken.resize(random.below(static_cast<std::uint32_t>(broken.size())));
        Match match(setup, 1);
        const std::uint64_t before = match.hash();
        if (const auto loaded = match.load(broken); !loaded) {
            if (loaded.error().text().empty()) return refuse("validate", "refuses a state without a reason");
            if (match.hash() != before) return refuse("load", "changed the state although it refused");
            continue;
        }
        RandomScript script(match, random.next());
        run(match, script, 20);
        if (auto legal = is_legal(match); !legal)
            return state::within("20 ticks after an image that validate accepted", legal.error());
    }
    return {};
}

Result<void> pure_looks(const SharedSetup& setup, math::Random& random) {
    Match match(setup, random.next());
    RandomScript script(match, random.next());
    run(match, script, 300);
    const std::uint64_t before = match.hash();
    contract::DrawList list;
    match.view(list);
    if (list.shapes.empty()) return refuse("view", "draws nothing");
    const std::size_t words = setup->world->input->size / 8 + 1;
    for (std::uint32_t i = 0; i < setup->facts.most_players; ++i) {
        std::vector<std::uint64_t> first(words), second(words);
        match.bot(static_cast<contract::Slot>(i), reinterpret_cast<std::byte*>(first.data()));
        match.bot(static_cast<contract::Slot>(i), reinterpret_cast<std::byte*>(second.data()));
        if (first != second)
            return refuse("bot", "wants two things in one state: it must be a pure function");
    }
    if (match.hash() != before) return refuse("view or bot", "changes the state that it looks at");
    return {};
}

Result<void> entity_kinds(const SharedSetup& setup, math::Random&) {
    for (const state::PoolLayout& pool : setup->layout.pools) {
        const std::string name(pool.name);
        if (!pool.kind.owner.empty() && !pool.element->find(pool.kind.owner))
            return refuse(name, "its owner is no field of it");
        if (pool.kind.position.empty()) continue;
        for (const char* axis : {".x", ".y"}) {
            const state::Field* field = pool.element->find(std::string(pool.kind.position) + axis);
            if (!field || field->kind != state::FieldKind::f64)
                return refuse(name, "its position is no pair of doubles");
        }
    }
    return {};
}

constexpr Law all_laws[] = {
    {"the same inputs after a restore give the same states", restore_and_run_again},
    {"every state that a match reaches is legal", legal_states},
    {"any bits become a legal input, and stay one", sanitized_inputs},
    {"no input leads to an illegal state", raw_bits},
    {"an image with flipped bits is refused or can be played", flipped_bits},
    {"views and bots change nothing", pure_looks},
    {"positions and owners are fields", entity_kinds},
};

}  // namespace

std::span<const Law> laws() { return all_laws; }

}  // namespace instep::match
