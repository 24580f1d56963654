// SPDX-License-Identifier: MIT
#include <instep/browser/controls.h>

#include <limits>

#include <instep/math/units.h>
#include <tests/net/rooms.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::browser;
using math::Vec2;

namespace {

// What the world is asked for with that pad, field by field, by somebody who is nowhere yet.
class Asked {
public:
    Asked(std::string_view world, std::string_view level, const Pad& pad)
        : setup_(test::level(world, level)), input_(setup_->world->input->size) {
        const match::Match match(setup_, 1);
        fill_input(*setup_, match.state(), 0, pad, input_.data());
    }
    double operator[](std::string_view path) const {
        return state::number_at(*setup_->world->input->find(path), input_.data());
    }

private:
    match::SharedSetup setup_;
    std::vector<std::byte> input_;
};

constexpr Vec2 up{0, 1};
constexpr Vec2 left{-1, 0};

}  // namespace

TEST_CASE("what a stick is pushed to is what each world understands by it") {
    CHECK(Asked("arena", "belt", {.stick = up})["thrust"] == 1);
    CHECK(Asked("arena", "belt", {.stick = left})["left"] == 1);
    CHECK(Asked("arena", "belt", {.stick = left})["right"] == 0);
    CHECK(Asked("orbit", "belt", {.stick = up})["thrust"] == 1);
    CHECK(Asked("orbit", "belt", {.stick = left})["turn"] == 1);
    CHECK(Asked("foothold", "town", {.stick = up})["up"] == 1);
    CHECK(Asked("foothold", "town", {.stick = {0.1, 0}})["right"] == 0);
    CHECK(Asked("bounce", "box", {.stick = left})["push.x"] == -1);
}

TEST_CASE("up on the screen is up in the world, whichever way its y points") {
    const auto upwards = [](const match::SharedSetup& setup) { return setup->facts.y_up ? 1 : -1; };
    CHECK(Asked("bounce", "box", {.stick = up})["push.y"] == upwards(test::level("bounce", "box")));
    CHECK(Asked("flail", "pit", {.stick = up})["angle"] ==
          doctest::Approx(upwards(test::level("flail", "pit")) * math::pi / 2));
}

TEST_CASE("buttons are held while they are held") {
    const Asked asked("foothold", "town", {.held = first_button | third_button});
    CHECK(asked["jump"] == 1);
    CHECK(asked["attack"] == 0);
    CHECK(asked["pick_up"] == 1);
}

TEST_CASE("a pointer leads where there is no stick, and a stick leads where both are") {
    const Pad pointing{.pointer = {120, -40}, .held = pointer_known | pointer_pressed};
    CHECK(Asked("creature", "garden", pointing)["pointer.x"] == 120);
    CHECK(Asked("creature", "garden", pointing)["pointer.y"] == -40);
    CHECK(Asked("flail", "pit", pointing)["moving"] == 1);
    Pad both = pointing;
    both.stick = left;
    CHECK(Asked("creature", "garden", both)["pointer.x"] < 0);
}

TEST_CASE("whatever a page hands over is a legal input of every world") {
    test::for_each_seed(40, [](math::Random& random) {
        const auto any = [&] {
            constexpr double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                                      std::numeric_limits<double>::infinity(), -1e300, 0};
            return random.below(4) == 0 ? odd[random.below(4)] : random.uniform(-3000, 3000);
        };
        const Pad pad = Pad{{any(), any()}, {any(), any()}, random.below(64)}.sane();
        test::for_each_level([&](const match::SharedSetup& setup) {
            const match::Match match(setup, 1);
            std::vector<std::byte> input(setup->world->input->size);
            fill_input(*setup, match.state(), 0, pad, input.data());
            CHECK(match.sanitize(input.data()));
        });
    });
}
