// SPDX-License-Identifier: MIT
#include <instep/net/desync_reporter.h>

namespace instep::net {

void DesyncReporter::add() {
    ++count_;
    if (!owed_) owed_.emplace();
}

void DesyncReporter::add_own(ExactState exact) {
    ++count_;
    owed_ = {std::move(exact)};
}

bool DesyncReporter::write_message(const SnapshotHistory& history, double now, codec::Bytes& out) {
    const bool is_datagram = link_ == LinkKind::datagram;
    const bool may_report = !last_report_ || now - *last_report_ >= config_.report_interval;
    if (owed_ && may_report && (!open_ || open_->copies_left == 0)) {
        last_report_ = now;
        open_ = {make_report(setup_, history, owed_->exact), std::move(owed_->exact),
                 is_datagram ? config_.datagram_report_copies : config_.ordered_report_copies, now};
        open_->report.serial = ++serial_;
        owed_.reset();
    }
    if (!open_ || open_->copies_left == 0 || now < open_->next_copy) return false;
    --open_->copies_left;
    open_->next_copy = now + (is_datagram ? config_.datagram_report_interval : config_.report_interval);
    write(open_->report, out);
    return true;
}

void DesyncReporter::receive(const Verdict& verdict, const SnapshotDecoder& decoder) {
    if (!open_ || verdict.serial != open_->report.serial) return;  // a copy
    desyncs_.push_back(describe(setup_, decoder, decoder.ticks(), verdict, open_->exact));
    open_.reset();
    if (desyncs_.size() > snapshots_kept) desyncs_.pop_front();
}

}  // namespace instep::net
