// SPDX-License-Identifier: MIT
// Reports desyncs to the server and keeps what it answers. One report is open at a time: it is sent, repeated
// until a verdict comes or its copies are used up, and then the next one may follow.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include <instep/net/config.h>
#include <instep/net/desync.h>
#include <instep/net/snapshot_decoder.h>

namespace instep::net {

class DesyncReporter {
public:
    DesyncReporter(const match::Setup& setup, LinkKind link, const ClientConfig& config)
        : setup_(setup), link_(link), config_(config) {}

    // A hash of the replicated state differed.
    void add();
    // The hash of the own player differed; the state that it was computed from.
    void add_own(ExactState exact);
    // The report that is due, if any.
    bool write_message(const SnapshotHistory& history, double now, codec::Bytes& out);
    void receive(const Verdict& verdict, const SnapshotDecoder& decoder);

    std::uint32_t count() const { return count_; }                  // hashes that differed
    const std::deque<Desync>& desyncs() const { return desyncs_; }  // the newest that were judged

private:
    struct Owed {
        ExactState exact;
    };
    struct Open {
        Report report;
        ExactState exact;
        std::uint32_t copies_left = 0;
        double next_copy = 0;  // when it is due
    };

    const match::Setup& setup_;
    LinkKind link_;
    ClientConfig config_;
    std::optional<Owed> owed_;
    std::optional<Open> open_;
    std::optional<double> last_report_;  // when the newest report was first sent
    std::uint8_t serial_ = 0;
    std::uint32_t count_ = 0;
    std::deque<Desync> desyncs_;
};

}  // namespace instep::net
