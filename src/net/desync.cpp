// SPDX-License-Identifier: MIT
#include <instep/net/desync.h>

#include <algorithm>

namespace instep::net {
namespace {

// The first field that differs.
std::optional<std::uint16_t> first_difference(const std::vector<std::uint16_t>& ours,
                                              const std::vector<std::uint16_t>& theirs) {
    if (ours.size() != theirs.size()) return {};
    const auto [differs, other] = std::ranges::mismatch(ours, theirs);
    if (differs == ours.end()) return {};
    return static_cast<std::uint16_t>(differs - ours.begin());
}

codec::Bytes copy(codec::ByteView image) { return {image.begin(), image.end()}; }

}  // namespace

Report make_report(const match::Setup& setup, const SnapshotHistory& history, const ExactState& exact) {
    Report report;
    const std::uint32_t newest = history.number();
    for (std::uint32_t back = std::min(newest, snapshots_kept) + 1; back-- > 0;)
        if (const auto& hashes = history.field_hashes(newest - back); !hashes.empty())
            report.states.push_back({newest - back, hashes});
    if (!exact.image.empty()) report.exact = {exact.number, short_field_hashes(setup.layout, exact.image)};
    return report;
}

Verdict judge(const match::Setup& setup, const SnapshotHistory& history, const Report& report,
              const ExactState& exact) {
    for (const ReportedState& state : report.states)
        if (const auto field = first_difference(history.field_hashes(state.number), state.fields))
            return {.serial = report.serial, .found = true, .number = state.number, .field = *field};
    if (report.exact && !exact.image.empty() && report.exact->number == exact.number)
        if (const auto field =
                first_difference(short_field_hashes(setup.layout, exact.image), report.exact->fields))
            return {report.serial, true, true, exact.number, *field};
    return {.serial = report.serial};
}

Desync describe(const match::Setup& setup, const SnapshotHistory& history, const codec::TickLog& log,
                const Verdict& verdict, const ExactState& exact) {
    Desync desync{.is_own = verdict.is_own};
    if (!verdict.found) return desync;
    const auto fields = state::hash_fields(setup.layout, history.replicated());
    desync.tick = history.tick_of(verdict.number);
    if (verdict.field < fields.size()) desync.field = fields[verdict.field].path;
    // Over datagrams not every snapshot arrives: the one before is the last that did.
    for (std::uint32_t back = 1; back <= std::min(snapshots_kept, verdict.number); ++back) {
        desync.before = copy(history.find(verdict.number - back));
        if (desync.before.empty()) continue;
        for (std::uint64_t tick = history.tick_of(verdict.number - back) + 1; tick <= *desync.tick; ++tick)
            if (const codec::TickRecord* record = log.find(tick)) desync.ticks.push_back(*record);
        break;
    }
    desync.after = verdict.is_own ? exact.image : copy(history.find(verdict.number));
    return desync;
}

std::string Desync::text() const {
    if (!tick) return "desync: a hash differed, but no state that both sides still remember";
    return "desync: the first difference is at tick " + std::to_string(*tick) + " in " + field +
           (is_own ? " of the exact own player" : "");
}

}  // namespace instep::net
