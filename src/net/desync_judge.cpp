// SPDX-License-Identifier: MIT
#include <instep/net/desync_judge.h>

#include <algorithm>

#include <instep/net/own_player.h>

namespace instep::net {

DesyncJudge::ReportAge DesyncJudge::age_of(std::uint8_t serial) const {
    if (!judged_) return ReportAge::next;
    // Serials wrap around: half of them are older than the last.
    const auto after = static_cast<std::int8_t>(serial - judged_->serial);
    if (after == 0) return ReportAge::last;
    return after > 0 ? ReportAge::next : ReportAge::outdated;
}

const Verdict& DesyncJudge::judge(const match::Setup& setup, const SnapshotHistory& history, Report report,
                                  std::uint32_t first, const ExactState& exact) {
    const std::uint32_t newest = report.states.empty() ? 0 : report.states.back().number;
    if (named_through_) first = std::max(first, *named_through_ + 1);
    std::erase_if(report.states, [&](const ReportedState& state) { return state.number < first; });
    if (report.exact && report.exact->number < first) report.exact.reset();
    judged_ = answer_ = net::judge(setup, history, report, exact);
    if (judged_->found && !judged_->is_own) named_through_ = std::min(newest, history.number());
    return *judged_;
}

void DesyncJudge::remember_own(const match::Setup& setup, std::uint32_t number, const std::byte* block,
                               contract::Slot slot) {
    own_number_ = number;
    own_.clear();
    save_own(setup.layout, block, slot, own_);
}

ExactState DesyncJudge::exact_state(const match::Setup& setup, const SnapshotHistory& history,
                                    contract::Slot slot) const {
    const codec::ByteView replicated = own_number_ ? history.find(*own_number_) : codec::ByteView();
    if (replicated.empty() || own_.empty()) return {};
    state::Block block(setup.layout);
    state::restore(setup.layout, replicated, block.data());
    if (!restore_own(setup.layout, own_, block.data(), slot)) return {};
    ExactState exact{*own_number_, codec::Bytes(state::image_size(setup.layout, block.data()))};
    state::save(setup.layout, block.data(), exact.image);
    return exact;
}

}  // namespace instep::net
