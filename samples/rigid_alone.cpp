// SPDX-License-Identifier: MIT
// Rigid bodies that can be rolled back, without a game: a pile of boxes falls, is saved in the middle, falls
// on, is restored, and falls again to the same bits.
//
//     find_package(Instep REQUIRED COMPONENTS rigid)
//     target_link_libraries(program PRIVATE instep::rigid)
#include <cstdio>

#include <instep/rigid.h>

using namespace instep;

int main() {
    rigid::Setup setup;
    setup.config.gravity = {0, -10};
    setup.body_defs = {
        *rigid::make_body_def(rigid::BodyType::fixed, {{.hull = *rigid::make_box(20, 1)}}),
        *rigid::make_body_def(rigid::BodyType::dynamic, {{.hull = *rigid::make_box(0.5, 0.5)}})};
    setup.max_bodies = 64;
    setup.max_contacts = 256;
    if (const auto checked = rigid::check(setup); !checked) {
        std::fprintf(stderr, "%s\n", checked.error().text().c_str());
        return 1;
    }

    rigid::StandaloneSpace simulation(setup);
    simulation.bodies.add({.position = {0, -1}, .def = 0});
    for (int i = 0; i < 10; ++i) simulation.bodies.add({.position = {0.1 * i, 1 + 1.2 * i}, .def = 1});

    for (int i = 0; i < 60; ++i) simulation.step(1.0 / 60);
    const auto image = simulation.save();
    for (int i = 0; i < 120; ++i) simulation.step(1.0 / 60);
    const std::uint64_t first = simulation.hash();

    simulation.restore(image);
    for (int i = 0; i < 120; ++i) simulation.step(1.0 / 60);
    std::printf("%016llx, and after a rollback %016llx\n", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(simulation.hash()));
    return first == simulation.hash() ? 0 : 1;
}
