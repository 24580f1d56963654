// SPDX-License-Identifier: MIT
// Threads that may wait for the disk, and the bounded queue before them. With one thread, tasks run in the
// order in which they were posted.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include <instep/server/mutex.h>

namespace instep::server {

class DiskQueue {
public:
    using Task = std::function<void()>;
    // Beyond either, tasks are refused. What runs counts as waiting.
    struct Bounds {
        std::size_t tasks = 4096;
        std::size_t bytes = 16 << 20;  // that the tasks hold
    };

    DiskQueue(std::uint32_t threads, Bounds bounds);
    ~DiskQueue() { stop(std::chrono::milliseconds(0)); }
    DiskQueue(const DiskQueue&) = delete;
    DiskQueue& operator=(const DiskQueue&) = delete;

    // Never waits. False: the queue is full or has stopped, and the task is destroyed.
    bool post(Task task, std::size_t bytes = 0);
    // Regardless of the bounds, for tasks of which there are few, and that free something.
    void post_regardless(Task task);
    std::size_t bytes_waiting() const;
    const Bounds& bounds() const { return bounds_; }

    // For a task that wants to try again later. False: the queue is stopping.
    bool pause(std::chrono::milliseconds time);

    // Runs the waiting tasks for at most so long, drops the others, and joins the threads: it waits for one
    // call of the disk that hangs. Returns how many tasks were dropped.
    std::size_t stop(std::chrono::milliseconds most_time);

private:
    struct Waiting {
        Task task;
        std::size_t bytes;
    };

    void run();
    std::size_t end_waiting(std::chrono::milliseconds most_time);

    const Bounds bounds_;
    mutable Mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Waiting> waiting_ GUARDED_BY(mutex_);
    std::size_t tasks_ GUARDED_BY(mutex_) = 0;  // waiting or running
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;
    bool is_closed_ GUARDED_BY(mutex_) = false;   // accepts no tasks
    bool is_ending_ GUARDED_BY(mutex_) = false;   // the threads end when nothing waits
    bool is_hurried_ GUARDED_BY(mutex_) = false;  // pauses end at once
    std::vector<std::thread> threads_;
};

}  // namespace instep::server
