// SPDX-License-Identifier: MIT
// Any bytes are refused or play as a recording as far as they go, and the match stays legal. The first eight
// bytes, the magic number, are always corrected so that the fuzzer gets beyond them.
#include <instep/record/recording.h>

#include <tests/fuzz/require.h>

using namespace instep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const match::SharedSetup box = *match::load_builtin_setup("bounce", "box");
    constexpr std::string_view magic = "INSTEPR2";
    constexpr int most_ticks = 2000;
    codec::Bytes file(reinterpret_cast<const std::byte*>(data),
                      reinterpret_cast<const std::byte*>(data) + size);
    for (std::size_t i = 0; i < magic.size() && i < file.size(); ++i)
        file[i] = static_cast<std::byte>(magic[i]);
    auto replay = record::Replay::open(file, [](const std::string&, const std::string&) { return box; });
    if (!replay) return 0;
    const auto is_legal = [&] {
        const match::Setup& setup = *replay->setup();  // the box, or the level in the recording
        return setup.world->validate(setup.value.get(), setup.layout, replay->match().state()).has_value();
    };
    for (int i = 0; i < most_ticks; ++i) {
        const auto played = replay->next();
        if (!played || !*played) break;
    }
    REQUIRE(is_legal());
    if (replay->last_tick() < most_ticks) (void)replay->go_to(replay->last_tick() / 2);
    REQUIRE(is_legal());
    return 0;
}
