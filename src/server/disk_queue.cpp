// SPDX-License-Identifier: MIT
#include <instep/server/disk_queue.h>

#include <utility>

#include <pthread.h>

namespace instep::server {

DiskQueue::DiskQueue(std::uint32_t threads, Bounds bounds) : bounds_(bounds) {
    for (std::uint32_t i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { run(); });
        pthread_setname_np(threads_.back().native_handle(), "disk");
    }
}

bool DiskQueue::post(Task task, std::size_t bytes) {
    {
        const LockGuard lock(mutex_);
        if (is_closed_ || tasks_ >= bounds_.tasks || bytes > bounds_.bytes - bytes_) return false;
        ++tasks_;
        bytes_ += bytes;
        waiting_.push_back({std::move(task), bytes});
    }
    changed_.notify_one();
    return true;
}

void DiskQueue::post_regardless(Task task) {
    {
        const LockGuard lock(mutex_);
        if (is_closed_) return;
        ++tasks_;
        waiting_.push_back({std::move(task), 0});
    }
    changed_.notify_one();
}

std::size_t DiskQueue::bytes_waiting() const {
    const LockGuard lock(mutex_);
    return bytes_;
}

bool DiskQueue::pause(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    const LockGuard lock(mutex_);
    while (!is_hurried_ && std::chrono::steady_clock::now() < until) changed_.wait_until(mutex_, until);
    return !is_hurried_;
}

void DiskQueue::run() {
    for (;;) {
        Waiting next;
        {
            const LockGuard lock(mutex_);
            while (!is_ending_ && waiting_.empty()) changed_.wait(mutex_);
            if (waiting_.empty()) return;
            next = std::move(waiting_.front());
            waiting_.pop_front();
        }
        next.task();
        next.task = nullptr;  // what it holds is freed before its bytes count as free
        {
            const LockGuard lock(mutex_);
            --tasks_;
            bytes_ -= next.bytes;
        }
        changed_.notify_all();
    }
}

std::size_t DiskQueue::stop(std::chrono::milliseconds most_time) {
    const std::size_t dropped = end_waiting(most_time);
    changed_.notify_all();
    for (std::thread& thread : threads_)
        if (thread.joinable()) thread.join();
    return dropped;
}

std::size_t DiskQueue::end_waiting(std::chrono::milliseconds most_time) {
    const auto until = std::chrono::steady_clock::now() + most_time;
    std::deque<Waiting> dropped;  // destroyed without the lock
    const LockGuard lock(mutex_);
    is_closed_ = true;
    while (tasks_ > 0 && std::chrono::steady_clock::now() < until) changed_.wait_until(mutex_, until);
    is_ending_ = is_hurried_ = true;
    tasks_ -= waiting_.size();
    for (const Waiting& task : waiting_) bytes_ -= task.bytes;
    dropped.swap(waiting_);
    return dropped.size();
}

}  // namespace instep::server
