// SPDX-License-Identifier: MIT
// A state that another build saved, whose structs differ, is carried over by the names and kinds of its
// fields.
#include <instep/state/layout_description.h>

#include <instep/state/raw_pool.h>

#include <tests/state/sample.h>
#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <algorithm>

using namespace instep;

namespace {

using state::field;
using state::FixedText;
using state::Handle;
using state::Reserved;
using state::Type;

struct Setup {
    std::uint32_t most = 8;
};

// Two versions of one world: of an earlier build, and of a later one in which fields have moved, come, gone
// and changed.
namespace earlier {
enum class Mode : std::uint8_t { idle, run, fly };
constexpr std::string_view mode_labels[] = {"idle", "run", "fly"};

struct Head {
    std::uint64_t tick = 0;
    std::uint64_t score = 0;
};
constexpr auto fields_of(Type<Head>) {
    return state::fields("Head", field("tick", &Head::tick), field("score", &Head::score));
}
struct Ship {
    math::Vec2 position;
    Handle target;
    float heat = 0;
    std::uint8_t lives = 0;
    Mode mode = Mode::idle;
    Reserved<2> unused;
    FixedText<16> name;
};
constexpr auto fields_of(Type<Ship>) {
    return state::fields("Ship", field("position", &Ship::position), field("target", &Ship::target),
                         field("heat", &Ship::heat), field("lives", &Ship::lives),
                         field("mode", &Ship::mode, {.labels = mode_labels}), field("unused", &Ship::unused),
                         field("name", &Ship::name));
}
struct Rock {
    double size = 0;
};
constexpr auto fields_of(Type<Rock>) { return state::fields("Rock", field("size", &Rock::size)); }

struct State {
    state::Single<Head> head;
    state::Pool<Ship> ships;
    state::Pool<Rock> rocks;
};
inline auto parts_of(Type<State>) {
    const auto most = [](const Setup& setup) { return setup.most; };
    return state::parts(state::head(&State::head), state::pool("ships", &State::ships, most),
                        state::pool("rocks", &State::rocks, most));
}
}  // namespace earlier

namespace later {
enum class Mode : std::uint8_t { run, idle, swim };
constexpr std::string_view mode_labels[] = {"run", "idle", "swim"};

struct Head {
    std::uint64_t wind = 5;
    std::uint64_t tick = 0;
};
constexpr auto fields_of(Type<Head>) {
    return state::fields("Head", field("wind", &Head::wind), field("tick", &Head::tick));
}
struct Ship {
    FixedText<4> name;
    Mode mode = Mode::swim;
    bool is_shielded = true;
    Reserved<2> unused;
    double heat = 0.5;
    double fuel = 100;
    Handle target;
    math::Vec2 position;
};
constexpr auto fields_of(Type<Ship>) {
    return state::fields(
        "Ship", field("name", &Ship::name), field("mode", &Ship::mode, {.labels = mode_labels}),
        field("is_shielded", &Ship::is_shielded), field("unused", &Ship::unused), field("heat", &Ship::heat),
        field("fuel", &Ship::fuel), field("target", &Ship::target), field("position", &Ship::position));
}
struct Star {
    double light = 1;
};
constexpr auto fields_of(Type<Star>) { return state::fields("Star", field("light", &Star::light)); }

struct State {
    state::Single<Head> head;
    state::Pool<Star> stars;
    state::Pool<Ship> ships;
};
inline auto parts_of(Type<State>) {
    const auto most = [](const Setup& setup) { return setup.most; };
    return state::parts(state::head(&State::head), state::pool("stars", &State::stars, most),
                        state::pool("ships", &State::ships, most));
}
}  // namespace later

std::vector<std::byte> image_of(const state::Layout& layout, const state::Block& block) {
    std::vector<std::byte> image(state::image_size(layout, block.data()));
    state::save(layout, block.data(), image);
    return image;
}

struct Saved {
    state::Layout layout = state::make_layout<earlier::State>(Setup{});
    state::Block block{layout};
    earlier::State state = state::bind<earlier::State>(layout, block.data());

    state::LayoutDescription description() const { return state::describe_layout(layout); }
    std::vector<std::byte> image() const { return image_of(layout, block); }
};

// As the later build's world begins.
struct Started {
    explicit Started(std::uint32_t most = 8)
        : layout(state::make_layout<later::State>(Setup{most})),
          block(layout),
          state(state::bind<later::State>(layout, block.data())) {
        *state.head = {};
        state.stars.add({.light = 7});
    }
    state::Layout layout;
    state::Block block;
    later::State state;
};

bool lists(const state::NotCarried& list, std::string_view line) {
    return std::find(list.begin(), list.end(), line) != list.end();
}

}  // namespace

TEST_CASE("carry-over: fields keep their values by name and kind, and new ones take their defaults") {
    Saved saved;
    *saved.state.head = {.tick = 77, .score = 9};
    for (int i = 0; i < 4; ++i) saved.state.ships.add();
    saved.state.ships.remove_at(0);  // so that order, ids and generations differ
    const Handle second = saved.state.ships.handle_at(1);
    saved.state.ships[0] = {.position = {1, 2},
                            .target = second,
                            .heat = 3,
                            .lives = 2,
                            .mode = earlier::Mode::run,
                            .unused = {},
                            .name = FixedText<16>::of("ann")};
    saved.state.ships[1] = {.position = {3, 4},
                            .target = {},
                            .heat = 0,
                            .lives = 0,
                            .mode = earlier::Mode::fly,
                            .unused = {},
                            .name = FixedText<16>::of("a long name")};
    saved.state.rocks.add({.size = 3});

    Started now;
    const auto carried = state::carry_over(saved.description(), saved.image(), now.layout, now.block.data());
    REQUIRE_MESSAGE(carried.has_value(), (carried ? "" : carried.error().text()));
    CHECK(now.state.head->tick == 77);
    CHECK(now.state.head->wind == 5);
    REQUIRE(now.state.stars.size() == 1);
    CHECK(now.state.stars[0].light == 7);
    REQUIRE(now.state.ships.size() == 3);
    for (std::uint32_t i = 0; i < 3; ++i)
        CHECK(now.state.ships.handle_at(i) == saved.state.ships.handle_at(i));
    const later::Ship& first = now.state.ships[0];
    CHECK(first.position == math::Vec2{1, 2});
    CHECK(first.target == second);
    CHECK(first.mode == later::Mode::run);  // by its label: another number
    CHECK(first.name.view() == "ann");
    CHECK(first.heat == 0.5);
    CHECK(first.fuel == 100);
    CHECK(first.is_shielded);
    CHECK(now.state.ships[1].name.view().empty());
    CHECK(now.state.ships[1].mode == later::Mode::swim);
    // New elements do not reuse the handles of old ones.
    CHECK(now.state.ships.handle_of(*now.state.ships.add()).generation == 4);

    CHECK(carried->size() == 6);
    CHECK(lists(*carried, "head.score: is no longer there"));
    CHECK(lists(*carried, "ships.heat: was f32, is f64"));
    CHECK(lists(*carried, "ships.lives: is no longer there"));
    CHECK(lists(*carried, "ships.mode: a value has no counterpart and took its default"));
    CHECK(lists(*carried, "ships.name: a value has no counterpart and took its default"));
    CHECK(lists(*carried, "rocks: is no longer there"));
}

TEST_CASE("carry-over: elements beyond the capacity are listed") {
    Saved saved;
    for (int i = 0; i < 5; ++i) saved.state.ships.add();
    Started now(3);
    const auto carried = state::carry_over(saved.description(), saved.image(), now.layout, now.block.data());
    REQUIRE(carried);
    CHECK(now.state.ships.size() == 3);
    CHECK(lists(*carried, "ships: 2 elements, for which there is no capacity"));
}

TEST_CASE("carry-over: within one layout it is the identity") {
    const state::Layout layout = state::make_layout<test::State>(test::Setup{});
    test::for_each_seed(100, [&](math::Random& random) {
        state::Block block(layout);
        test::State state = state::bind<test::State>(layout, block.data());
        test::change_randomly(state, random, 30);
        state::Block other(layout);
        const auto carried =
            state::carry_over(state::describe_layout(layout), image_of(layout, block), layout, other.data());
        REQUIRE_MESSAGE(carried.has_value(), (carried ? "" : carried.error().text()));
        CHECK(carried->empty());
        CHECK(state::hash(layout, other.data()) == state::hash(layout, block.data()));
    });
}

TEST_CASE("carry-over: any image and any description are carried over or refused with a reason") {
    Saved saved;
    for (int i = 0; i < 5; ++i) saved.state.ships.add();
    saved.state.rocks.add();
    test::for_each_seed(2000, [&](math::Random& random) {
        std::vector<std::byte> image = saved.image();
        state::LayoutDescription description = saved.description();
        for (std::uint32_t changes = 1 + random.below(3); changes > 0; --changes) {
            auto& fields =
                random.below(3) == 0 ? description.head : description.pools[random.below(2)].element;
            state::FieldDescription& changed =
                fields[random.below(static_cast<std::uint32_t>(fields.size()))];
            switch (random.below(5)) {
                case 0: changed.size = random.below(40); break;
                case 1: changed.kind = static_cast<state::FieldKind>(random.below(13)); break;
                case 2:
                    image[random.below(static_cast<std::uint32_t>(image.size()))] =
                        static_cast<std::byte>(random.next());
                    break;
                case 3: image.resize(1 + random.below(static_cast<std::uint32_t>(image.size()))); break;
                default: changed.labels.resize(random.below(4)); break;
            }
        }
        Started now;
        const auto carried = state::carry_over(description, image, now.layout, now.block.data());
        if (!carried) {
            CHECK(!carried.error().what.empty());
            return;
        }
        // What was carried over is an image that load() takes.
        state::Block again(now.layout);
        CHECK(state::load(now.layout, image_of(now.layout, now.block), again.data()));
    });
}
