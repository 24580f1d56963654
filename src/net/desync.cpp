// SPDX-License-Identifier: MIT
#include <instep/net/desync.h>

#include <algorithm>

namespace instep::net {
namespace {

std::vector<std::uint16_t> short_hashes(const match::Setup& setup, const ToldChain& chain,
                                        std::uint32_t number) {
    std::vector<std::uint16_t> hashes;
    const ByteView image = chain.find(number);
    if (image.empty()) return hashes;
    state::Block block(setup.layout);
    state::restore(setup.layout, image, block.data());
    for (const state::FieldHash& field : state::hash_fields(setup.layout, block.data()))
        hashes.push_back(static_cast<std::uint16_t>(field.hash));
    return hashes;
}

Bytes copy(ByteView image) { return {image.begin(), image.end()}; }

}  // namespace

Report make_report(const match::Setup& setup, const ToldChain& chain) {
    Report report;
    const std::uint32_t newest = chain.number();
    for (std::uint32_t back = std::min(newest, told_kept) + 1; back-- > 0;)
        if (auto hashes = short_hashes(setup, chain, newest - back); !hashes.empty())
            report.states.push_back({newest - back, std::move(hashes)});
    return report;
}

Verdict judge(const match::Setup& setup, const ToldChain& chain, const Report& report) {
    for (const ReportedState& state : report.states) {
        const std::vector<std::uint16_t> ours = short_hashes(setup, chain, state.number);
        if (ours.size() != state.fields.size()) continue;
        for (std::size_t i = 0; i < ours.size(); ++i)
            if (ours[i] != state.fields[i]) return {true, state.number, static_cast<std::uint16_t>(i)};
    }
    return {};
}

Desync describe(const match::Setup& setup, const ToldChain& chain, const TickLog& log,
                const Verdict& verdict) {
    Desync desync;
    if (!verdict.found) return desync;
    const auto fields = state::hash_fields(setup.layout, chain.told());
    desync.tick = chain.tick_of(verdict.number);
    if (verdict.field < fields.size()) desync.field = fields[verdict.field].path;
    // Over datagrams not every snapshot came: the last one that did is the one before.
    for (std::uint32_t back = 1; back <= std::min(told_kept, verdict.number); ++back) {
        desync.before = copy(chain.find(verdict.number - back));
        if (desync.before.empty()) continue;
        for (std::uint64_t tick = chain.tick_of(verdict.number - back) + 1; tick <= desync.tick; ++tick)
            if (const TickRecord* record = log.find(tick)) desync.ticks.push_back(*record);
        break;
    }
    desync.after = copy(chain.find(verdict.number));
    return desync;
}

std::string Desync::text() const {
    if (tick == 0)
        return "desync: a hash differed, but nothing that was told and is remembered: it is the own player, "
               "or "
               "older";
    return "desync: the first difference is at tick " + std::to_string(tick) + " in " + field;
}

}  // namespace instep::net
