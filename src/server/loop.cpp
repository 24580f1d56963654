// SPDX-License-Identifier: MIT
#include <instep/server/loop.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

namespace instep::server {

namespace asio = boost::asio;

namespace {

struct Context : asio::io_context {
    using asio::io_context::io_context;
    using asio::io_context::shutdown;  // forgets all that waits, while sockets and timers may still go
};

// Threads that work until they are stopped.
struct Crew {
    Crew(const char* name, std::uint32_t count, const Loop::Trouble& trouble)
        : context(static_cast<int>(count)), work(asio::make_work_guard(context)) {
        for (std::uint32_t i = 0; i < count; ++i) {
            threads.emplace_back([this, &trouble] { run(trouble); });
            pthread_setname_np(threads.back().native_handle(), name);
        }
    }

    void run(const Loop::Trouble& trouble) {
        while (!context.stopped()) {
            try {
                context.run();
            } catch (const std::exception& error) {
                trouble(error.what());
            }
        }
    }

    Context context;
    asio::executor_work_guard<asio::io_context::executor_type> work;
    std::vector<std::thread> threads;
    // Whoever holds it may outlive the loop.
    std::shared_ptr<std::atomic<std::uint32_t>> holders = std::make_shared<std::atomic<std::uint32_t>>(0);
};

}  // namespace

struct Loop::Parts {
    Parts(std::uint32_t threads, Trouble given)
        : trouble(std::move(given)), due("ticks", threads, trouble), aside("aside", 1, trouble) {
        for (std::uint32_t i = 0; i < threads; ++i)
            sockets.push_back(std::make_unique<Crew>("sockets", 1, trouble));
    }

    template <class Do>
    void for_each_crew(Do what) {
        what(due);
        what(aside);
        for (const auto& crew : sockets) what(*crew);
    }

    Trouble trouble;
    Crew due;
    Crew aside;
    std::vector<std::unique_ptr<Crew>> sockets;  // of one thread each
};

Loop::Loop(std::uint32_t threads, Trouble trouble) {
    if (!trouble) trouble = [](const char* what) { std::fprintf(stderr, "a task threw: %s\n", what); };
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    parts_ = std::make_unique<Parts>(threads, std::move(trouble));
}

// What waits for its time holds lines, and what waits at a socket may hold timers: all is let go of while
// all contexts are there.
Loop::~Loop() {
    join();
    parts_->for_each_crew([](Crew& crew) { crew.context.shutdown(); });
}

void Loop::join() {
    stop();
    parts_->for_each_crew([](Crew& crew) {
        for (std::thread& thread : crew.threads)
            if (thread.joinable()) thread.join();
    });
}

void Loop::stop() {
    parts_->for_each_crew([](Crew& crew) { crew.context.stop(); });
}
std::uint32_t Loop::threads() const { return static_cast<std::uint32_t>(parts_->due.threads.size()); }
bool Loop::put_due_first() {
    const sched_param lowest{.sched_priority = sched_get_priority_min(SCHED_RR)};
    return std::all_of(parts_->due.threads.begin(), parts_->due.threads.end(), [&](std::thread& thread) {
        return pthread_setschedparam(thread.native_handle(), SCHED_RR, &lowest) == 0;
    });
}
Loop::Sockets Loop::take_sockets() {
    const auto fewest =
        std::min_element(parts_->sockets.begin(), parts_->sockets.end(),
                         [](const auto& a, const auto& b) { return *a->holders < *b->holders; });
    const auto& holders = (*fewest)->holders;
    ++*holders;
    return {(*fewest)->context, std::shared_ptr<void>(nullptr, [holders](void*) { --*holders; })};
}
void Loop::post_aside(std::function<void()> task) { asio::post(parts_->aside.context, std::move(task)); }

struct Strand::Parts {
    explicit Parts(asio::io_context& context) : strand(asio::make_strand(context)), timer(strand) {}

    asio::strand<asio::io_context::executor_type> strand;
    asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, asio::strand<asio::io_context::executor_type>>
        timer;
};

Strand::Strand(Loop& loop) : parts_(std::make_shared<Parts>(loop.parts_->due.context)) {}

void Strand::post(std::function<void()> task) { asio::post(parts_->strand, std::move(task)); }

void Strand::run_at(Time time, Timed task) {
    asio::dispatch(parts_->strand, [parts = parts_, time, task = std::move(task)]() mutable {
        wait(parts, time, std::move(task));
    });
}

// The task goes along from one time to the next, so that nothing is allocated for it.
void Strand::wait(const std::shared_ptr<Parts>& parts, Time time, Timed task) {
    parts->timer.expires_at(time);
    parts->timer.async_wait([held = std::weak_ptr(parts),
                             task = std::move(task)](const boost::system::error_code& error) mutable {
        if (error) return;
        const std::optional<Time> again = task();
        if (const auto there = held.lock(); again && there) wait(there, *again, std::move(task));
    });
}

}  // namespace instep::server
