// SPDX-License-Identifier: MIT
// The server's log: one JSON object a line with time, severity, event and the event's fields. Any client can
// cause a refusal, so refusals are limited to ten lines a second; the others are counted and reported later.
//
// A thread of its own writes the lines, so that logging never blocks. If the output is not read, lines wait,
// and beyond most_waiting they are dropped and counted.
#pragma once

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

    void info(std::string_view event, std::initializer_list<Field> fields = {}) {
        write("info", event, fields);
    }
    void error(std::string_view event, std::initializer_list<Field> fields = {}) {
        write("error", event, fields);
    }
    void refusal(const Refusal& refusal, std::string_view address);

private:
    static constexpr std::uint32_t refusals_per_second = 10;

    void write(std::string_view severity, std::string_view event, std::initializer_list<Field> fields);
    void write_lines();
    bool write_to_file(std::string_view text);
    bool is_over_time();
    void begin_ending();  // apart from the destructor, which clang does not analyse

    int descriptor_;  // -1: nothing is written
    Mutex mutex_;
    std::condition_variable_any has_lines_;
    std::deque<std::string> waiting_ GUARDED_BY(mutex_);
    std::uint64_t lines_dropped_ GUARDED_BY(mutex_) = 0;
    RateLimit refusals_ GUARDED_BY(mutex_);
    std::uint64_t refusals_dropped_ GUARDED_BY(mutex_) = 0;
    bool is_ending_ GUARDED_BY(mutex_) = false;
    Time flush_deadline_ GUARDED_BY(mutex_) = Time::max();
    std::thread writer_;
};

}  // namespace instep::server
