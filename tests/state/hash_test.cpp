// SPDX-License-Identifier: MIT
#include <instep/state/hash.h>

#include <tests/state/sample.h>
#include <tests/support/property.h>

#include <limits>
#include <set>

using namespace instep;
using namespace instep::test;
using state::describe;
using state::Field;
using state::FieldKind;
using state::Hasher;

namespace {

template <class T>
std::uint64_t hash_of(const T& value) {
    Hasher hasher;
    hasher.add(describe<T>(), bytes_of(value), 1);
    return hasher.finish();
}

template <class T>
T with_bit_flipped(T value, std::uint32_t bit) {
    reinterpret_cast<std::byte*>(&value)[bit / 8] ^= std::byte{1} << (bit % 8);
    return value;
}

double nan_with(std::uint64_t payload) { return std::bit_cast<double>(0x7FF0000000000000 | payload); }

float small_nan_with(std::uint32_t payload) { return std::bit_cast<float>(0x7F800000 | payload); }

}  // namespace

TEST_CASE("hash: every bit of a described field changes it, reserved bytes don't") {
    for_each_seed(40, [](Random& random) {
        const auto value = random_value<Everything>(random);
        const std::uint64_t hash = hash_of(value);
        for (const Field& field : describe<Everything>().fields) {
            for (std::uint32_t bit = field.offset * 8; bit < (field.offset + field.size) * 8; ++bit) {
                const bool same = hash_of(with_bit_flipped(value, bit)) == hash;
                CHECK_MESSAGE(same == (field.kind == FieldKind::reserved), field.path << " bit " << bit);
            }
        }
    });
}

TEST_CASE("hash: an integer beside a float is not treated as a float") {
    Everything a;
    Everything b;
    a.turns = -1;
    b.turns = -2;
    CHECK(hash_of(a) != hash_of(b));
    b.turns = -1;
    a.mark = 0x7FC00001;
    b.mark = 0x7FC00002;
    CHECK(hash_of(a) != hash_of(b));
}

TEST_CASE("hash: every NaN counts as the same NaN") {
    for_each_seed(200, [](Random& random) {
        auto value = random_value<Everything>(random);
        value.whole = nan_with(0x8000000000000);
        value.position.y = value.whole;
        value.force = value.heat = value.pair[1] = small_nan_with(0x400000);
        const std::uint64_t hash = hash_of(value);
        value.whole = nan_with(1 + random.next() % 0xFFFFFFFFFFFFF);
        value.position.y = -nan_with(1 + random.next() % 0xFFFFFFFFFFFFF);
        value.force = small_nan_with(1 + random.below(0x7FFFFF));
        value.heat = -small_nan_with(1 + random.below(0x7FFFFF));
        value.pair[1] = small_nan_with(1 + random.below(0x7FFFFF));
        CHECK(hash_of(value) == hash);
        for (const Field& field : describe<Everything>().fields) {
            if (field.path != "whole" && field.path != "force") continue;
            const std::byte* bytes = bytes_of(value);
            Everything other = value;
            other.whole = nan_with(5);
            other.force = small_nan_with(5);
            CHECK(hash_field(field, bytes, sizeof value, 1) ==
                  hash_field(field, bytes_of(other), sizeof value, 1));
        }
    });
}

TEST_CASE("hash: zero, minus zero, infinity and NaN are four different values") {
    std::set<std::uint64_t> doubles;
    std::set<std::uint64_t> floats;
    for (const double number : {0.0, -0.0, std::numeric_limits<double>::infinity(), nan_with(1)}) {
        Everything value;
        value.whole = number;
        doubles.insert(hash_of(value));
        value.whole = 0;
        value.heat = std::isnan(number) ? small_nan_with(1) : static_cast<float>(number);
        floats.insert(hash_of(value));
    }
    CHECK(doubles.size() == 4);
    CHECK(floats.size() == 4);
}

TEST_CASE("hash: a struct hashes as its canonical words in order") {
    for_each_seed(100, [](Random& random) {
        std::array<Grip, 3> grips;
        for (Grip& grip : grips) grip = random_value<Grip>(random);
        Hasher together;
        together.add(describe<Grip>(), bytes_of(grips), 3);
        Hasher apart;
        for (const Grip& grip : grips) apart.add(describe<Grip>(), bytes_of(grip), 1);
        CHECK(together.finish() == apart.finish());
    });
}

TEST_CASE("hash: depends on the order and number of words and on where texts end") {
    const auto hash = [](auto... parts) {
        Hasher hasher;
        (hasher.add(parts), ...);
        return hasher.finish();
    };
    using Word = std::uint64_t;
    std::set<std::uint64_t> hashes{hash(),        hash(Word{0}),          hash(Word{0}, Word{0}),
                                   hash(Word{1}), hash(Word{1}, Word{0}), hash(Word{0}, Word{1})};
    CHECK(hashes.size() == 6);
    for (Word distance = 1; distance < 9;
         ++distance) {  // lanes repeat: a swap within one lane must be detected too
        std::array<Word, 10> words{};
        words[0] = 1;
        Hasher before;
        for (const Word word : words) before.add(word);
        std::swap(words[0], words[distance]);
        Hasher after;
        for (const Word word : words) after.add(word);
        CHECK(before.finish() != after.finish());
    }
    using Text = std::string_view;
    CHECK(hash(Text("ab"), Text("c")) != hash(Text("a"), Text("bc")));
    CHECK(hash(Text("")) != hash());
    CHECK(hash(Text("12345678")) != hash(Text("12345678\0", 9)));
}

TEST_CASE("hash: one changed bit flips each bit of the hash about half of the time") {
    auto random = Random::from_seed(1);
    constexpr int trials = 20'000;
    std::array<int, 64> changed{};
    int least = 64;
    for (int trial = 0; trial < trials; ++trial) {
        const auto value = random_value<Everything>(random);
        std::uint32_t bit = 0;
        do {
            bit = random.below(sizeof value * 8);
        } while (hash_of(with_bit_flipped(value, bit)) == hash_of(value));
        const std::uint64_t difference = hash_of(with_bit_flipped(value, bit)) ^ hash_of(value);
        least = std::min(least, std::popcount(difference));
        for (int i = 0; i < 64; ++i)
            changed[static_cast<std::size_t>(i)] += static_cast<int>(difference >> i & 1);
    }
    CHECK(least > 8);
    for (const int times : changed)
        CHECK(std::abs(times - trials / 2) < trials / 50);  // 5.6 standard deviations
}

TEST_CASE("hash: sixteen of its bits are uniform over a million hashes") {
    std::vector<int> counts(1 << 16);
    for (std::uint64_t i = 0; i < 1 << 20; ++i) {
        Hasher hasher;
        hasher.add(i);
        ++counts[hasher.finish() & 0xFFFF];
    }
    double chi_square = 0;
    for (const int count : counts) chi_square += (count - 16.0) * (count - 16.0) / 16.0;
    CHECK(chi_square == doctest::Approx(65535).epsilon(0.03));  // 5.4 standard deviations
}

// If this value changes, the hash has changed: every chronicle and every peer of another build will disagree.
TEST_CASE("hash: known inputs have their known hashes") {
    CHECK(Hasher().finish() == 0x4910ACD4866EAE39);
    Hasher words;
    for (std::uint64_t i = 0; i < 10; ++i) words.add(i);
    CHECK(words.finish() == 0x4E2CC3DDE8528101);
    Hasher text;
    text.add("the quick brown fox");
    CHECK(text.finish() == 0x6471E1AA82EEF0BD);
    Everything value;
    value.whole = nan_with(3);
    value.force = 1.5f;
    value.turns = -1;
    value.heat = small_nan_with(3);
    value.name = state::FixedText<11>::of("Zo\u00eb");
    value.grips[1].at = {-0.0, 1e300};
    CHECK(hash_of(value) == 0x130B071BCF6D0E05);
    CHECK(state::hash_field(*describe<Everything>().find("name"), bytes_of(value), sizeof value, 1) ==
          0x8A7005242A7DD6B9);
    CHECK(state::hash_field(*describe<Everything>().find("whole"), bytes_of(value), sizeof value, 1) ==
          0x49E4A3876E72A4F7);
}
