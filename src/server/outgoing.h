// SPDX-License-Identifier: MIT
// Channels that have something to write, gathered until the thread of their sockets comes by: a room that
// tells sixteen players wakes it once, and allocates nothing for that. There is one to each context.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <instep/server/handler_slot.h>

namespace instep::server {

namespace asio = boost::asio;

class Channel;

class Outgoing final : public asio::execution_context::service {
public:
    // NOLINTBEGIN(readability-identifier-naming): Asio asks for these names
    using key_type = Outgoing;
    static inline asio::execution_context::id id;
    // NOLINTEND(readability-identifier-naming)

    explicit Outgoing(asio::execution_context& context)
        : service(context), context_(static_cast<asio::io_context&>(context)) {}

    // From any thread. Its flush() is called soon.
    void add(std::shared_ptr<Channel> channel) {
        {
            const std::lock_guard lock(mutex_);
            ready_.push_back(std::move(channel));
            if (std::exchange(is_posted_, true)) return;
        }
        asio::post(context_, asio::bind_allocator(SlotAllocator<void>(slot_), [this] { flush(); }));
    }

private:
    void flush();
    void shutdown() noexcept override {
        ready_.clear();
        flushed_.clear();
    }

    asio::io_context& context_;
    std::mutex mutex_;
    std::vector<std::shared_ptr<Channel>> ready_;
    bool is_posted_ = false;
    std::vector<std::shared_ptr<Channel>> flushed_;
    HandlerSlot slot_;  // one is posted at a time
};

}  // namespace instep::server
