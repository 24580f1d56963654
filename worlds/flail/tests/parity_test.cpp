// SPDX-License-Identifier: MIT
// Our world against the original: the recordings, and recordings that we make ourselves from the document's
// pseudocode, written out once more here in the plainest way and sharing nothing with the world.
#include <flail/flail.h>

#include <doctest/doctest.h>

#include <flail/tests/support.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace instep;
using state::Json;
using test::at;

namespace {

// The largest difference between a file and our run of it.
double largest_difference(const Json& file, const std::string& name) {
    const auto ours = worlds::flail::parity({}, file, name);
    REQUIRE_MESSAGE(ours, ours.error().text());
    const Json::Array& columns = *at(file, "columns").array();
    const Json::Array& rows = *at(file, "rows").array();
    REQUIRE(ours->rows.size() == rows.size());
    double largest = 0;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const std::string& label = *columns[column].string();
        if (!contract::is_output_column(label)) continue;
        const auto place = std::find(ours->columns.begin(), ours->columns.end(), label);
        REQUIRE(place != ours->columns.end());
        const auto our_column = static_cast<std::size_t>(place - ours->columns.begin());
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const double difference =
                std::abs(ours->rows[row][our_column] - (*rows[row].array())[column].number());
            largest = difference > largest || std::isnan(difference) ? difference : largest;
        }
    }
    return largest;
}

// --- The document's section 10, by the letter

struct Body {
    double x = 0, y = 0, vx = 0, vy = 0;
    bool affected = true;
};

struct Original {
    std::vector<Body> rope;
    double rest_length;
    double k;
    double flail_angle = 0;

    Original(std::size_t nodes, double rest, double stiffness)
        : rope(nodes), rest_length(rest), k(stiffness) {
        rope[0].affected = false;
    }

    void tick(double angle, bool moving) {
        const double drag = 1 / 1.1;
        Body& player = rope.front();
        Body& flail = rope.back();
        const double ux = 100 * std::cos(angle);
        const double uy = 100 * std::sin(angle);
        const double length = std::sqrt(std::pow(ux, 2) + std::pow(uy, 2));
        if (moving) {
            player.vx += ux / length;
            player.vy += uy / length;
        }
        player.vx *= drag;
        player.vy *= drag;
        player.x += player.vx;
        player.y += player.vy;

        flail_angle = std::atan2(flail.y - player.y, flail.x - player.x);
        flail.vx *= drag;
        flail.vy *= drag;
        flail.x += flail.vx;
        flail.y += flail.vy;

        for (std::size_t i = 1; i < rope.size(); ++i) {
            Body& a = rope[i];
            Body& b = rope[i - 1];
            const double dx = a.x - b.x;
            const double dy = a.y - b.y;
            const double distance = std::sqrt(std::pow(dx, 2) + std::pow(dy, 2));
            const double x = std::max(0.0, distance - rest_length);
            const double fx = distance == 0 ? 0 : dx / distance * (-k * x);
            const double fy = distance == 0 ? 0 : dy / distance * (-k * x);
            if (a.affected) a.vx += fx, a.vy += fy;
            if (b.affected) b.vx -= fx, b.vy -= fy;
        }
        for (std::size_t i = 1; i + 1 < rope.size(); ++i) {
            rope[i].vx *= drag;
            rope[i].vy *= drag;
            rope[i].x += rope[i].vx;
            rope[i].y += rope[i].vy;
        }
    }
};

// A recording of it, in the form of the files.
Json record(math::Random& random, std::size_t nodes, std::uint32_t stride) {
    const double rest = random.uniform(10, 150);
    const double k = random.uniform(0.02, 0.2);
    Original original(nodes, rest, k);
    Json::Array columns{"t", "in_angle", "in_moving"};
    const auto name_columns = [&](const std::string& part) {
        for (const char* what : {"_x", "_y", "_vx", "_vy"}) columns.emplace_back(part + what);
    };
    name_columns("player");
    for (std::size_t i = 1; i + 1 < nodes; ++i) name_columns("chain" + std::to_string(i));
    name_columns("flail");
    columns.emplace_back("flail_angle");

    Json::Array rows;
    double angle = random.uniform(-4, 4);
    double turn = 0;
    bool moving = true;
    for (std::uint32_t tick = 1; tick <= 400; ++tick) {
        if (tick % stride == 1 || stride == 1) {  // between two rows the input stays as it is
            if (random.below(20) == 0) turn = random.uniform(-0.3, 0.3);
            if (random.below(20) == 0) angle = random.uniform(-10, 10);
            if (random.below(20) == 0) moving = !moving;
            angle += turn;
        }
        original.tick(angle, moving);
        if (tick % stride != 0) continue;
        Json::Array row{tick, angle, moving ? 1 : 0};
        for (const Body& body : original.rope)
            for (const double value : {body.x, body.y, body.vx, body.vy}) row.emplace_back(value);
        row.emplace_back(original.flail_angle);
        rows.emplace_back(std::move(row));
    }
    const Json constants = Json::Object{
        {"rope_nodes", nodes}, {"rope_rest_length", rest}, {"rope_k", k}, {"acceleration_per_tick", 1}};
    return Json::Object{{"header", Json::Object{{"system", "flail"}, {"constants", constants}}},
                        {"columns", std::move(columns)},
                        {"rows", std::move(rows)}};
}

}  // namespace

TEST_CASE("flail parity: every recording is reproduced within the tolerance of the index") {
    const Json index = test::read_vector("../vectors.json");
    int compared = 0;
    for (const Json& entry : *index.array()) {
        const std::string& name = *at(entry, "file").string();
        if (at(entry, "tolerance").is_null()) continue;
        CAPTURE(name);
        CHECK(largest_difference(test::read_vector(name), name) <= at(entry, "tolerance").number());
        ++compared;
    }
    CHECK(compared == 6);
}

TEST_CASE(
    "flail parity: ropes of 2 to 16 nodes, any length and stiffness, move as the document's pseudocode moves "
    "them") {
    test::for_each_seed(60, [](math::Random& random) {
        const std::size_t nodes = 2 + random.below(worlds::flail::most_rope_nodes - 1);
        CAPTURE(nodes);
        CHECK(largest_difference(record(random, nodes, 1), "made") <= 1e-9);
    });
}

TEST_CASE("flail parity: a recording that keeps only every fourth row is reproduced as well") {
    test::for_each_seed(10, [](math::Random& random) {
        CHECK(largest_difference(record(random, 3 + random.below(6), 4), "made") <= 1e-9);
    });
}

TEST_CASE("flail parity: a row of tick 0 is the state before the first step") {
    const auto json = state::parse_json(R"({"header": {"constants":
        {"rope_nodes": 3, "rope_rest_length": 80, "rope_k": 0.1, "acceleration_per_tick": 1}},
        "columns": ["t", "in_angle", "in_moving", "player_x"], "rows": [[0, 0, 1, 0], [1, 0, 1, 0.9]]})",
                                        "made");
    REQUIRE(json);
    const auto ours = worlds::flail::parity({}, *json, "made");
    REQUIRE_MESSAGE(ours, ours.error().text());
    CHECK(ours->rows[0][0] == 0);
    CHECK(ours->rows[1][0] == 1 / 1.1);
}

TEST_CASE("flail parity: a recording that the world cannot replay is refused by name") {
    const auto error_of = [](std::string_view constants, std::string_view column) {
        const std::string text = R"({"header": {"constants": {)" + std::string(constants) +
                                 R"(}}, "columns": ["t", "in_angle", "in_moving", ")" + std::string(column) +
                                 R"("], "rows": [[1, 0, 0, 0]]})";
        const auto json = state::parse_json(text, "made");
        REQUIRE_MESSAGE(json, json.error().text());
        const auto ours = worlds::flail::parity({}, *json, "made");
        return ours ? std::string("no error") : ours.error().text();
    };
    const std::string good =
        R"("rope_nodes": 4, "rope_rest_length": 80, "rope_k": 0.1, "acceleration_per_tick": 1)";
    CHECK(error_of(good, "chain2_x") == "no error");
    for (const char* column :
         {"chain0_x", "chain3_x", "chain4_x", "chain/_x", "chain_x", "chain18446744073709551615_x",
          "chain99999999999999999999_x", "flail_z", "wing_x", "x", "chain1"}) {
        CAPTURE(column);
        CHECK(error_of(good, column).find(column) != std::string::npos);
    }
    CHECK(error_of(R"("rope_nodes": 1)", "player_x").find("rope_nodes") != std::string::npos);
    CHECK(error_of(R"("rope_nodes": 17)", "player_x").find("rope_nodes") != std::string::npos);
    CHECK(error_of(R"("rope_nodes": 3)", "player_x").find("rope_rest_length") != std::string::npos);
    CHECK(error_of(R"("rope_nodes": 3, "rope_rest_length": 80)", "player_x").find("rope_k") !=
          std::string::npos);
}
