// SPDX-License-Identifier: MIT
// The terminal while a match is drawn in it: alternate screen, no cursor, unbuffered keys. The destructor
// restores it.
#pragma once

#include <string_view>

#include <termios.h>

namespace instep::cli {

// Whether stdout is a terminal that understands escape codes.
bool stdout_is_a_screen();

struct ScreenSize {
    int columns = 80;
    int rows = 24;
};
ScreenSize screen_size();

class Terminal {
public:
    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // False if the terminal was closed.
    bool show(std::string_view frame);

    // Waits for a key or signal, at most that long; true if the user wants to quit (q, Ctrl-C, a signal).
    // Ctrl-Z suspends the program and restores the screen meanwhile.
    bool wait(double seconds);

private:
    void enter();
    void leave();

    termios before_{};
    bool has_keyboard_ = false;  // stdin is a terminal too
    bool reads_keys_ = false;    // and has not been closed
};

}  // namespace instep::cli
