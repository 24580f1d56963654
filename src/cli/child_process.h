// SPDX-License-Identifier: MIT
// A program that this one starts, reads and ends: a build, or a server. It has a process group of its own, so
// that Ctrl-C in the terminal is for this program alone, and it ends if this program dies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <instep/cli/failure.h>

namespace instep::cli {

class ChildProcess {
public:
    static constexpr std::size_t most_output =
        256 * 1024;  // bytes that are kept; what comes later is dropped
    static constexpr int first_socket = 3;

    // `words` are the program's path and its arguments. It inherits `sockets` as the descriptors 3, 4, ...
    static Outcome<ChildProcess> start(const std::vector<std::string>& words,
                                       const std::vector<int>& sockets = {});
    ~ChildProcess();  // kills it and those that it started
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;

    int descriptor() const {
        return output_;
    }  // readable when it has written something; -1: it has closed its output
    // Reads what it has written to stdout and stderr; returns that part of it.
    std::string read();
    const std::string& output() const { return text_; }  // all of it so far
    // To it and those that it started.
    void signal(int number) const;
    // How it ended, as waitpid says it; empty: it runs.
    std::optional<int> status();

private:
    ChildProcess(pid_t pid, int output) : pid_(pid), output_(output) {}

    pid_t pid_ = -1;
    int output_ = -1;
    std::string text_;
    std::optional<int> status_;
};

// "exit code 2", "signal 11 (Segmentation fault)".
std::string describe_status(int status);

}  // namespace instep::cli
