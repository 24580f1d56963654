// SPDX-License-Identifier: MIT
// What a surface does at a contact, and how the values of two surfaces are mixed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace instep::rigid {

// How a contact gets one value out of two. If two materials name different rules, the later in this list
// counts.
enum class Mix : std::uint8_t {
    standard,  // of friction the geometric mean, of restitution the greater, as in Box2D
    average,
    minimum,
    multiply,
    maximum,
};

struct Material {
    double density = 1;             // mass per square unit
    double friction = 0.2;          // Coulomb's
    double restitution = 0;         // speed after a bounce / speed before; 1 is perfectly elastic: see
                                    // Config::elastic_loses_nothing
    double rolling_resistance = 0;  // torque against rolling / (normal force * radius); a contact uses the
                                    // greater resistance and the greater radius of its two shapes
    double tangent_speed = 0;       // units/s, of a conveyor: it carries what lies on top to the right
    Mix friction_mix = Mix::standard;
    Mix restitution_mix = Mix::standard;

    bool has_surface() const { return rolling_resistance > 0 || tangent_speed != 0; }
};

[[nodiscard]] inline double mixed(double a, double b, Mix rule) {
    switch (rule) {
        case Mix::average: return 0.5 * (a + b);
        case Mix::minimum: return std::min(a, b);
        case Mix::multiply: return a * b;
        default: return std::max(a, b);
    }
}
[[nodiscard]] inline double mixed_friction(const Material& a, const Material& b) {
    const Mix rule = std::max(a.friction_mix, b.friction_mix);
    if (rule == Mix::standard) return std::sqrt(a.friction * b.friction);
    return mixed(a.friction, b.friction, rule);
}
[[nodiscard]] inline double mixed_restitution(const Material& a, const Material& b) {
    return mixed(a.restitution, b.restitution, std::max(a.restitution_mix, b.restitution_mix));
}

}  // namespace instep::rigid
