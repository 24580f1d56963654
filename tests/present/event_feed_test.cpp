// SPDX-License-Identifier: MIT
#include <instep/present/event_feed.h>

#include <doctest/doctest.h>

#include <map>

#include <tests/support/property.h>

using namespace instep;
using namespace instep::present;

namespace {

struct Spark {
    double position = 0;
    std::uint8_t kind = 0;
    std::uint8_t slot = 0;
    std::uint8_t by = 0;
    state::Reserved<5> unused;
};

constexpr auto fields_of(state::Type<Spark>) {
    using state::field;
    return state::fields("Spark",
                         field("position", &Spark::position, {.low = 0, .high = 100, .precision = 0.5}),
                         field("kind", &Spark::kind), field("slot", &Spark::slot), field("by", &Spark::by),
                         field("unused", &Spark::unused));
}

constexpr contract::Slot me = 3;
constexpr contract::Slot other = 4;
constexpr std::uint32_t near = 5;

std::span<const std::byte> row(const Spark& spark) { return std::as_bytes(std::span(&spark, 1)); }

struct Feed : EventFeed {
    Feed() : EventFeed(state::describe<Spark>(), near) {}
    void predict(std::uint64_t tick, const Spark& spark) { EventFeed::predict(tick, me, row(spark)); }
    void receive(std::uint64_t tick, const Spark& spark) { EventFeed::receive(tick, me, row(spark)); }
    // "predicted 1", "confirmed 1", ... in order.
    std::vector<std::string> notices() {
        std::vector<std::string> all;
        EventNotice notice;
        while (next(notice)) {
            constexpr std::array names{"predicted ", "confirmed ", "cancelled ", "received "};
            all.push_back(names[static_cast<std::size_t>(notice.status)] + std::to_string(notice.number));
        }
        return all;
    }
};

using Notices = std::vector<std::string>;

}  // namespace

TEST_CASE("event feed: a prediction that comes true is shown once and confirmed once") {
    Feed feed;
    feed.predict(10, {.position = 1, .slot = me});
    CHECK(feed.notices() == Notices{"predicted 1"});
    feed.begin_replay();
    feed.predict(10, {.position = 1.2, .slot = me});  // the same again, a little elsewhere
    feed.begin_replay();
    feed.predict(12, {.position = 1.4, .slot = me});  // and later
    CHECK(feed.notices().empty());
    feed.receive(11, {.position = 1.3, .slot = me});
    CHECK(feed.notices() == Notices{"confirmed 1"});
    feed.cancel_until(100);
    CHECK(feed.notices().empty());
}

TEST_CASE("event feed: a prediction that does not come true is cancelled once it is out of tolerance") {
    Feed feed;
    feed.predict(10, {.by = me});
    feed.cancel_until(10 + near - 1);
    CHECK(feed.notices() == Notices{"predicted 1"});
    feed.cancel_until(10 + near);
    CHECK(feed.notices() == Notices{"cancelled 1"});
    feed.receive(10 + near, {.by = me});
    CHECK(feed.notices() == Notices{"received 2"});
}

TEST_CASE("event feed: predictions in ticks whose events are never received are confirmed") {
    Feed feed;
    feed.predict(10, {.position = 1, .slot = me});
    feed.predict(12, {.position = 9, .slot = me});
    feed.confirm_until(11);
    CHECK(feed.notices() == Notices{"predicted 1", "predicted 2", "confirmed 1"});
    feed.cancel_until(12 + near);
    CHECK(feed.notices() == Notices{"cancelled 2"});
}

TEST_CASE("event feed: an event that a replay moves by a few ticks is the same event") {
    Feed feed;
    feed.predict(10, {.slot = me});
    feed.begin_replay();
    feed.predict(13, {.slot = me});  // the present has moved on to tick 13
    CHECK(feed.notices() == Notices{"predicted 1"});
}

TEST_CASE("event feed: two equal events in a row are two events") {
    Feed feed;
    feed.predict(10, {.slot = me});
    feed.predict(12, {.slot = me});
    CHECK(feed.notices() == Notices{"predicted 1", "predicted 2"});
    feed.begin_replay();
    feed.predict(11, {.slot = me});
    feed.predict(12, {.slot = me});
    CHECK(feed.notices().empty());
    feed.receive(12, {.slot = me});
    CHECK(feed.notices() == Notices{"confirmed 2"});
}

TEST_CASE("event feed: other players' events are never predicted, and another kind is another event") {
    Feed feed;
    feed.predict(10, {.slot = other, .by = other});
    CHECK(feed.notices().empty());
    feed.predict(10, {.kind = 1, .slot = me});
    feed.receive(10, {.slot = other, .by = other});
    feed.receive(10, {.kind = 2, .slot = me});
    CHECK(feed.notices() == Notices{"predicted 1", "received 2", "received 3"});
}

TEST_CASE("event feed: the queues are bounded, and dropped notices are counted") {
    Feed feed;
    for (std::uint64_t i = 0; i < EventFeed::max_notices + 100; ++i) {
        feed.predict(10 * i, {.slot = me});
        feed.receive(10 * i, {.slot = other});
    }
    EventNotice notice;
    std::size_t taken = 0;
    while (feed.next(notice)) ++taken;
    CHECK(taken == EventFeed::max_notices);
    CHECK(feed.dropped() == EventFeed::max_pending + 100);
}

TEST_CASE("event feed: each event begins once and ends at most once, whatever is predicted and received") {
    test::for_each_seed(200, [](math::Random& random) {
        Feed feed;
        std::map<std::uint32_t, EventStatus> last;
        std::uint64_t reported = 0;
        std::uint64_t shown = 0;
        const auto check = [&] {
            EventNotice notice;
            while (feed.next(notice)) {
                const auto known = last.find(notice.number);
                if (notice.status == EventStatus::predicted || notice.status == EventStatus::received)
                    REQUIRE(known == last.end());
                else
                    REQUIRE((known != last.end() && known->second == EventStatus::predicted));
                if (notice.status == EventStatus::received || notice.status == EventStatus::confirmed)
                    ++shown;
                last[notice.number] = notice.status;
            }
        };
        for (std::uint64_t tick = 1; tick < 300; ++tick) {
            if (random.below(4) == 0) feed.begin_replay();
            for (std::uint64_t t = tick; t < tick + 3; ++t)
                if (random.below(5) == 0)
                    feed.predict(t, {.kind = static_cast<std::uint8_t>(random.below(2)), .slot = me});
            if (random.below(5) == 0) {
                feed.receive(tick, {.kind = static_cast<std::uint8_t>(random.below(2)), .slot = me});
                ++reported;
            }
            feed.cancel_until(tick);
            check();
        }
        feed.cancel_until(1000);
        check();
        REQUIRE(shown == reported);
        for (const auto& [number, news] : last) REQUIRE(news != EventStatus::predicted);
    });
}
