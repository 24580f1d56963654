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

constexpr int patience_ms = 100;  // with a reader, until it is asked whether the log ends

std::string line_of(std::string_view severity, std::string_view event,
                    std::initializer_list<Log::Fact> facts) {
    state::Json::Object line{
        {"time", time_text("%Y-%m-%dT%H:%M:%S")}, {"severity", severity}, {"event", event}};
    for (const auto& [key, value] : facts) line.emplace_back(key, value);
    return state::write_json(std::move(line)) + "\n";
}

}  // namespace

Log::Log(std::FILE* file)
    : descriptor_(file ? fileno(file) : -1), refusals_(refusals_per_second, Clock::now()) {
    if (file) writer_ = std::thread([this] { write_lines(); });
}

Log::~Log() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
        give_up_at_ = Clock::now() + most_farewell;
    }
    has_news_.notify_one();
    if (writer_.joinable()) writer_.join();
}

void Log::write(std::string_view severity, std::string_view event, std::initializer_list<Fact> facts) {
    if (descriptor_ < 0) return;
    std::string line = line_of(severity, event, facts);
    {
        const std::lock_guard lock(mutex_);
        if (waiting_.size() >= most_waiting) {
            ++lines_left_out_;
            return;
        }
        waiting_.push_back(std::move(line));
    }
    has_news_.notify_one();
}

void Log::refusal(std::string_view cause, std::string_view sentence, std::string_view address) {
    std::uint64_t left_out = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!refusals_.take(1, Clock::now())) {
            refusals_.give_back(1);
            ++refusals_left_out_;
            return;
        }
        left_out = std::exchange(refusals_left_out_, 0);
    }
    if (left_out > 0) info("refusals_not_logged", {{"count", left_out}});
    info("refused", {{"cause", cause}, {"sentence", sentence}, {"address", address}});
}

// --- The writer's thread

void Log::write_lines() {
    for (;;) {
        std::string text;
        std::uint64_t left_out = 0;
        {
            std::unique_lock lock(mutex_);
            has_news_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
            if (waiting_.empty()) return;
            text = std::move(waiting_.front());
            waiting_.pop_front();
            // Told after the last of those that there was room for.
            if (waiting_.empty()) left_out = std::exchange(lines_left_out_, 0);
        }
        if (left_out > 0) text += line_of("error", "lines_not_logged", {{"count", left_out}});
        if (!put(text)) return;
    }
}

bool Log::may_go_on() {
    const std::lock_guard lock(mutex_);
    return Clock::now() < give_up_at_;
}

// A pipe that can be written to takes PIPE_BUF bytes without waiting (POSIX), so no write here does.
bool Log::put(std::string_view text) {
    while (!text.empty()) {
        pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
        const int found = poll(&ready, 1, patience_ms);
        if (!may_go_on()) return false;
        if (found <= 0) continue;
        const ssize_t written =
            ::write(descriptor_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
        if (written < 0 && errno != EINTR && errno != EAGAIN) return true;  // nobody is there to tell it to
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace instep::server
