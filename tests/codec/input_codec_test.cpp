// SPDX-License-Identifier: MIT
// The laws of canonical inputs, for every world on every level.
#include <instep/codec/input_codec.h>

#include <cstring>
#include <limits>

#include <instep/codec/state_codec.h>
#include <instep/match/random_input.h>
#include <tests/net/logged_match.h>
#include <tests/support/property.h>

using namespace instep;
using match::SharedSetup;

namespace {

using Row = std::vector<std::byte>;

Row canonical(const match::Setup& setup, Row row) {
    codec::make_canonical(setup, row.data());
    return row;
}

// Bytes as an attacker sends them, values as a player sends them, and values at and beyond the limits.
Row any_row(const match::Setup& setup, math::Random& random) {
    const state::StructInfo& info = *setup.world->input;
    Row row(info.size);
    if (random.below(3) == 0) {
        for (std::byte& byte : row) byte = static_cast<std::byte>(random.next());
        return row;
    }
    match::random_input(info, random, row.data());
    for (const state::Field& field : info.fields) {
        if (random.below(2) == 0) continue;
        const double values[] = {-0.0,
                                 1e-9,
                                 1e9,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 field.rules.low * 1.5,
                                 field.rules.high + field.rules.precision * random.uniform()};
        const double value = values[random.below(6)];
        const auto narrow = static_cast<float>(value);
        if (field.kind == state::FieldKind::f64) std::memcpy(row.data() + field.offset, &value, sizeof value);
        if (field.kind == state::FieldKind::f32)
            std::memcpy(row.data() + field.offset, &narrow, sizeof narrow);
    }
    return row;
}

Row over_the_wire(const match::Setup& setup, const Row& row) {
    const state::StructInfo& info = *setup.world->input;
    codec::Bytes message;
    codec::Writer writer(message);
    codec::StructModel written(info);
    codec::encode_struct(writer, info, written, codec::zeros_of(info), row.data());
    writer.finish();
    Row decoded(info.size);
    codec::Reader reader(message);
    codec::StructModel read(info);
    REQUIRE(codec::decode_struct(reader, info, read, codec::zeros_of(info), decoded.data()));
    return decoded;
}

void check_laws(const SharedSetup& setup) {
    test::for_each_seed(5000, [&](math::Random& random) {
        const Row once = canonical(*setup, any_row(*setup, random));
        CHECK(canonical(*setup, once) == once);
        Row sanitized = once;
        CHECK(setup->world->sanitize(setup->value.get(), sanitized.data()));
        CHECK(sanitized == once);
        CHECK(over_the_wire(*setup, once) == once);
    });
}

}  // namespace

TEST_CASE("canonical input: making it twice, sanitizing it or sending it changes no bit") {
    test::for_each_level(check_laws);
}

TEST_CASE("canonical input: a limit between two steps of the grid keeps the laws") {
    const SharedSetup garden = test::level("creature", "garden");
    std::string text = garden->text;
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"1280", "1280.3"}, {"720", "719.8"}})
        text.replace(text.find(from), from.size(), to);
    const auto setup = match::load_setup(text, "garden");
    REQUIRE(setup);
    check_laws(*setup);
}

TEST_CASE("canonical input: refused bytes become the input of a player that does nothing") {
    test::for_each_level([](const SharedSetup& setup) {
        const Row nothing = canonical(*setup, Row(setup->world->input->size));
        test::for_each_seed(2000, [&](math::Random& random) {
            Row row = any_row(*setup, random);
            Row sanitized = row;
            const bool is_legal = setup->world->sanitize(setup->value.get(), sanitized.data());
            CHECK(codec::make_canonical(*setup, row.data()) == is_legal);
            if (!is_legal) CHECK(row == nothing);
        });
    });
}

TEST_CASE("canonical input: a legal row moves by at most one step of the grid") {
    test::for_each_level([](const SharedSetup& setup) {
        test::for_each_seed(2000, [&](math::Random& random) {
            Row sanitized = any_row(*setup, random);
            setup->world->sanitize(setup->value.get(), sanitized.data());
            const Row row = canonical(*setup, sanitized);
            for (const state::Field& field : setup->world->input->fields) {
                if (field.rules.precision == 0) continue;
                const double moved = number_at(field, row.data()) - number_at(field, sanitized.data());
                CHECK(std::abs(moved) <= field.rules.precision);
            }
        });
    });
}
