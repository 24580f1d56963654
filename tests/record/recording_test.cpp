// SPDX-License-Identifier: MIT
#include <instep/record/recording.h>

#include <instep/match/builtin_levels.h>

#include <tests/net/logged_match.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::record;

namespace {

const LevelLookup builtin = [](const std::string& world, const std::string& level) {
    return match::load_builtin_setup(world, level);
};

struct Recorded {
    codec::Bytes file;
    std::vector<std::uint64_t> hashes;  // after each tick, from tick 1 on
};

Recorded make_recording(const match::SharedSetup& setup, std::uint64_t ticks) {
    Recorded recorded;
    constexpr std::uint64_t seed = 7;
    test::LoggedMatch match(setup, seed);
    Recorder recorder(setup, seed, recorded.file);
    while (recorded.hashes.size() < ticks) {
        match.step();
        recorder.add(*match.log().find(match.match().tick()), match.match(), recorded.file);
        recorded.hashes.push_back(match.match().hash());
    }
    recorder.finish(match.match(), recorded.file);
    return recorded;
}

// Plays to the end or to the first error.
state::Result<std::uint64_t> play(Replay& replay) {
    for (;;) {
        const auto played = replay.next();
        if (!played) return std::unexpected(played.error());
        if (!*played) return replay.match().tick();
    }
}

constexpr std::uint64_t past_two_checkpoints =
    Recorder::ticks_per_block * Recorder::blocks_per_checkpoint * 2 + 300;

}  // namespace

TEST_CASE("recording: a level that is not built in is stored in the file") {
    for (
        const char* text :
        {R"({"world": "bounce", "name": "own", "rules": {"base": "game", "drag": 0.7}, "box": {"width": 77}})",
         R"({"world": "orbit", "name": "belt", "rules": "game", "pallets": [[200, 0], [0, 300]]})"}) {
        const auto setup = match::load_setup(text, "own.json");
        REQUIRE_MESSAGE(setup.has_value(), (setup ? "" : setup.error().text()));
        Recorded recorded = make_recording(*setup, 200);
        const LevelLookup no_lookup = [](const std::string&, const std::string&) {
            return state::Result<match::SharedSetup>(state::refuse("", "no level may be looked up"));
        };
        auto replay = Replay::open(recorded.file, no_lookup);
        REQUIRE_MESSAGE(replay.has_value(), (replay ? "" : replay.error().text()));
        CHECK(replay->setup()->fingerprint == (*setup)->fingerprint);
        CHECK(play(*replay) == 200);
        CHECK(replay->match().hash() == recorded.hashes.back());

        // A changed byte gives the same level or a refusal.
        for (std::size_t at = 0; at < 400 && at < recorded.file.size(); ++at) {
            codec::Bytes changed = recorded.file;
            changed[at] ^= std::byte{0x10};
            auto opened = Replay::open(changed, no_lookup);
            if (!opened) continue;
            CHECK(opened->setup()->fingerprint == (*setup)->fingerprint);
            (void)play(*opened);
        }
    }
    CHECK(make_recording(test::level("bounce", "box"), 1).file.size() <
          200);  // a built-in level is not stored
}

TEST_CASE("recording: a level with too large a state is refused") {
    const match::BuiltinLevel* garden = nullptr;
    for (const match::BuiltinLevel& level : match::builtin_levels())
        if (level.world == "creature" && level.name == "garden") garden = &level;
    REQUIRE(garden != nullptr);
    std::string text(garden->json);
    for (const auto& [from, to] : {std::pair("\"garden\"", "\"own\""),
                                   std::pair("\"most_creatures\": 32", "\"most_creatures\": 4096")})
        text.replace(text.find(from), std::string_view(from).size(), to);
    const auto setup = match::load_setup(text, "own.json");
    REQUIRE_MESSAGE(setup.has_value(), (setup ? "" : setup.error().text()));
    codec::Bytes file;
    Recorder recorder(*setup, 1, file);
    const auto opened = Replay::open(file, builtin);
    REQUIRE(!opened.has_value());
    CHECK(opened.error().text().find("asks for a state of") != std::string::npos);
}

TEST_CASE("recording: every level replays to the same hash at every tick") {
    test::for_each_level([](const match::SharedSetup& setup) {
        const Recorded recorded = make_recording(setup, 300);
        auto replay = Replay::open(recorded.file, builtin);
        REQUIRE(replay.has_value());
        CHECK(replay->header().level == setup->level);
        CHECK(replay->last_tick() == 300);
        CHECK(!replay->breaks_off());
        for (const std::uint64_t hash : recorded.hashes) {
            const auto played = replay->next();
            REQUIRE_MESSAGE(played.has_value(), (played ? "" : played.error().text()));
            CHECK(replay->match().hash() == hash);
        }
        CHECK(!*replay->next());
    });
}

TEST_CASE("recording: seeking to any tick, forwards and backwards, gives its state") {
    const Recorded recorded = make_recording(test::level("bounce", "box"), past_two_checkpoints);
    auto replay = Replay::open(recorded.file, builtin);
    REQUIRE(replay.has_value());
    test::for_each_seed(60, [&](math::Random& random) {
        const std::uint64_t tick = 1 + random.below(past_two_checkpoints);
        CAPTURE(tick);
        const auto result = replay->go_to(tick);
        REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().text()));
        CHECK(replay->match().tick() == tick);
        CHECK(replay->match().hash() == recorded.hashes[tick - 1]);
    });
    CHECK(replay->go_to(0));
    CHECK(replay->match().tick() == 0);
    const auto end = play(*replay);
    REQUIRE(end.has_value());
    CHECK(*end == past_two_checkpoints);
    CHECK(!replay->go_to(past_two_checkpoints + 1));
}

TEST_CASE("recording: a minute of a match takes less than 60 kB") {
    const Recorded recorded = make_recording(test::level("orbit", "belt"), 30 * 60);
    CHECK(recorded.file.size() < 60'000);
}

TEST_CASE("recording: a truncated file plays up to its last complete block") {
    const Recorded recorded = make_recording(test::level("bounce", "box"), past_two_checkpoints);
    test::for_each_seed(60, [&](math::Random& random) {
        const std::size_t size = 60 + random.below(static_cast<std::uint32_t>(recorded.file.size() - 60));
        auto replay = Replay::open(codec::ByteView(recorded.file).first(size), builtin);
        REQUIRE(replay.has_value());
        const auto end = play(*replay);
        REQUIRE(end.has_value());
        CHECK(*end == replay->last_tick());
        CHECK(*end % Recorder::ticks_per_block == 0);
        if (*end > 0) CHECK(replay->match().hash() == recorded.hashes[*end - 1]);
    });
}

TEST_CASE("recording: a changed byte is detected") {
    const Recorded recorded = make_recording(test::level("bounce", "box"), 1000);
    test::for_each_seed(300, [&](math::Random& random) {
        codec::Bytes changed = recorded.file;
        const auto at = random.below(static_cast<std::uint32_t>(changed.size()));
        changed[at] ^= static_cast<std::byte>(1 + random.below(255));
        CAPTURE(at);
        auto replay = Replay::open(changed, builtin);
        if (!replay) return;
        const auto end = play(*replay);
        const bool was_found = !end || replay->breaks_off() || *end != 1000;
        // The bits after the coder's last one have no meaning.
        CHECK((was_found || replay->match().hash() == recorded.hashes.back()));
    });
}

TEST_CASE("recording: another kind of file, or another build's recording, is refused with a reason") {
    const Recorded recorded = make_recording(test::level("bounce", "box"), 10);
    const auto refusal_of = [](codec::ByteView file, const LevelLookup& lookup) {
        const auto replay = Replay::open(file, lookup);
        return replay ? "" : replay.error().text();
    };
    CHECK(refusal_of({}, builtin) == "is no recording of a match");
    CHECK(refusal_of(codec::ByteView(recorded.file).first(8), builtin) ==
          "header: is not there: the file breaks off");
    const auto other = [](const std::string&, const std::string&) {
        return match::load_builtin_setup("bounce", "billiards");
    };
    CHECK(refusal_of(recorded.file, other)
              .starts_with("was recorded with another build, or another level \"box\""));
}

TEST_CASE("recording: one that begins in the middle of a match replays to the same hashes") {
    test::for_each_level([](const match::SharedSetup& setup) {
        constexpr std::uint64_t seed = 7;
        constexpr std::uint64_t first = 200;
        constexpr std::uint64_t ticks = 300;
        test::LoggedMatch match(setup, seed);
        while (match.match().tick() < first) match.step();
        Recorded recorded;
        const std::uint64_t hash_at_start = match.match().hash();
        Recorder recorder(setup, seed, match.match(), recorded.file);
        while (recorded.hashes.size() < ticks) {
            match.step();
            recorder.add(*match.log().find(match.match().tick()), match.match(), recorded.file);
            recorded.hashes.push_back(match.match().hash());
        }
        recorder.finish(match.match(), recorded.file);

        auto replay = Replay::open(recorded.file, builtin);
        REQUIRE_MESSAGE(replay.has_value(), (replay ? "" : replay.error().text()));
        CHECK(replay->first_tick() == first);
        CHECK(replay->last_tick() == first + ticks);
        CHECK(replay->match().hash() == hash_at_start);
        for (const std::uint64_t hash : recorded.hashes) {
            const auto played = replay->next();
            REQUIRE_MESSAGE(played.has_value(), (played ? "" : played.error().text()));
            CHECK(replay->match().hash() == hash);
        }
        for (const std::uint64_t tick : {first + 250, first, first + 1, first + ticks}) {
            REQUIRE(replay->go_to(tick));
            CHECK(replay->match().hash() ==
                  (tick == first ? hash_at_start : recorded.hashes[tick - first - 1]));
        }
        const auto before = replay->go_to(first - 1);
        REQUIRE(!before);
        CHECK(before.error().text() == "tick 199: is not in the recording; it has ticks 200 to 500");
        const auto summary = summarise(recorded.file);
        REQUIRE(summary);
        CHECK(summary->first_tick == first);
        CHECK(summary->last_tick == first + ticks);
    });
}
