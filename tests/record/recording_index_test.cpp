// SPDX-License-Identifier: MIT
#include <instep/record/recording_index.h>

#include <cstring>

#include <tests/net/logged_match.h>
#include <tests/support/allocations.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::record;

namespace {

codec::Bytes make_recording(const match::SharedSetup& setup, std::uint64_t ticks) {
    codec::Bytes file;
    test::LoggedMatch match(setup, 7);
    Recorder recorder(setup, 7, file);
    while (match.match().tick() < ticks) {
        match.step();
        recorder.add(*match.log().find(match.match().tick()), match.match(), file);
    }
    recorder.finish(match.match(), file);
    return file;
}

struct CountedFile {
    codec::ByteView bytes;
    std::size_t read = 0;

    state::Result<RecordingSummary> summary() {
        const auto read_at = [this](std::uint64_t offset, std::span<std::byte> into) -> std::size_t {
            if (offset >= bytes.size()) return 0;
            const std::size_t size = std::min<std::size_t>(into.size(), bytes.size() - offset);
            std::memcpy(into.data(), bytes.data() + offset, size);
            read += size;
            return size;
        };
        return summarise(read_at, bytes.size());
    }
};

// Both summaries, of any bytes, are the same.
void check_same(codec::ByteView bytes) {
    CountedFile file{bytes};
    const auto whole = summarise(bytes);
    const auto index = file.summary();
    REQUIRE(whole.has_value() == index.has_value());
    if (!whole) return;
    CHECK(whole->last_tick == index->last_tick);
    CHECK(whole->header.world == index->header.world);
    CHECK(whole->header.level == index->header.level);
    CHECK(whole->header.fingerprint == index->header.fingerprint);
    CHECK(whole->header.seed == index->header.seed);
}

}  // namespace

TEST_CASE("recording index: reads a small part of a file, and finds what the whole file says") {
    const auto setup = match::load_builtin_setup("flail", "plain");
    REQUIRE(setup);
    const codec::Bytes file = make_recording(*setup, 5000);
    check_same(file);
    CountedFile counted{file};
    REQUIRE(counted.summary());
    CHECK(counted.summary()->last_tick == 5000);
    CHECK(counted.read < file.size() / 4);
}

TEST_CASE("recording index: agrees on files that break off anywhere, and on flipped bytes") {
    const auto own = match::load_setup(R"({"world": "bounce", "name": "own", "rules": "game"})", "own.json");
    REQUIRE(own);
    codec::Bytes file = make_recording(*own, 300);
    for (std::size_t size = 0; size <= file.size(); ++size) check_same(codec::ByteView(file).first(size));
    auto random = math::Random::from_seed(3);
    for (int i = 0; i < 2000; ++i) {
        codec::Bytes broken = file;
        broken[random.next() % broken.size()] = static_cast<std::byte>(random.next());
        check_same(broken);
    }
}

TEST_CASE("recorder: begins without parsing its level again") {
    for (const char* world : {"foothold", "creature", "arena"}) {
        CAPTURE(world);
        const auto setup = match::load_builtin_setup(world, "");
        REQUIRE(setup);
        codec::Bytes out;
        const test::AllocationCount count;
        const Recorder recorder(*setup, 1, out);
        CHECK(count.so_far() < 1000);
    }
}
