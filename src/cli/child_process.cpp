// SPDX-License-Identifier: MIT
#include <instep/cli/child_process.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace instep::cli {
namespace {

// Between fork and exec: only functions that may be called in a signal handler, since other threads may hold
// locks.
[[noreturn]] void become(char* const* words, const int* sockets, std::size_t socket_count, int output) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int number : {SIGHUP, SIGINT, SIGPIPE, SIGTERM}) std::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    // First out of the way of one another, then to their places; dup2 clears FD_CLOEXEC.
    constexpr int out_of_the_way = 64;
    for (std::size_t i = 0; i < socket_count; ++i) dup2(sockets[i], out_of_the_way + static_cast<int>(i));
    for (std::size_t i = 0; i < socket_count; ++i) {
        const int aside = out_of_the_way + static_cast<int>(i);
        dup2(aside, ChildProcess::first_socket + static_cast<int>(i));
        close(aside);
    }
    execvp(words[0], words);
    _exit(127);
}

}  // namespace

Outcome<ChildProcess> ChildProcess::start(const std::vector<std::string>& words,
                                          const std::vector<int>& sockets) {
    std::vector<std::string> copies = words;
    std::vector<char*> pointers;
    pointers.reserve(copies.size() + 1);
    for (std::string& word : copies) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return fail(file_error, std::string("no pipe: ") + std::strerror(errno));
    // A signal must not run this program's handlers in the copy of it that is to become the other one.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) become(pointers.data(), sockets.data(), sockets.size(), ends[1]);
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return fail(file_error, words[0] + ": cannot be started: " + std::strerror(error));
    }
    setpgid(pid, pid);  // here too: whichever comes first
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return ChildProcess(pid, ends[0]);
}

ChildProcess::~ChildProcess() {
    if (output_ >= 0) close(output_);
    if (pid_ < 0 || status()) return;
    signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)),
      text_(std::move(other.text_)),
      status_(other.status_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(output_, other.output_);
    std::swap(text_, other.text_);
    std::swap(status_, other.status_);
    return *this;
}

std::string ChildProcess::read() {
    std::string all;
    char bytes[4096];
    while (output_ >= 0) {
        const ssize_t size = ::read(output_, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) break;  // nothing for now
        if (size == 0) close(std::exchange(output_, -1));
        all.append(bytes, static_cast<std::size_t>(size));
    }
    text_.append(all, 0, most_output - std::min(most_output, text_.size()));
    return all;
}

void ChildProcess::signal(int number) const {
    if (pid_ > 0 && !status_) kill(-pid_, number);
}

std::optional<int> ChildProcess::status() {
    int status = 0;
    if (!status_ && pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_;
}

std::string describe_status(int status) {
    if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    return "signal " + std::to_string(number) + " (" + sigdescr_np(number) + ")";
}

}  // namespace instep::cli
