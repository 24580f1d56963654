// SPDX-License-Identifier: MIT
// Rigid bodies in WebAssembly; bench/rigid_wasm.mjs passes the scene body by body and steps it.
#include <bench/rigid_space.h>

#include <array>
#include <memory>

using namespace instep;

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace {

math::Vec2 gravity;
std::vector<bench::BodySpec> bodies;
std::unique_ptr<bench::SceneSpace> space;
constexpr double dt = 1.0 / 60;

rigid::Hull hull_of(int shape, double p1, double p2) {
    constexpr std::array<math::Vec2, 3> ship{math::Vec2{0, 1}, math::Vec2{-0.5, -0.5}, math::Vec2{0.5, -0.5}};
    if (shape == 'c') return *rigid::make_circle(p1);
    if (shape == 'b') return *rigid::make_box(p1, p2);
    return *rigid::make_polygon(ship);
}

}  // namespace

EXPORT(begin) void begin(double x, double y) {
    gravity = {x, y};
    bodies.clear();
}

EXPORT(add_body)
void add_body(int dynamic, double x, double y, double vx, double vy, double linear_damping,
              double angular_damping, int shape, double p1, double p2, double density, double friction,
              double restitution, int bullet) {
    bench::BodySpec body;
    body.dynamic = dynamic != 0;
    body.hull = hull_of(shape, p1, p2);
    body.material = {density, friction, restitution};
    body.options.linear_damping = linear_damping;
    body.options.angular_damping = angular_damping;
    body.options.bullet = bullet != 0;
    body.position = {x, y};
    body.velocity = {vx, vy};
    bodies.push_back(body);
}

EXPORT(start) void start() { space = std::make_unique<bench::SceneSpace>(gravity, bodies); }
EXPORT(push) void push(unsigned body, double x, double y, double torque) {
    space->push(body, {x, y}, torque, dt);
}
EXPORT(step) void step() { space->step(dt); }
EXPORT(energy) double energy() { return space->energy(); }
EXPORT(x_of) double x_of(unsigned body) { return (*space)[body].position.x; }
EXPORT(y_of) double y_of(unsigned body) { return (*space)[body].position.y; }
EXPORT(save) void save() { space->save(); }
EXPORT(restore) void restore() { space->restore(); }
EXPORT(image_size) unsigned image_size() { return static_cast<unsigned>(space->image_size()); }
