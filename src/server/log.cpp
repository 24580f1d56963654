// SPDX-License-Identifier: MIT
#include <instep/server/log.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include <poll.h>
#include <unistd.h>

#include <instep/server/time_text.h>

namespace instep::server {
namespace {

constexpr int poll_ms = 100;  // between checks whether the log is ending

std::string line_of(std::string_view severity, std::string_view event,
                    std::initializer_list<Log::Field> fields) {
    state::Json::Object line{
        {"time", time_text("%Y-%m-%dT%H:%M:%S")}, {"severity", severity}, {"event", event}};
    for (const auto& [key, value] : fields) line.emplace_back(key, value);
    return state::write_json(std::move(line)) + "\n";
}

}  // namespace

Log::Log(std::FILE* file)
    : descriptor_(file ? fileno(file) : -1),
      refusals_{RateLimit(refusals_per_second, Clock::now())},
      client_events_{RateLimit(client_events_per_second, Clock::now())} {
    if (file) writer_ = std::thread([this] { write_lines(); });
}

Log::~Log() {
    begin_ending();
    has_lines_.notify_one();
    if (writer_.joinable()) writer_.join();
}

void Log::begin_ending() {
    const LockGuard lock(mutex_);
    is_ending_ = true;
    flush_deadline_ = Clock::now() + most_flush_time;
}

void Log::write(Level level, std::string_view event, std::initializer_list<Field> fields) {
    if (descriptor_ < 0 || level > level_.load()) return;
    std::string line = line_of(level_names[static_cast<std::size_t>(level)], event, fields);
    {
        const LockGuard lock(mutex_);
        if (waiting_.size() >= most_waiting) {
            ++lines_dropped_;
            ++lines_unread_;
            return;
        }
        waiting_.push_back(std::move(line));
    }
    has_lines_.notify_one();
}

bool Log::may_write(Limited& limited, std::uint64_t& dropped) {
    if (limited.rate.take(1, Clock::now())) {
        dropped = std::exchange(limited.dropped, 0);
        return true;
    }
    limited.rate.give_back(1);
    ++limited.dropped;
    ++lines_above_rate_;
    return false;
}

void Log::refusal(const Refusal& refusal, std::string_view address) {
    std::uint64_t dropped = 0;
    {
        const LockGuard lock(mutex_);
        if (!may_write(refusals_, dropped)) return;
    }
    if (dropped > 0) info("refusals_not_logged", {{"count", dropped}});
    info("refused",
         {{"reason", info_of(refusal.reason).name}, {"message", refusal.message}, {"address", address}});
}

void Log::client_event(std::string_view event, std::initializer_list<Field> fields) {
    std::uint64_t dropped = 0;
    {
        const LockGuard lock(mutex_);
        if (!may_write(client_events_, dropped)) return;
    }
    if (dropped > 0) info("client_events_not_logged", {{"count", dropped}});
    info(event, fields);
}

// --- The writer's thread

void Log::write_lines() {
    for (;;) {
        std::string text;
        std::uint64_t dropped = 0;
        {
            const LockGuard lock(mutex_);
            while (!is_ending_ && waiting_.empty()) has_lines_.wait(mutex_);
            if (waiting_.empty()) return;
            text = std::move(waiting_.front());
            waiting_.pop_front();
            // Reported after the last line that was kept.
            if (waiting_.empty()) dropped = std::exchange(lines_dropped_, 0);
        }
        if (dropped > 0) text += line_of("error", "lines_not_logged", {{"count", dropped}});
        if (!write_to_file(text)) return;
    }
}

bool Log::is_over_time() {
    const LockGuard lock(mutex_);
    return Clock::now() >= flush_deadline_;
}

// After poll() a pipe takes PIPE_BUF bytes without blocking (POSIX), so no write here blocks.
bool Log::write_to_file(std::string_view text) {
    while (!text.empty()) {
        pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
        const int found = poll(&ready, 1, poll_ms);
        if (is_over_time()) return false;
        if (found <= 0) continue;
        const ssize_t written =
            ::write(descriptor_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return true;  // the output is gone: drop the line
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace instep::server
