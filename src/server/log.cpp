// SPDX-License-Identifier: MIT
#include <instep/server/log.h>

#include <ctime>

namespace instep::server {
namespace {

// RFC 3339, UTC, to the millisecond.
std::string time_text() {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto part =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    char text[48];
    std::snprintf(text, sizeof text, "%s.%03dZ", date, static_cast<int>(part));
    return text;
}

}  // namespace

void Log::write(std::string_view severity, std::string_view event, std::initializer_list<Fact> facts) {
    if (!file_) return;
    state::Json::Object line{{"time", time_text()}, {"severity", severity}, {"event", event}};
    for (const auto& [key, value] : facts) line.emplace_back(key, value);
    const std::string text = state::write_json(std::move(line)) + "\n";
    const std::lock_guard lock(mutex_);
    std::fwrite(text.data(), 1, text.size(), file_);
    std::fflush(file_);
}

void Log::refusal(std::string_view cause, std::string_view sentence, std::string_view address) {
    std::uint64_t left_out = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!refusals_.take(1, Clock::now())) {
            refusals_.give_back(1);
            ++left_out_;
            return;
        }
        left_out = std::exchange(left_out_, 0);
    }
    if (left_out > 0) info("refusals_not_logged", {{"count", left_out}});
    info("refused", {{"cause", cause}, {"sentence", sentence}, {"address", address}});
}

}  // namespace instep::server
