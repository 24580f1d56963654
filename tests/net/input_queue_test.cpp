// SPDX-License-Identifier: MIT
#include <instep/net/input_queue.h>

#include <tests/net/logged_match.h>
#include <tests/support/property.h>

#include <cmath>
#include <map>
#include <set>

using namespace instep;
using namespace instep::net;

namespace {

// orbit's input: two floats. The first one identifies an input here.
struct Input {
    float thrust = 0;
    float turn = 0;
};

const std::byte* bytes_of(const Input& input) { return reinterpret_cast<const std::byte*>(&input); }

struct Queue {
    match::SharedSetup setup = test::level("orbit", "belt");
    InputQueue queue{*setup, 30, 5};

    InputVerdict offer(std::uint64_t next, std::uint32_t tick, std::uint32_t sequence, float mark) {
        const Input input{mark, 0};
        return queue.offer(next, tick, sequence, bytes_of(input));
    }
    float take(std::uint64_t tick, bool* arrived = nullptr) {
        Input input;
        const bool in_time = queue.take(tick, reinterpret_cast<std::byte*>(&input));
        if (arrived) *arrived = in_time;
        return input.thrust;
    }
};

}  // namespace

TEST_CASE("input queue: an input is used in the tick that it is stamped with") {
    Queue q;
    CHECK(q.offer(10, 12, 1, 0.5f) == InputVerdict::accepted);
    CHECK(q.offer(10, 11, 2, 0.25f) == InputVerdict::accepted);
    bool arrived = true;
    CHECK(q.take(10, &arrived) == 0);
    CHECK(!arrived);
    CHECK(q.take(11, &arrived) == 0.25f);
    CHECK(arrived);
    CHECK(q.take(12, &arrived) == 0.5f);
    CHECK(arrived);
}

TEST_CASE("input queue: a second input of the same sequence is dropped as a duplicate") {
    Queue q;
    CHECK(q.offer(10, 12, 1, 0.5f) == InputVerdict::accepted);
    CHECK(q.offer(10, 13, 1, 0.75f) == InputVerdict::duplicate);
    CHECK(q.take(12) == 0.5f);
    CHECK(q.offer(13, 12, 1, 0.5f) == InputVerdict::duplicate);  // not late: the first copy was in time
    CHECK(q.offer(13, 13, 0, 1.0f) == InputVerdict::duplicate);
}

// After room time stepped back, a client makes its inputs again for the ticks that are still to come.
TEST_CASE("input queue: of two inputs for a tick to come the one with the higher sequence counts") {
    Queue q;
    CHECK(q.offer(10, 12, 2, 0.5f) == InputVerdict::accepted);
    CHECK(q.offer(10, 12, 1, 0.25f) == InputVerdict::duplicate);
    CHECK(q.offer(10, 12, 3, std::nanf("")) == InputVerdict::illegal);  // leaves the tick as it was
    CHECK(q.offer(10, 13, 4, 0.5f) == InputVerdict::accepted);
    CHECK(q.offer(10, 13, 5, 0.75f) == InputVerdict::accepted);
    CHECK(q.take(12) == 0.5f);
    CHECK(q.offer(13, 12, 6, 0.25f) == InputVerdict::late);
    CHECK(q.take(13) == 0.75f);
}

TEST_CASE("input queue: clear drops what waits, and the last input goes on") {
    Queue q;
    CHECK(q.offer(10, 10, 1, 0.5f) == InputVerdict::accepted);
    CHECK(q.offer(10, 11, 2, 0.25f) == InputVerdict::accepted);
    CHECK(q.take(10) == 0.5f);
    q.queue.clear();
    bool arrived = true;
    CHECK(q.take(11, &arrived) == 0.5f);
    CHECK(!arrived);
    CHECK(q.offer(12, 12, 2, 0.25f) == InputVerdict::duplicate);  // it was accepted once
    CHECK(q.offer(12, 12, 3, 0.75f) == InputVerdict::accepted);
    CHECK(q.take(12) == 0.75f);
}

TEST_CASE("input queue: late, early and illegal inputs are dropped") {
    Queue q;
    CHECK(q.offer(10, 9, 1, 0.5f) == InputVerdict::late);
    CHECK(q.offer(10, 40, 1, 0.5f) == InputVerdict::early);
    CHECK(q.offer(10, 39, 1, 0.5f) == InputVerdict::accepted);
    CHECK(q.offer(10, 11, 1 + 65536, 0.5f) == InputVerdict::early);
    CHECK(q.offer(10, 11, 2, std::nanf("")) == InputVerdict::illegal);
    CHECK(q.offer(10, 11, 2, 0.5f) == InputVerdict::accepted);
}

TEST_CASE("input queue: a value between two grid steps is rounded to the nearest") {
    Queue q;
    CHECK(q.offer(1, 1, 1, 0.5001f) == InputVerdict::accepted);
    CHECK(q.take(1) == 0.5f);
}

TEST_CASE("input queue: without new inputs the last one is repeated for a while, then the neutral one") {
    Queue q;
    q.offer(1, 1, 1, 1.0f);
    CHECK(q.take(1) == 1.0f);
    for (std::uint64_t tick = 2; tick <= 6; ++tick) CHECK(q.take(tick) == 1.0f);
    CHECK(q.take(7) == 0);
    q.offer(8, 8, 2, 0.5f);
    CHECK(q.take(8) == 0.5f);
}

TEST_CASE("input queue: each tick uses the input that a reference model of the rules uses") {
    test::for_each_seed(200, [](math::Random& random) {
        Queue q;
        struct Waiting {
            std::uint32_t sequence = 0;
            float mark = 0;
        };
        std::map<std::uint64_t, Waiting> waiting;
        std::set<std::uint32_t> accepted;
        std::uint32_t newest = 0;
        float last = 0;
        int silent = 0;
        std::uint32_t sequence = 0;
        for (std::uint64_t next = 1; next < 200; ++next) {
            for (std::uint32_t n = random.below(10); n > 0; --n) {
                auto tick = static_cast<std::uint32_t>(next + random.below(6));
                std::uint32_t stamp = ++sequence;
                float mark = static_cast<float>(random.below(128)) / 128;
                switch (random.below(8)) {
                    case 0: stamp = random.below(sequence + 1); break;                    // old or duplicate
                    case 1: tick = static_cast<std::uint32_t>(random.below(400)); break;  // any time
                    case 2: tick = static_cast<std::uint32_t>(random.next()); break;      // far future
                    case 3: stamp = static_cast<std::uint32_t>(random.next()); break;     // wrapped
                    case 4: mark = std::nanf(""); break;
                    default: break;
                }
                const bool behind = stamp == 0 || (stamp <= newest && newest - stamp >= 64);
                const bool far = stamp > newest && stamp - newest >= 65536;
                const bool is_replaced = waiting.contains(tick) && waiting[tick].sequence > stamp;
                const bool legal = tick >= next && tick < next + 30 && !far && !behind &&
                                   !accepted.contains(stamp) && !is_replaced && !std::isnan(mark);
                if (legal) {
                    waiting[tick] = {stamp, mark};
                    accepted.insert(stamp);
                    newest = std::max(newest, stamp);
                    sequence = std::max(sequence, newest);
                }
                REQUIRE((q.offer(next, tick, stamp, mark) == InputVerdict::accepted) == legal);
            }
            if (waiting.contains(next)) {
                last = waiting[next].mark;
                waiting.erase(next);
                silent = 0;
            } else if (++silent > 5) {
                last = 0;
            }
            REQUIRE(q.take(next) == last);
        }
    });
}
