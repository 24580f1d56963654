// SPDX-License-Identifier: MIT
// Sessions that have messages to write, collected until their I/O thread runs: a room that sends to sixteen
// players wakes that thread once, and allocates nothing. Each I/O context has one queue.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <instep/server/handler_memory.h>
#include <instep/server/mutex.h>

namespace instep::server {

namespace asio = boost::asio;

class WebSocketSession;

class FlushQueue final : public asio::execution_context::service {
public:
    // NOLINTBEGIN(readability-identifier-naming): Asio asks for these names
    using key_type = FlushQueue;
    static inline asio::execution_context::id id;
    // NOLINTEND(readability-identifier-naming)

    explicit FlushQueue(asio::execution_context& context)
        : service(context), context_(static_cast<asio::io_context&>(context)) {}

    // From any thread. The I/O thread calls the session's flush() soon.
    void add(std::shared_ptr<WebSocketSession> session) {
        {
            const LockGuard lock(mutex_);
            ready_.push_back(std::move(session));
            if (std::exchange(is_posted_, true)) return;
        }
        asio::post(context_, asio::bind_allocator(HandlerAllocator<void>(memory_), [this] { flush(); }));
    }

private:
    void flush();
    void shutdown() noexcept override {
        std::vector<std::shared_ptr<WebSocketSession>> dropped;
        const LockGuard lock(mutex_);
        std::swap(dropped, ready_);
        flushing_.clear();
    }

    asio::io_context& context_;
    Mutex mutex_;
    std::vector<std::shared_ptr<WebSocketSession>> ready_ GUARDED_BY(mutex_);
    bool is_posted_ GUARDED_BY(mutex_) = false;
    std::vector<std::shared_ptr<WebSocketSession>> flushing_;  // on the I/O thread
    HandlerMemory memory_;                                     // one flush is posted at a time
};

}  // namespace instep::server
