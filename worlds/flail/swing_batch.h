// SPDX-License-Identifier: MIT
// The document's physics (swing.h) for many players at once, each component in an array of its own, so that
// the loops become vector instructions: for large crowds, training and benchmarks. Player by player it gives
// the same bits as swing(), on every build; loose flails, which are no part of the document, it does not
// know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <flail/state.h>

namespace instep::worlds::flail {

class SwingBatch {
public:
    // All at rest in the origin, as the document spawns them. `rope_nodes` as in the rules that step() is
    // given.
    SwingBatch(std::size_t players, std::uint32_t rope_nodes);

    std::size_t size() const { return players_; }
    std::uint32_t rope_nodes() const { return rope_nodes_; }

    // What changes from tick to tick: headings in radians, and 1 for players that move, 0 for others
    // (doubles, so that all lanes of a loop have one width).
    std::span<double> heading() { return array(0); }
    std::span<double> moving() { return array(1); }

    std::span<double> flail_angle() { return array(2); }

    // Node 0 is the body, the last one the flail.
    std::span<double> x(std::uint32_t node) { return array(3 + 4 * node); }
    std::span<double> y(std::uint32_t node) { return array(4 + 4 * node); }
    std::span<double> velocity_x(std::uint32_t node) { return array(5 + 4 * node); }
    std::span<double> velocity_y(std::uint32_t node) { return array(6 + 4 * node); }

    // One player in and out: rope, flail angle, heading and whether it moves.
    void set(std::size_t index, const Player& player);
    void get(std::size_t index, Player& player) const;

    // One tick: does for each player what swing() does.
    void step(const Setup& setup);

private:
    std::span<double> array(std::size_t number) { return {values_.data() + number * stride_, players_}; }

    std::size_t players_;
    std::size_t stride_;
    std::uint32_t rope_nodes_;
    std::vector<double> values_;
};

}  // namespace instep::worlds::flail
