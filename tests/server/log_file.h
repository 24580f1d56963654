// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <doctest/doctest.h>

#include <instep/server/log.h>
#include <instep/state/json.h>

namespace instep::test {

// A log in a file, whose lines are read as they come.
class LogFile {
public:
    LogFile() : file_(std::tmpfile(), std::fclose), log_(file_.get()) {}

    server::Log& log() { return log_; }
    std::vector<state::Json> lines(std::string_view event) const {
        std::string text(1 << 20, '\0');
        text.resize(static_cast<std::size_t>(
            std::max<ssize_t>(0, pread(fileno(file_.get()), text.data(), text.size(), 0))));
        std::vector<state::Json> found;
        for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
            const auto line = state::parse_json(text.substr(0, end), "line");
            REQUIRE(line);
            if (*line->find("event")->string() == event) found.push_back(*line);
            text.erase(0, end + 1);
        }
        return found;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    server::Log log_;
};

}  // namespace instep::test
