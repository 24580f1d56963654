// SPDX-License-Identifier: MIT
#include <instep/server/log.h>

#include <chrono>
#include <memory>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <doctest/doctest.h>

using namespace instep::server;

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

struct Pipe {
    Pipe() {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        in = ends[0];
        out.reset(fdopen(ends[1], "w"));
    }
    ~Pipe() { close(in); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    // Everything until it contains the text, or until nothing came for the timeout.
    std::string read_until(std::string_view mark) const {
        constexpr int timeout_ms = 10'000;
        std::string all;
        char bytes[4096];
        while (all.find(mark) == std::string::npos) {
            pollfd ready{.fd = in, .events = POLLIN, .revents = 0};
            if (poll(&ready, 1, timeout_ms) <= 0) break;
            const ssize_t got = read(in, bytes, sizeof bytes);
            if (got <= 0) break;
            all.append(bytes, static_cast<std::size_t>(got));
        }
        return all;
    }

    int in = -1;
    File out{nullptr, std::fclose};
};

}  // namespace

TEST_CASE("log: an unread log does not block, and reports the dropped lines") {
    const Pipe pipe;
    Log log(pipe.out.get());
    const std::string content(500, 'x');
    // More than a pipe holds, and it is read only afterwards: a blocking log would hang here.
    for (int i = 0; i < 5000; ++i) log.info("much", {{"content", content}});
    const std::string all = pipe.read_until("lines_not_logged");
    CHECK(all.starts_with("{\"time\":\"2"));
    CHECK(all.find("\"lines_not_logged\",\"count\":") != std::string::npos);
    log.info("goes_on");
    CHECK(pipe.read_until("goes_on").find("goes_on") != std::string::npos);
}

TEST_CASE("log: an unread log ends within its time limit") {
    const Pipe pipe;
    const auto began = std::chrono::steady_clock::now();
    {
        Log log(pipe.out.get());
        const std::string content(4000, 'x');
        for (int i = 0; i < 100; ++i) log.info("much", {{"content", content}});
    }
    CHECK(std::chrono::steady_clock::now() - began < 4 * Log::most_flush_time);
}
