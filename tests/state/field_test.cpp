// SPDX-License-Identifier: MIT
#include <instep/state/field.h>

#include <tests/state/sample.h>
#include <tests/support/property.h>

#include <limits>

using namespace instep;
using namespace instep::test;
using state::describe;
using state::Field;
using state::FieldKind;
using state::FixedText;
using state::StructInfo;

namespace {

const StructInfo& everything() { return describe<Everything>(); }

const Field& at(std::string_view path) {
    const Field* found = everything().find(path);
    REQUIRE_MESSAGE(found, path);
    return *found;
}

bool is_legal(const Everything& value) { return state::fields_are_legal(everything(), bytes_of(value)); }

std::string random_bytes(Random& random, std::uint32_t most) {
    std::string bytes(random.below(most + 1), '\0');
    for (char& c : bytes) c = static_cast<char>(random.next());
    return bytes;
}

}  // namespace

TEST_CASE("fields: the leaves cover every byte of a struct, once and in order") {
    for (const StructInfo* info : {&everything(), &describe<Head>(), &describe<Grip>(), &describe<Vec2>()}) {
        std::uint32_t covered = 0;
        for (const Field& field : info->fields) {
            CHECK_MESSAGE(field.offset == covered, field.path);
            covered += field.size;
        }
        CHECK(covered == info->size);
    }
    CHECK(everything().size == sizeof(Everything));
}

TEST_CASE("fields: a leaf has the offset of its member") {
    CHECK(at("whole").offset == offsetof(Everything, whole));
    CHECK(at("mood").offset == offsetof(Everything, mood));
    CHECK(at("position.y").offset == offsetof(Everything, position) + offsetof(Vec2, y));
    CHECK(at("grips[1].held").offset == offsetof(Everything, grips) + sizeof(Grip) + offsetof(Grip, held));
}

TEST_CASE("fields: arrays and nested structs become leaves with a path") {
    for (const char* path : {"pair[0]", "pair[1]", "grips[0].at.x", "grips[1].at.y", "grips[1].strength",
                             "steps[3]", "home.generation"})
        CHECK_MESSAGE(everything().find(path), path);
    for (const char* path : {"pair", "pair[2]", "grips[0]", "position", "steps[4]", ""})
        CHECK_MESSAGE(!everything().find(path), path);
}

TEST_CASE("fields: a type has one kind, an enum that of its underlying integer") {
    CHECK(at("whole").kind == FieldKind::f64);
    CHECK(at("force").kind == FieldKind::f32);
    CHECK(at("pair[1]").kind == FieldKind::f32);
    CHECK(at("left").kind == FieldKind::i8);
    CHECK(at("height").kind == FieldKind::i16);
    CHECK(at("turns").kind == FieldKind::i32);
    CHECK(at("balance").kind == FieldKind::i64);
    CHECK(at("right").kind == FieldKind::u8);
    CHECK(at("width").kind == FieldKind::u16);
    CHECK(at("mark").kind == FieldKind::u32);
    CHECK(at("count").kind == FieldKind::u64);
    CHECK(at("alive").kind == FieldKind::boolean);
    CHECK(at("mood").kind == FieldKind::u8);
    CHECK(at("name").kind == FieldKind::text);
    CHECK(at("name").size == 11);
    CHECK(at("unused").kind == FieldKind::reserved);
}

TEST_CASE("fields: members of a nested struct without rules inherit those of the outer member") {
    CHECK(at("position.x").rules.high == 1);
    CHECK(at("position.y").rules.precision == 0.01);
    CHECK(at("position.y").rules.unit == "km");
    CHECK(at("grips[1].at.x").rules.high == 100);
    CHECK(at("grips[1].at.x").rules.unit == "m");
    CHECK(at("grips[0].strength").rules.high == std::numeric_limits<double>::infinity());
    CHECK(at("grips[0].mood").rules.labels.size() == 3);
}

TEST_CASE("fields: a field with a unit and a note but no range keeps them") {
    CHECK(at("mark").rules.unit == "u");
    CHECK(at("mark").rules.note == "a note");
}

namespace {
struct Outer {
    Grip tight;
    Grip loose;
};
constexpr auto fields_of(state::Type<Outer>) {
    return state::fields("Outer", state::field("tight", &Outer::tight, {.low = 5, .high = 6, .unit = "N"}),
                         state::field("loose", &Outer::loose));
}
}  // namespace

TEST_CASE("fields: a member's own rules override inherited ones") {
    const StructInfo& outer = describe<Outer>();
    CHECK(outer.find("tight.at.x")->rules.high == 100);
    CHECK(outer.find("tight.strength")->rules.high == 6);
    CHECK(outer.find("tight.strength")->rules.unit == "N");
    CHECK(outer.find("loose.strength")->rules.high == std::numeric_limits<double>::infinity());
}

TEST_CASE("fields: random valid values are valid") {
    for_each_seed(1000, [](Random& random) { CHECK(is_legal(random_value<Everything>(random))); });
}

TEST_CASE("fields: a byte is a boolean only if it is 0 or 1") {
    for (int byte = 0; byte < 256; ++byte) {
        Everything value;
        std::memset(&value.alive, byte, 1);
        CHECK(is_legal(value) == (byte <= 1));
    }
}

TEST_CASE("fields: an enum is valid if it has a label, nested ones too") {
    for (int byte = 0; byte < 256; ++byte) {
        Everything value;
        value.mood = static_cast<Mood>(byte);
        CHECK(is_legal(value) == (byte < 3));
        value.mood = Mood::calm;
        value.grips[1].mood = static_cast<Mood>(byte);
        CHECK(is_legal(value) == (byte < 3));
    }
}

TEST_CASE("fields: text is valid if it is UTF-8 without control characters, padded with zeros") {
    const auto is_valid = [](std::string_view bytes) {
        Everything value;
        std::memcpy(value.name.bytes.data(), bytes.data(), bytes.size());
        return is_legal(value);
    };
    CHECK(is_valid(""));
    CHECK(is_valid("hello world"));
    CHECK(is_valid("Zo\u00eb \u20ac"));
    CHECK_FALSE(is_valid("a\tb"));
    CHECK_FALSE(is_valid("a\x7F"));
    CHECK_FALSE(is_valid("a\xC3"));
    CHECK_FALSE(is_valid({"a\0b", 3}));
    CHECK_FALSE(is_valid("1234567890\xC3"));
}

TEST_CASE("fixed text: any bytes give a valid text, and conversion is idempotent") {
    for_each_seed(20'000, [](Random& random) {
        const std::string bytes = random_bytes(random, 40);
        const auto text = FixedText<11>::of(bytes);
        Everything value;
        value.name = text;
        CHECK(is_legal(value));
        CHECK(FixedText<11>::of(text.view()) == text);
    });
}

TEST_CASE("fixed text: keeps what fits, never half a character") {
    for_each_seed(2000, [](Random& random) {
        const std::string all = random_text(random, 30);
        const std::string kept(FixedText<11>::of(all).view());
        CHECK(all.starts_with(kept));
        CHECK(state::is_plain_text(kept));
        if (all.size() <= 11)
            CHECK(kept == all);
        else
            CHECK(kept.size() > 7);
    });
    CHECK(FixedText<5>::of("a\nb\xFF\xC3\u00e9").view() == "ab\u00e9");
}

TEST_CASE("fields: number_at returns the value for every type") {
    Everything value;
    value.whole = -0.5;
    value.force = 0.25f;
    value.left = -128;
    value.height = -300;
    value.turns = std::numeric_limits<std::int32_t>::min();
    value.balance = -(std::int64_t{1} << 53);
    value.right = 255;
    value.width = 65535;
    value.mark = 4'000'000'000;
    value.count = std::uint64_t{1} << 63;
    value.alive = true;
    value.mood = Mood::asleep;
    const auto number = [&value](std::string_view path) {
        return state::number_at(at(path), bytes_of(value));
    };
    CHECK(number("whole") == -0.5);
    CHECK(number("force") == 0.25);
    CHECK(number("left") == -128);
    CHECK(number("height") == -300);
    CHECK(number("turns") == -2147483648.0);
    CHECK(number("balance") == -0x1p53);
    CHECK(number("right") == 255);
    CHECK(number("width") == 65535);
    CHECK(number("mark") == 4e9);
    CHECK(number("count") == 0x1p63);
    CHECK(number("alive") == 1);
    CHECK(number("mood") == 2);
}

TEST_CASE("fields: set_real writes a double exactly and rounds it for a float") {
    Everything value;
    auto* bytes = reinterpret_cast<std::byte*>(&value);
    CHECK(state::is_real(at("whole").kind));
    CHECK(state::is_real(at("force").kind));
    CHECK_FALSE(state::is_real(at("count").kind));
    state::set_real(at("whole"), 0.1, bytes);
    state::set_real(at("force"), 0.1, bytes);
    CHECK(value.whole == 0.1);
    CHECK(value.force == 0.1f);
}
