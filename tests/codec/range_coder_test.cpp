// SPDX-License-Identifier: MIT
#include <instep/codec/number.h>
#include <instep/codec/range_coder.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <limits>

using namespace instep;
using codec::BitModel;
using codec::NumberModel;
using codec::Reader;
using codec::Writer;

namespace {

// A message of all kinds of values, described once for both directions.
struct Script {
    struct Item {
        int kind;
        std::uint64_t value;
        unsigned bits;
    };
    std::vector<Item> items;
    BitModel bit_models[4] = {BitModel(), BitModel(65000), BitModel(600), BitModel(32768)};
    NumberModel number;

    template <class Stream>
    void code(Stream& stream, std::vector<Item>& values) {
        for (Item& item : values) {
            if (item.kind == 0) {
                bool bit = item.value != 0;
                stream.bit(bit, bit_models[item.bits % 4]);
                item.value = bit ? 1 : 0;
            } else if (item.kind == 1) {
                stream.raw(item.value, item.bits);
            } else if (item.kind == 2) {
                code_unsigned(stream, item.value, number);
            } else {
                auto value = static_cast<std::int64_t>(item.value);
                code_signed(stream, value, number);
                item.value = static_cast<std::uint64_t>(value);
            }
        }
    }
};

std::uint64_t any_number(math::Random& random) { return random.next() >> random.below(64); }

Script random_script(math::Random& random) {
    Script script;
    for (std::uint32_t n = random.below(300); n > 0; --n) {
        const int kind = static_cast<int>(random.below(4));
        const unsigned bits = kind == 1 ? 1 + random.below(64) : random.below(4);
        std::uint64_t value = any_number(random);
        if (kind == 0) value = random.below(20) == 0 ? 1 : 0;
        if (kind == 1) value &= bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        script.items.push_back({kind, value, bits});
    }
    return script;
}

}  // namespace

TEST_CASE("range coder: any sequence of values is read as it was written") {
    test::for_each_seed(2000, [](math::Random& random) {
        const Script script = random_script(random);
        std::vector<std::byte> bytes;
        Writer writer(bytes);
        Script sent = script;
        sent.code(writer, sent.items);
        writer.finish();
        REQUIRE(writer.ok());

        Script got = script;
        for (Script::Item& item : got.items) item.value = 0;
        Reader reader(bytes);
        got.code(reader, got.items);
        reader.finish();
        REQUIRE(reader.ok());
        for (std::size_t i = 0; i < script.items.size(); ++i)
            REQUIRE(got.items[i].value == script.items[i].value);
        CHECK(got.number == sent.number);
    });
}

TEST_CASE("range coder: a carry passes through long runs of ones") {
    std::vector<std::byte> bytes;
    Writer writer(bytes);
    BitModel skewed(65535);
    for (int i = 0; i < 5000; ++i) {
        std::uint64_t ones = 0xFFFF;
        writer.raw(ones, 16);
        bool bit = i % 97 == 0;
        writer.bit(bit, skewed);
    }
    writer.finish();
    Reader reader(bytes);
    BitModel same(65535);
    for (int i = 0; i < 5000; ++i) {
        std::uint64_t value = 0;
        reader.raw(value, 16);
        bool bit = false;
        reader.bit(bit, same);
        REQUIRE(value == 0xFFFF);
        REQUIRE(bit == (i % 97 == 0));
    }
    CHECK(reader.ok());
}

TEST_CASE("number coder: the ends of the range are read as they were written") {
    for (const std::int64_t value :
         {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
          std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}}) {
        std::vector<std::byte> bytes;
        Writer writer(bytes);
        NumberModel model;
        std::int64_t sent = value;
        code_signed(writer, sent, model);
        writer.finish();
        Reader reader(bytes);
        NumberModel other;
        std::int64_t got = 7;
        code_signed(reader, got, other);
        CHECK(got == value);
    }
}

TEST_CASE("range coder: a thousand bits that are nearly always zero cost at most 12 bytes") {
    std::vector<std::byte> bytes;
    Writer writer(bytes);
    BitModel model(60000);
    for (int i = 0; i < 1000; ++i) {
        bool bit = false;
        writer.bit(bit, model);
    }
    writer.finish();
    CHECK(bytes.size() <= 12);
}

TEST_CASE("range coder: a truncated or extended message is detected") {
    test::for_each_seed(300, [](math::Random& random) {
        std::vector<std::byte> bytes;
        Writer writer(bytes);
        for (int i = 0; i < 100; ++i) {
            std::uint64_t value = random.next() | 1;
            writer.raw(value, 64);
        }
        writer.finish();
        const auto read_all = [](std::span<const std::byte> message) {
            Reader reader(message);
            std::uint64_t value;
            for (int i = 0; i < 100; ++i) reader.raw(value, 64);
            reader.finish();
            return reader.ok();
        };
        REQUIRE(read_all(bytes));
        CHECK(!read_all(std::span(bytes).first(bytes.size() - 9)));
        bytes.resize(bytes.size() + 5);  // the writer may drop up to four zero bytes at the end
        CHECK(!read_all(bytes));
    });
}

TEST_CASE("range coder: the writer keeps its size limit and reports the overflow") {
    std::vector<std::byte> bytes;
    Writer writer(bytes, 10);
    for (int i = 0; i < 100; ++i) {
        std::uint64_t value = 0x123456789ABCDEF;
        writer.raw(value, 64);
    }
    writer.finish();
    CHECK(!writer.ok());
    CHECK(bytes.size() <= 10);
}

TEST_CASE("range coder: any bytes can be read without a crash") {
    test::for_each_seed(1000, [](math::Random& random) {
        std::vector<std::byte> bytes(random.below(64));
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
        Reader reader(bytes);
        Script script = random_script(random);
        script.code(reader, script.items);
        reader.finish();
    });
}
