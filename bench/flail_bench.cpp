// SPDX-License-Identifier: MIT
// Flail against the document's pseudocode in JavaScript, which runs in Node beside us and takes turns with
// us; what a tick of a crowd is spent on; and a tick of a full room with its save against 25 microseconds.
#include <bench/harness.h>

#include <flail/swing.h>
#include <flail/swing_batch.h>
#include <instep/match/match.h>
#include <instep/match/tick_builder.h>
#include <instep/math/simd.h>
#include <instep/math/trig.h>

#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace instep::bench {
namespace {

using worlds::flail::Player;
using worlds::flail::Setup;
using worlds::flail::SwingBatch;

constexpr std::size_t players = 1000;
constexpr std::uint32_t nodes = 3;
constexpr int ticks = 100;
constexpr double player_ticks = 1.0 * players * ticks;

// --- The same crowd everywhere: everyone moves, each on a circle of their own

double start_of(std::size_t i) { return static_cast<double>(i % 628) * 0.01 - 3.14; }
double turn_of(std::size_t i) { return 0.02 + static_cast<double>(i % 16) * 0.005; }

struct Batch {
    Setup setup;
    SwingBatch crowd{players, nodes};
    std::vector<double> start, turn;

    Batch() {
        for (std::size_t i = 0; i < players; ++i) {
            start.push_back(start_of(i));
            turn.push_back(turn_of(i));
            crowd.moving()[i] = 1;
        }
    }
    void steer(int tick) {
        const std::span<double> heading = crowd.heading();
        for (std::size_t i = 0; i < players; ++i) heading[i] = start[i] + turn[i] * tick;
    }
    void run() {
        for (int tick = 0; tick < ticks; ++tick) {
            steer(tick);
            crowd.step(setup);
        }
        keep(crowd);
    }
};

struct OneByOne {
    Setup setup;
    std::vector<Player> crowd = std::vector<Player>(players);

    void run() {
        for (int tick = 0; tick < ticks; ++tick) {
            for (std::size_t i = 0; i < players; ++i) {
                crowd[i].input = {.angle = start_of(i) + turn_of(i) * tick, .moving = true};
                swing(crowd[i], setup);
            }
        }
        keep(crowd);
    }
};

// --- The peer in Node

// The script is in the tree that this program was started or built in; empty if in neither.
std::filesystem::path find_script() {
    std::error_code unreadable;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
    for (std::filesystem::path folder : {std::filesystem::current_path(), program.parent_path()})
        for (; folder.has_relative_path(); folder = folder.parent_path())
            if (std::filesystem::exists(folder / "bench/flail_peer.js"))
                return folder / "bench/flail_peer.js";
    return {};
}

class NodePeer {
public:
    explicit NodePeer(const std::string& script) {
        int to_child[2];
        int from_child[2];
        if (pipe(to_child) != 0 || pipe(from_child) != 0) return;
        child_ = fork();
        if (child_ == 0) {
            dup2(to_child[0], STDIN_FILENO);
            dup2(from_child[1], STDOUT_FILENO);
            for (const int end : {to_child[0], to_child[1], from_child[0], from_child[1]}) close(end);
            execlp("node", "node", script.c_str(), std::to_string(players).c_str(),
                   std::to_string(nodes).c_str(), std::to_string(ticks).c_str(), nullptr);
            _exit(127);
        }
        close(to_child[0]);
        close(from_child[1]);
        to_child_ = fdopen(to_child[1], "w");
        from_child_ = fdopen(from_child[0], "r");
    }
    NodePeer(const NodePeer&) = delete;
    NodePeer& operator=(const NodePeer&) = delete;
    ~NodePeer() {
        if (to_child_) std::fclose(to_child_);  // at the end of its input it ends
        if (from_child_) std::fclose(from_child_);
        if (child_ > 0) waitpid(child_, nullptr, 0);
    }

    struct Answer {
        math::Vec2 flail;  // where the last player's is after all ticks
        double microseconds = 0;
    };

    // Has it run all ticks. False if there is no answer.
    bool run(const char* style, Answer& answer) {
        return to_child_ && from_child_ && std::fprintf(to_child_, "%s\n", style) > 0 &&
               std::fflush(to_child_) == 0 &&
               std::fscanf(from_child_, "%lf %lf %lf", &answer.flail.x, &answer.flail.y,
                           &answer.microseconds) == 3;
    }

private:
    pid_t child_ = -1;
    std::FILE* to_child_ = nullptr;
    std::FILE* from_child_ = nullptr;
};

// Both sides must do the same work, or the comparison means nothing.
bool agrees(NodePeer& peer, const char* style) {
    Batch batch;
    batch.run();
    NodePeer::Answer theirs;
    if (!peer.run(style, theirs)) return false;
    const math::Vec2 ours{batch.crowd.x(nodes - 1)[players - 1], batch.crowd.y(nodes - 1)[players - 1]};
    return distance(ours, theirs.flail) < 1e-6;
}

void compare_with_javascript(Bench& bench) {
    const std::filesystem::path script = find_script();
    std::signal(SIGPIPE, SIG_IGN);
    for (const char* style : {"objects", "arrays"}) {
        NodePeer peer(script.string());
        if (script.empty() || !agrees(peer, style)) {
            std::cerr << "  No Node, or another flail in it: JavaScript with " << style << " is left out.\n";
            continue;
        }
        Batch batch;
        OneByOne one_by_one;
        NodePeer::Answer answer;
        const auto run_peer = [&] {
            if (!peer.run(style, answer)) std::abort();
            spend_microseconds(answer.microseconds);
        };
        for (int i = 0; i < 30; ++i) run_peer();  // until the engine has optimised it
        bench.compare({.name = std::string("1,000 players, 3 nodes, a player; ") + style,
                       .operations = player_ticks,
                       .reference = {"JavaScript", run_peer},
                       .alternatives = {{"SwingBatch", [&] { batch.run(); }, 1 / 5.0},
                                        {"swing, one by one", [&] { one_by_one.run(); }}}});
    }
}

// --- What the time goes into

// The slow operations of one link, as wide as the processor has them.
INSTEP_WIDE
void root_and_divide(const double* __restrict from, double* __restrict to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = 7 / std::sqrt(from[i]);
}

INSTEP_WIDE
void copy_all(const double* __restrict from, double* __restrict to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

void compare_parts(Bench& bench) {
    Batch batch;
    batch.run();
    SwingBatch& crowd = batch.crowd;
    std::vector<double> sines(players);
    std::vector<double> cosines(players);
    const std::vector<double> away_x(crowd.x(2).begin(), crowd.x(2).end());
    const std::vector<double> away_y(crowd.y(2).begin(), crowd.y(2).end());
    std::vector<double> values((3 + 4 * nodes) * players, 7);
    std::vector<double> copies(values.size());
    bench.compare({.name = "parts of a tick of 1,000 players, a player",
                   .operations = players,
                   .reference = {"a tick",
                                 [&] {
                                     crowd.step(batch.setup);
                                     keep(crowd);
                                 }},
                   .alternatives = {{"sine and cosine",
                                     [&] {
                                         math::sincos(crowd.heading(), sines, cosines);
                                         keep(sines);
                                     }},
                                    {"arctangent",
                                     [&] {
                                         math::atan2(away_y, away_x, sines);
                                         keep(sines);
                                     }},
                                    {"roots, divisions",
                                     [&] {
                                         root_and_divide(values.data(), copies.data(), (nodes - 1) * players);
                                         keep(copies);
                                     }},
                                    {"memory", [&] {
                                         copy_all(values.data(), copies.data(), values.size());
                                         keep(copies);
                                     }}}});
}

// --- A room

// A match of bots, played once and kept: what is measured is the step, not the bots.
class FullRoom {
public:
    FullRoom()
        : match_(*match::load_builtin_setup("flail", "plain"), 1), image_(match_.layout().max_image_size) {
        match::TickBuilder tick(match_.setup());
        for (contract::Slot slot = 0; slot < match_.facts().most_players; ++slot) tick.join({.slot = slot});
        match_.step(tick.bytes());
        tick.begin();
        for (int i = 0; i < 400; ++i) play(tick);  // until they have met
        start_.resize(match_.image_size());
        match_.save(start_);
        for (int i = 0; i < 400; ++i) {
            play(tick);
            const auto inputs = tick.bytes().inputs;
            inputs_.emplace_back(inputs.begin(), inputs.end());
        }
        match_.restore(start_);
    }

    void step() {
        if (next_ == inputs_.size()) {
            match_.restore(start_);
            next_ = 0;
        }
        match_.step({{}, {}, inputs_[next_++]});
    }
    void step_and_save() {
        step();
        match_.save(image_);
        keep(image_);
    }

private:
    void play(match::TickBuilder& tick) {
        for (contract::Slot slot = 0; slot < match_.facts().most_players; ++slot)
            match_.bot(slot, tick.input(slot));
        match_.step(tick.bytes());
    }

    match::Match match_;
    std::vector<std::byte> image_;
    std::vector<std::byte> start_;
    std::vector<std::vector<std::byte>> inputs_;
    std::size_t next_ = 0;
};

void compare_room(Bench& bench) {
    FullRoom stepped;
    FullRoom saved;
    bench.compare({.name = "a room of 64 players, a tick",
                   .reference = {"25 us", [] { spend_microseconds(25); }},
                   .alternatives = {{"step, save", [&] { saved.step_and_save(); }, 1},
                                    {"step alone", [&] { stepped.step(); }}}});
}

const Benchmark flail{"flail", [](Bench& bench) {
                          compare_with_javascript(bench);
                          compare_parts(bench);
                          compare_room(bench);
                      }};

}  // namespace
}  // namespace instep::bench
