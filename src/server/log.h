// SPDX-License-Identifier: MIT
// The server's log: one JSON object a line with time, severity, event and the event's fields. Any client can
// cause a refusal, so refusals are limited to ten lines a second; so are joins and leaves, to a hundred. The
// others are counted and reported later.
//
// A thread of its own writes the lines, so that logging never blocks. If the output is not read, lines wait,
// and beyond most_waiting they are dropped and counted.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <instep/server/mutex.h>
#include <instep/server/rate_limit.h>
#include <instep/server/refusal.h>
#include <instep/state/json.h>

namespace instep::server {

class Log {
public:
    using Field = std::pair<std::string_view, state::Json>;
    static constexpr std::size_t most_waiting = 1024;  // lines
    static constexpr std::chrono::seconds most_flush_time{1};

    // Null: nothing is written.
    explicit Log(std::FILE* file);
    ~Log();  // writes the waiting lines, for at most most_flush_time
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    enum class Level : std::uint8_t { error, info };  // the lines that are written: these, and graver ones
    void set_level(Level level) { level_ = level; }
    Level level() const { return level_; }
    static constexpr std::array<std::string_view, 2> level_names{"error", "info"};

    void info(std::string_view event, std::initializer_list<Field> fields = {}) {
        write(Level::info, event, fields);
    }
    void error(std::string_view event, std::initializer_list<Field> fields = {}) {
        write(Level::error, event, fields);
    }
    void refusal(const Refusal& refusal, std::string_view address);
    // What a client did: joined, left and the like.
    void client_event(std::string_view event, std::initializer_list<Field> fields);

    std::uint64_t lines_unread() const { return lines_unread_; }          // lost: the log was not read
    std::uint64_t lines_above_rate() const { return lines_above_rate_; }  // not written

private:
    static constexpr std::uint32_t refusals_per_second = 10;
    static constexpr std::uint32_t client_events_per_second = 100;

    // Lines of one kind, of which only so many a second are written.
    struct Limited {
        RateLimit rate;
        std::uint64_t dropped = 0;  // since the last one that was written
    };
    // False: it is above the rate. Otherwise `dropped` is how many were since the last.
    bool may_write(Limited& limited, std::uint64_t& dropped) REQUIRES(mutex_);
    void write(Level level, std::string_view event, std::initializer_list<Field> fields);
    void write_lines();
    bool write_to_file(std::string_view text);
    bool is_over_time();
    void begin_ending();  // apart from the destructor, which clang does not analyse

    int descriptor_;  // -1: nothing is written
    Mutex mutex_;
    std::condition_variable_any has_lines_;
    std::deque<std::string> waiting_ GUARDED_BY(mutex_);
    std::uint64_t lines_dropped_ GUARDED_BY(mutex_) = 0;
    Limited refusals_ GUARDED_BY(mutex_);
    Limited client_events_ GUARDED_BY(mutex_);
    std::atomic<std::uint64_t> lines_unread_{0};
    std::atomic<std::uint64_t> lines_above_rate_{0};
    std::atomic<Level> level_{Level::info};
    bool is_ending_ GUARDED_BY(mutex_) = false;
    Time flush_deadline_ GUARDED_BY(mutex_) = Time::max();
    std::thread writer_;
};

}  // namespace instep::server
