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

#include <instep/server/files.h>

namespace instep::server {

namespace asio = boost::asio;

namespace {

struct Context : asio::io_context {
    using asio::io_context::io_context;
    using asio::io_context::shutdown;  // destroys waiting tasks while sockets and timers still exist
};

// Threads that run one context until it is stopped.
struct ThreadPool {
    enum class Disk : std::uint8_t { allowed, forbidden };
    ThreadPool(const char* name, std::uint32_t count, Disk disk, const Loop::ErrorHandler& on_error)
        : context(static_cast<int>(count)), work(asio::make_work_guard(context)) {
        for (std::uint32_t i = 0; i < count; ++i) {
            threads.emplace_back([this, disk, &on_error] {
                if (disk == Disk::forbidden) forbid_disk_on_this_thread();
                run(on_error);
            });
            pthread_setname_np(threads.back().native_handle(), name);
        }
    }

    void run(const Loop::ErrorHandler& on_error) {
        while (!context.stopped()) {
            try {
                context.run();
            } catch (const std::exception& error) {
                on_error(error.what());
            }
        }
    }

    Context context;
    asio::executor_work_guard<asio::io_context::executor_type> work;
    std::vector<std::thread> threads;
    // Shared, since a lease may outlive the loop.
    std::shared_ptr<std::atomic<std::uint32_t>> leases = std::make_shared<std::atomic<std::uint32_t>>(0);
};

}  // namespace

struct Loop::Parts {
    Parts(std::uint32_t threads, ErrorHandler given)
        : on_error(std::move(given)),
          ticks("ticks", threads, ThreadPool::Disk::forbidden, on_error),
          blocking("blocking", 1, ThreadPool::Disk::allowed, on_error) {
        for (std::uint32_t i = 0; i < threads; ++i)
            sockets.push_back(
                std::make_unique<ThreadPool>("sockets", 1, ThreadPool::Disk::forbidden, on_error));
    }

    template <class Do>
    void for_each_pool(Do what) {
        what(ticks);
        what(blocking);
        for (const auto& pool : sockets) what(*pool);
    }

    ErrorHandler on_error;
    ThreadPool ticks;
    ThreadPool blocking;
    std::vector<std::unique_ptr<ThreadPool>> sockets;  // of one thread each
};

Loop::Loop(std::uint32_t threads, ErrorHandler on_error) {
    if (!on_error) on_error = [](const char* what) { std::fprintf(stderr, "a task threw: %s\n", what); };
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    parts_ = std::make_unique<Parts>(threads, std::move(on_error));
}

// A waiting timer may own connections, and a waiting read may own timers, so all tasks are destroyed while
// all contexts still exist.
Loop::~Loop() {
    join();
    parts_->for_each_pool([](ThreadPool& pool) { pool.context.shutdown(); });
}

void Loop::join() {
    stop();
    parts_->for_each_pool([](ThreadPool& pool) {
        for (std::thread& thread : pool.threads)
            if (thread.joinable()) thread.join();
    });
}

void Loop::stop() {
    parts_->for_each_pool([](ThreadPool& pool) { pool.context.stop(); });
}
std::uint32_t Loop::threads() const { return static_cast<std::uint32_t>(parts_->ticks.threads.size()); }
bool Loop::request_realtime() {
    const sched_param lowest{.sched_priority = sched_get_priority_min(SCHED_RR)};
    return std::all_of(parts_->ticks.threads.begin(), parts_->ticks.threads.end(), [&](std::thread& thread) {
        return pthread_setschedparam(thread.native_handle(), SCHED_RR, &lowest) == 0;
    });
}
Loop::IoThread Loop::assign_io_thread() {
    const auto fewest =
        std::min_element(parts_->sockets.begin(), parts_->sockets.end(),
                         [](const auto& a, const auto& b) { return *a->leases < *b->leases; });
    const auto& leases = (*fewest)->leases;
    ++*leases;
    return {(*fewest)->context, std::shared_ptr<void>(nullptr, [leases](void*) { --*leases; })};
}
void Loop::post_blocking(std::function<void()> task) {
    asio::post(parts_->blocking.context, std::move(task));
}

struct Strand::Parts {
    explicit Parts(asio::io_context& context) : strand(asio::make_strand(context)), timer(strand) {}

    asio::strand<asio::io_context::executor_type> strand;
    asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, asio::strand<asio::io_context::executor_type>>
        timer;
};

Strand::Strand(Loop& loop) : parts_(std::make_shared<Parts>(loop.parts_->ticks.context)) {}

void Strand::post(std::function<void()> task) { asio::post(parts_->strand, std::move(task)); }

void Strand::run_at(Time time, Timed task) {
    asio::dispatch(parts_->strand, [parts = parts_, time, task = std::move(task)]() mutable {
        wait(parts, time, std::move(task));
    });
}

// The task is moved from one wait to the next, so that nothing is allocated for it.
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
