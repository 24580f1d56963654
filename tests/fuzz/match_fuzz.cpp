// SPDX-License-Identifier: MIT
// A changed image of a state is refused or loads as a legal state. Every world steps from a loaded state to
// legal states, and twice to the same bits.
//
// The input: a level, the number of ticks played before, and changes to the image: a position and the one
// byte or eight that are written there.
#include <instep/match/builtin_levels.h>
#include <instep/match/random_script.h>

#include <tests/fuzz/require.h>

#include <cstring>

using namespace instep;

namespace {

struct Input {
    std::span<const std::uint8_t> rest;

    std::uint64_t take(std::size_t count) {
        std::uint64_t value = 0;
        for (; count > 0 && !rest.empty(); --count, rest = rest.subspan(1)) value = value << 8 | rest.front();
        return value;
    }
};

std::vector<std::byte> image_of(const match::Match& match) {
    std::vector<std::byte> image(match.image_size());
    match.save(image);
    return image;
}

std::uint64_t play(match::Match& match, std::uint64_t ticks) {
    match::RandomScript script(match, 7);
    for (std::uint64_t i = 0; i < ticks; ++i) match.step(script.next());
    return match.hash();
}

const match::SharedSetup& setup_of(std::uint64_t choice) {
    static const auto setups = [] {
        std::vector<match::SharedSetup> all;
        for (const match::BuiltinLevel& level : match::builtin_levels())
            all.push_back(*match::load_builtin_setup(level.world, level.name));
        return all;
    }();
    return setups[choice % setups.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input{{data, size}};
    const match::SharedSetup& setup = setup_of(input.take(1));
    match::Match match(setup, 1);
    play(match, input.take(1));
    std::vector<std::byte> image = image_of(match);
    while (!input.rest.empty()) {
        const std::uint64_t position = input.take(2);
        const std::uint64_t value = input.take(position & 1 ? 8 : 1);
        const std::size_t width = position & 1 ? 8 : 1;
        std::memcpy(image.data() + position % (image.size() - width + 1), &value, width);
    }

    const std::uint64_t before = match.hash();
    if (const auto loaded = match.load(image); !loaded) {
        REQUIRE(!loaded.error().what.empty());
        REQUIRE(match.hash() == before);
        return 0;
    }
    match::Match twin(setup, 2);
    REQUIRE(twin.load(image));
    REQUIRE(play(match, 40) == play(twin, 40));
    REQUIRE(twin.load(image_of(match)));
    return 0;
}
