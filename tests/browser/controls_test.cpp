// SPDX-License-Identifier: MIT
#include <instep/browser/controls.h>

#include <limits>

#include <instep/math/units.h>
#include <tests/net/logged_match.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::browser;
using math::Vec2;

namespace {

// The input of a world that a pad gives, field by field, for a player without a position.
class PadInput {
public:
    PadInput(std::string_view world, std::string_view level, const Pad& pad)
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

TEST_CASE("controls: the stick fills the fields that each world assigns to it") {
    CHECK(PadInput("arena", "belt", {.stick = up})["thrust"] == 1);
    CHECK(PadInput("arena", "belt", {.stick = left})["left"] == 1);
    CHECK(PadInput("arena", "belt", {.stick = left})["right"] == 0);
    CHECK(PadInput("orbit", "belt", {.stick = up})["thrust"] == 1);
    CHECK(PadInput("orbit", "belt", {.stick = left})["turn"] == 1);
    CHECK(PadInput("foothold", "town", {.stick = up})["up"] == 1);
    CHECK(PadInput("foothold", "town", {.stick = {0.1, 0}})["right"] == 0);
    CHECK(PadInput("bounce", "box", {.stick = left})["push.x"] == -1);
}

TEST_CASE("controls: up on the screen is up in the world, whichever way its y points") {
    const auto upwards = [](const match::SharedSetup& setup) { return setup->facts.y_up ? 1 : -1; };
    CHECK(PadInput("bounce", "box", {.stick = up})["push.y"] == upwards(test::level("bounce", "box")));
    CHECK(PadInput("flail", "pit", {.stick = up})["angle"] ==
          doctest::Approx(upwards(test::level("flail", "pit")) * math::pi / 2));
}

TEST_CASE("controls: a held button sets its field and no other") {
    const PadInput input("foothold", "town", {.held = first_button | third_button});
    CHECK(input["jump"] == 1);
    CHECK(input["attack"] == 0);
    CHECK(input["pick_up"] == 1);
}

TEST_CASE("controls: a pushed stick takes precedence over the pointer") {
    const Pad pointing{.pointer = {120, -40}, .held = pointer_known | pointer_pressed};
    CHECK(PadInput("creature", "garden", pointing)["pointer.x"] == 120);
    CHECK(PadInput("creature", "garden", pointing)["pointer.y"] == -40);
    CHECK(PadInput("flail", "pit", pointing)["moving"] == 1);
    Pad both = pointing;
    both.stick = left;
    CHECK(PadInput("creature", "garden", both)["pointer.x"] < 0);
}

TEST_CASE("controls: any pad, even NaN, gives a legal input of every world") {
    test::for_each_seed(40, [](math::Random& random) {
        const auto any = [&] {
            constexpr double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                                      std::numeric_limits<double>::infinity(), -1e300, 0};
            return random.below(4) == 0 ? odd[random.below(4)] : random.uniform(-3000, 3000);
        };
        const Pad pad = Pad{{any(), any()}, {any(), any()}, random.below(64)}.sanitized();
        test::for_each_level([&](const match::SharedSetup& setup) {
            const match::Match match(setup, 1);
            std::vector<std::byte> input(setup->world->input->size);
            fill_input(*setup, match.state(), 0, pad, input.data());
            CHECK(match.sanitize(input.data()));
        });
    });
}
