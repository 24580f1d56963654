// SPDX-License-Identifier: MIT
// A pile whose hashes are known: the same in every build, natively and in WebAssembly. It needs no test
// framework, so it also runs in WebAssembly.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/standalone_space.h>

namespace instep::test {

struct GoldenHash {
    int tick;
    std::uint64_t hash;
};
// These change only when the engine's arithmetic changes on purpose.
inline constexpr std::array golden_pile{
    GoldenHash{60, 14862136647077821911U}, GoldenHash{120, 4829418532992589394U},
    GoldenHash{240, 12497823794322499788U}, GoldenHash{480, 7621035017593888863U}};

class GoldenPile {
public:
    GoldenPile() : sim_(make_setup()) { fill(); }

    std::uint64_t hash_at(int tick) {
        for (; tick_ < tick; ++tick_) sim_.step(1.0 / 60);
        return sim_.hash();
    }

    std::vector<std::byte> save() const { return sim_.save(); }

    // Continues from an image of the given tick; false if the image is invalid.
    bool load(std::span<const std::byte> image, int tick) {
        tick_ = tick;
        return sim_.load(image).has_value();
    }

private:
    static rigid::BodyDef def(rigid::BodyType type, const rigid::Hull& hull, bool bullet = false) {
        rigid::Shape shape;
        shape.hull = hull;
        shape.material = {1, 0.3, 0.25};
        rigid::BodyOptions options;
        options.bullet = bullet;
        return *rigid::make_body_def(type, {shape}, options);
    }

    static rigid::Setup make_setup() {
        using math::Vec2;
        using rigid::BodyType;
        const std::array<Vec2, 3> ship{Vec2{0, 1}, Vec2{-0.5, -0.5}, Vec2{0.5, -0.5}};
        rigid::Setup setup;
        setup.config.gravity = {0, -10};
        setup.body_defs = {def(BodyType::fixed, *rigid::make_box(20, 1)),
                           def(BodyType::fixed, *rigid::make_segment({0, 0}, {0, 40})),
                           def(BodyType::dynamic, *rigid::make_box(0.5, 0.5)),
                           def(BodyType::dynamic, *rigid::make_circle(0.5)),
                           def(BodyType::dynamic, *rigid::make_polygon(ship)),
                           def(BodyType::dynamic, *rigid::make_circle(0.1), true)};
        setup.max_bodies = 128;
        setup.max_contacts = 512;
        return setup;
    }

    void add(std::uint16_t def, math::Vec2 position, math::Vec2 velocity = {}, double angle = 0) {
        rigid::Body body;
        body.def = def;
        body.position = position;
        body.velocity = velocity;
        body.angle = angle;
        sim_.bodies.add(body);
    }

    void fill() {
        auto random = math::Random::from_seed(11);
        add(0, {0, -1});
        add(1, {-5, 0});
        add(1, {5, 0});
        for (int i = 0; i < 60; ++i) {
            const double across = random.uniform(-0.2, 0.2);
            const double angle = random.uniform(-3, 3);
            add(static_cast<std::uint16_t>(2 + i % 3), {(i % 6) * 1.4 - 3.5 + across, 1 + 1.5 * (i / 6)}, {},
                angle);
        }
        for (int i = 0; i < 8; ++i) add(5, {-4, 3.0 + i}, {60, 10.0 * i});
    }

    rigid::StandaloneSpace sim_;
    int tick_ = 0;
};

}  // namespace instep::test
