// SPDX-License-Identifier: MIT
// `instep replay`: plays a recorded match again, compares every hash with the recorded one, and prints the
// state of any tick, lets bots play on from there, or opens a live room.
#include <chrono>
#include <cstdio>

#include <instep/cli/bots.h>
#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/game.h>
#include <instep/cli/state_text.h>
#include <instep/record/recording.h>
#include <instep/server/levels.h>
#include <instep/server/room_image.h>
#include <instep/server/settings.h>

namespace instep::cli {
namespace {

constexpr std::size_t most_recording = 256u << 20;  // bytes

void print_summary(const record::Replay& replay, std::size_t size, std::uint64_t joins, double taken) {
    const match::Match& match = replay.match();
    const double seconds = static_cast<double>(match.tick()) / match.facts().tick_rate;
    std::printf("%s/%s, seed %llu: %s ticks (%.1f s at %u Hz), %s joined, %s bytes\n",
                std::string(match.world().name).c_str(), printable(match.setup().level).c_str(),
                static_cast<unsigned long long>(replay.header().seed), with_commas(match.tick()).c_str(),
                seconds, match.facts().tick_rate, with_commas(joins).c_str(), with_commas(size).c_str());
    std::printf("hash %s; all hashes are as recorded\n", hash_text(match.hash()).c_str());
    for (const Score& score : score_board(match))
        std::printf("  %s: %lld\n", printable(score.name).c_str(), static_cast<long long>(score.score));
    std::fprintf(stderr, "%.2f s, %.0f times real time\n", taken, seconds / std::max(taken, 1e-9));
}

// Bots take over all players.
void play_on(const match::SharedSetup& setup, const match::Match& from, std::uint64_t ticks) {
    std::vector<std::byte> image(from.image_size());
    from.save(image);
    match::Match match(setup, 0);
    match.restore(image);
    match::TickBuilder tick(match.setup());
    for (std::uint64_t i = 0; i < ticks; ++i) {
        tick.begin();
        add_bot_inputs(match, match.facts().most_players, tick);
        match.step(tick.bytes());
    }
    std::printf("played on by bots to tick %s: hash %s\n", with_commas(match.tick()).c_str(),
                hash_text(match.hash()).c_str());
}

int serve_on(const record::Replay& replay, const ReplayOptions& options) {
    server::ServerSettings settings;
    settings.address = options.address;
    settings.port = options.port.value_or(settings.port);
    settings.page = page_folder(options.page);
    server::Levels levels;
    if (!replay.setup()->is_builtin) levels.add(replay.setup(), replay.setup()->text);
    return serve_room(std::move(settings), std::move(levels), server::room_of(replay, "replay"));
}

Outcome<int> replay(const ReplayOptions& options) {
    const auto text = read_file(options.file, most_recording);
    if (!text) return std::unexpected(text.error());
    const codec::ByteView bytes(reinterpret_cast<const std::byte*>(text->data()), text->size());
    auto played = record::Replay::open(bytes, [](const std::string& world, const std::string& level) {
        return match::load_builtin_setup(world, level);
    });
    if (!played) return fail(state::within(options.file, played.error()).error());
    const auto began = std::chrono::steady_clock::now();
    std::uint64_t joins = 0;
    if (options.tick) {
        if (const auto gone = played->go_to(*options.tick); !gone)
            return fail(check_failed, state::within(options.file, gone.error()).error().text());
    } else {
        for (;;) {
            const auto more = played->next();
            if (!more) return fail(check_failed, state::within(options.file, more.error()).error().text());
            if (!*more) break;
            joins += played->record().joins.size();
        }
    }
    if (played->breaks_off())
        std::fprintf(stderr, "note: %s is cut off after tick %s\n", printable(options.file).c_str(),
                     with_commas(played->last_tick()).c_str());
    if (!options.state.empty())
        if (auto written = write_file(options.state, json_line(played->match(), false)); !written)
            return std::unexpected(written.error());
    if (options.serve) return serve_on(*played, options);
    if (options.resume) play_on(played->setup(), played->match(), *options.resume);
    if (!options.tick && options.state.empty() && !options.resume)
        print_summary(*played, text->size(), joins,
                      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if (options.tick && options.state.empty() && !options.resume)
        std::printf("tick %s: hash %s\n", with_commas(played->match().tick()).c_str(),
                    hash_text(played->match().hash()).c_str());
    return success;
}

}  // namespace

int run_replay(const ReplayOptions& options) {
    const auto done = replay(options);
    return done ? *done : report(done.error());
}

}  // namespace instep::cli
