// SPDX-License-Identifier: MIT
#include <instep/server/mutex.h>

#include <sched.h>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

using namespace instep::server;

namespace {

bool set_policy(int policy, int priority) {
    const sched_param parameters{.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), policy, &parameters) == 0;
}

void use_one_core() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &cores);
    pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

// Of this thread, so that a busy machine takes as long as it likes.
void use_processor(std::chrono::milliseconds time) {
    const auto used = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    };
    const auto until = used() + time;
    while (used() < until) {
    }
}

}  // namespace

// On one core, an idle-priority thread holds the lock and four busy ones leave it a thousandth of the
// processor: its 10 ms would take more than ten seconds.
TEST_CASE("mutex: a thread that holds it runs with the priority of a real-time thread that waits for it") {
    std::thread([] {
        if (!set_policy(SCHED_RR, 1)) {
            MESSAGE("this system does not allow real-time priority");
            return;
        }
        set_policy(SCHED_OTHER, 0);
        use_one_core();  // and so do the threads that begin here
        Mutex mutex;
        std::atomic<bool> is_held{false};
        std::atomic<bool> is_over{false};
        std::vector<std::thread> threads;
        threads.emplace_back([&] {
            const LockGuard lock(mutex);
            set_policy(SCHED_IDLE, 0);
            is_held = true;
            use_processor(std::chrono::milliseconds(10));
        });
        while (!is_held) std::this_thread::yield();
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                while (!is_over) {
                }
            });
        std::chrono::duration<double> waited{};
        std::thread([&] {
            REQUIRE(set_policy(SCHED_RR, 1));
            const auto began = std::chrono::steady_clock::now();
            {
                const LockGuard lock(mutex);
            }
            waited = std::chrono::steady_clock::now() - began;
        }).join();
        is_over = true;
        for (std::thread& thread : threads) thread.join();
        CHECK(waited.count() < 2);
    }).join();
}
