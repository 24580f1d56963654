// SPDX-License-Identifier: MIT
// The terminal while a match plays in it: the alternate screen without a cursor, keys as they are pressed.
// Whatever ends the program in an orderly way, the destructor leaves the terminal as it was.
#pragma once

#include <string_view>

#include <termios.h>

namespace instep::cli {

// Whether pictures can be drawn on stdout at all: it is a terminal, and not a dumb one.
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

    // False if the terminal is gone.
    bool show(std::string_view frame);

    // Waits until that many seconds are over or something happens; true if the viewer wants to end it (q,
    // Ctrl-C, a signal). Ctrl-Z stops the program and gives the screen back meanwhile.
    bool wait(double seconds);

private:
    void enter();
    void leave();

    termios before_{};
    bool has_keyboard_ = false;  // stdin is a terminal, too
    bool listens_ = false;       // and it still has something to say
};

}  // namespace instep::cli
