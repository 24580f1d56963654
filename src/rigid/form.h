// SPDX-License-Identifier: MIT
// A form is what a kind of body is made of: its shapes, their material, the mass that follows from them, its
// damping. Forms never change during a match, so they belong to the setup, and a body of the state says in
// two bytes which form it has. That is why an arena's image fits into a few kilobytes. A body whose shape
// changes gets another form.
#pragma once

#include <cstdint>
#include <vector>

#include <instep/rigid/hull.h>

namespace instep::rigid {

enum class BodyType : std::uint8_t {
    fixed,      // never moves
    kinematic,  // moves as it is told, and nothing can push it
    dynamic,    // has a mass, and is pushed
};

struct Material {
    double density = 1;      // mass per square unit
    double friction = 0.2;   // Coulomb's; of two that touch, the geometric mean counts
    double restitution = 0;  // part of the speed of approach that comes back; of two, the greater counts;
                             // 1 is perfectly elastic: see Rules::elastic_loses_nothing
};

// Two shapes touch if each one's category is in the other's mask.
struct Filter {
    std::uint32_t category = 1;
    std::uint32_t mask = 0xFFFFFFFF;
};
[[nodiscard]] constexpr bool may_touch(Filter a, Filter b) {
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

struct Shape {
    Hull hull{};
    Material material{};
    Filter filter{};
    // These make_form() works out.
    double reach = 0;  // of its points from the centre of mass
    Vec2 middle{};     // of its own
    double core = 0;   // radius of a disc about its middle that lies inside of it
};

struct FormOptions {
    double linear_damping = 0;   // 1/s
    double angular_damping = 0;  // 1/s
    bool turns = true;           // without: an infinite moment of inertia
    bool bullet = false;  // sweeps against dynamic bodies too, not only against those that don't give way
};

struct Form {
    BodyType type = BodyType::fixed;
    FormOptions options{};
    std::vector<Shape> shapes;  // about the centre of mass
    Vec2 origin{};       // where the origin of the shapes that make_form() got is, from the centre of mass
    double mass = 0;     // these four are 0 for what is not dynamic: nothing can push it
    double inertia = 0;  // about the centre of mass
    double inverse_mass = 0;
    double inverse_inertia = 0;
    double reach = 0;    // of the points of all shapes from the centre of mass
    double core = 0;     // of its thinnest shape: what moves less can't get through a wall
    bool round = false;  // one circle about the centre: it looks the same however it is turned
};

inline constexpr std::size_t max_shapes = 255;  // of one form

// Refuses a dynamic form without mass (segments alone have none), and materials that are none.
state::Result<Form> make_form(BodyType type, std::vector<Shape> shapes, const FormOptions& options = {});

}  // namespace instep::rigid
