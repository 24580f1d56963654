// SPDX-License-Identifier: MIT
// Any bytes load as the image of a state, or are refused and change nothing. A loaded state is saved as the
// same bytes, and its pools work.
#include <instep/state/layout.h>

#include <tests/fuzz/require.h>
#include <tests/state/sample.h>

#include <algorithm>

using namespace instep;
using test::State;

namespace {

std::vector<std::byte> image_of(const state::Layout& layout, const state::Block& block) {
    std::vector<std::byte> image(state::image_size(layout, block.data()));
    REQUIRE(state::save(layout, block.data(), image) == image.size());
    return image;
}

template <class T>
void check_handles(const state::Pool<T>& pool) {
    for (std::uint32_t index = 0; index < pool.size(); ++index)
        REQUIRE(pool.find(pool.handle_at(index)) == &pool[index]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const state::Layout layout = state::make_layout<State>(test::Setup{});
    const std::span image(reinterpret_cast<const std::byte*>(data), size);
    state::Block block(layout);
    const auto untouched = image_of(layout, block);
    if (const auto loaded = state::load(layout, image, block.data()); !loaded) {
        REQUIRE(loaded.error().where.starts_with("state image") && !loaded.error().what.empty());
        REQUIRE(image_of(layout, block) == untouched);
        return 0;
    }
    const auto saved = image_of(layout, block);
    REQUIRE(std::equal(saved.begin(), saved.end(), image.begin(), image.end()));

    State state = state::bind<State>(layout, block.data());
    check_handles(state.things);
    check_handles(state.grips);
    auto random = math::Random::from_seed(state::hash(layout, block.data()));
    test::change_randomly(state, random, 20);
    check_handles(state.things);
    check_handles(state.grips);
    state::Block again(layout);
    REQUIRE(state::load(layout, image_of(layout, block), again.data()));
    REQUIRE(state::hash(layout, again.data()) == state::hash(layout, block.data()));
    return 0;
}
