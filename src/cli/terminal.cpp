// SPDX-License-Identifier: MIT
#include <instep/cli/terminal.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace instep::cli {
namespace {

// Signal handlers only set these.
volatile std::sig_atomic_t end_wanted = 0;
volatile std::sig_atomic_t stop_wanted = 0;

void want_end(int) { end_wanted = 1; }
void want_stop(int) { stop_wanted = 1; }

void handle(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    ::sigaction(signal, &action, nullptr);  // without SA_RESTART: a signal interrupts poll
}

bool write_all(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) {
            pollfd out{STDOUT_FILENO, POLLOUT, 0};
            ::poll(&out, 1, 100);
            continue;
        }
        if (count <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

bool stdout_is_a_screen() {
    const char* kind = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) != 0 && kind && *kind && std::strcmp(kind, "dumb") != 0;
}

ScreenSize screen_size() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
    return {std::min<int>(size.ws_col, 500), std::min<int>(size.ws_row, 200)};
}

Terminal::Terminal() {
    reads_keys_ = has_keyboard_ = ::isatty(STDIN_FILENO) != 0 && ::tcgetattr(STDIN_FILENO, &before_) == 0;
    end_wanted = 0;
    stop_wanted = 0;
    for (const int signal : ending_signals) handle(signal, want_end);
    handle(SIGTSTP, want_stop);
    enter();
}

Terminal::~Terminal() {
    leave();
    for (const int signal : ending_signals) handle(signal, SIG_DFL);
    handle(SIGTSTP, SIG_DFL);
}

void Terminal::enter() {
    if (has_keyboard_) {
        termios keys = before_;
        keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // ISIG stays: Ctrl-C and Ctrl-Z send signals
        keys.c_cc[VMIN] = 0;
        keys.c_cc[VTIME] = 0;
        ::tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    }
    write_all("\x1b[?1049h\x1b[?25l\x1b[2J");  // alternate screen, no cursor, clear
}

void Terminal::leave() {
    write_all("\x1b[0m\x1b[?25h\x1b[?1049l");
    if (has_keyboard_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

bool Terminal::show(std::string_view frame) {
    // Synchronised output: a terminal that supports it shows no incomplete frame.
    return write_all("\x1b[?2026h") && write_all(frame) && write_all("\x1b[?2026l");
}

bool Terminal::wait(double seconds) {
    pollfd keys{STDIN_FILENO, POLLIN, 0};
    const int milliseconds = static_cast<int>(std::ceil(std::clamp(seconds, 0.0, 1.0) * 1000));
    const int ready = ::poll(&keys, reads_keys_ ? 1 : 0, milliseconds);
    if (stop_wanted) {
        stop_wanted = 0;
        leave();
        ::raise(SIGSTOP);
        enter();
    }
    if (end_wanted) return true;
    if (ready <= 0) return false;
    char pressed[32];
    const ssize_t count = ::read(STDIN_FILENO, pressed, sizeof pressed);
    if (count <= 0) {
        reads_keys_ = false;  // poll would return at once each time
        return false;
    }
    return std::any_of(pressed, pressed + count, [](char key) { return key == 'q' || key == 'Q'; });
}

}  // namespace instep::cli
