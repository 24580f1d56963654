// SPDX-License-Identifier: MIT
#include <instep/net/stream_machine.h>

#include <instep/net/host.h>

#include <tests/net/logged_match.h>
#include <tests/support/files.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

using namespace instep;
using namespace instep::net;
using contract::Slot;

namespace {

using Row = std::tuple<std::string, std::string, std::string, std::string>;  // link, from, event, to

// "    streaming --> leaving : left" under the headings of the two kinds of links.
std::set<Row> drawn_transitions() {
    std::ifstream page(test::source_dir() / "docs/protocol-states.md");
    REQUIRE(page);
    std::set<Row> rows;
    std::string link;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("## ")) link.clear();
        if (line.starts_with("## Ordered links")) link = "ordered";
        if (line.starts_with("## Datagram links")) link = "datagram";
        std::istringstream words(line);
        std::string from;
        std::string arrow;
        std::string to;
        std::string colon;
        std::string event;
        words >> from >> arrow >> to >> colon >> event;
        if (arrow == "-->" && from != "[*]") CHECK(rows.emplace(link, from, event, to).second);
    }
    return rows;
}

Row row_of(const Transition& transition) {
    return {std::string(name_of(transition.link)), std::string(name_of(transition.from)),
            std::string(name_of(transition.event)), std::string(name_of(transition.to))};
}

// A host with one client whose messages the test writes itself.
class Walk {
public:
    explicit Walk(LinkKind link, const char* level = "box", const HostConfig& config = {})
        : setup_(test::level("bounce", level)), host_(setup_, 1, ReplicationMode::snapshots, config) {
        slot_ = *host_.join("walker", link);
    }
    void fill_with_bots() {
        while (host_.join_bot("bot")) continue;
    }

    StreamState state() const { return host_.stream_state(slot_).value(); }
    std::uint32_t newest() const {
        return static_cast<std::uint32_t>(host_.match().tick() / setup_->facts.snapshot_every);
    }
    // Steps to the next snapshot. True if the client was sent one.
    bool snapshot(bool link_is_free = true) {
        do host_.step();
        while (host_.match().tick() % setup_->facts.snapshot_every != 0);
        codec::Bytes out;
        return host_.write_message(slot_, link_is_free, now(), out);
    }
    void snapshots(double seconds) {
        const double until = now() + seconds;
        while (now() < until) snapshot();
    }
    void send(std::uint32_t acknowledged, bool decode_failed) {
        codec::Bytes out;
        write(InputMessage{.acknowledged = acknowledged, .decode_failed = decode_failed},
              *setup_->world->input, out);
        host_.receive(slot_, out, now());
    }
    void leave() { host_.leave(slot_); }
    Cell cell() const { return host_.interest_cell(slot_).value(); }
    std::uint64_t keyframes() const { return host_.stats().keyframes; }
    double now() const { return static_cast<double>(host_.match().tick()) / setup_->facts.tick_rate; }

private:
    match::SharedSetup setup_;
    Host host_;
    Slot slot_ = 0;
};

}  // namespace

TEST_CASE("stream machine: docs/protocol-states.md draws the table, row by row") {
    std::set<Row> table;
    for (const Transition& transition : transitions) CHECK(table.insert(row_of(transition)).second);
    const std::set<Row> drawn = drawn_transitions();
    for (const auto& [link, from, event, to] : table) {
        CAPTURE(link);
        CAPTURE(from);
        CAPTURE(event);
        CHECK(drawn.contains({link, from, event, to}));
    }
    CHECK(drawn == table);
}

// What holds of every sequence of events, whatever the table says.
TEST_CASE(
    "stream machine: deltas follow a keyframe, a player that left stays away, and every row is walked") {
    using enum StreamState;
    using enum StreamEvent;
    for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
        CAPTURE(name_of(link));
        std::set<std::tuple<StreamState, StreamEvent, StreamState>> walked;
        math::Random random = math::Random::from_seed(1);
        for (int start = 0; start < 500; ++start) {
            StreamMachine machine(link);
            bool has_keyframe = false;  // since it was last needed
            for (int i = 0; i < 20; ++i) {
                const auto event =
                    static_cast<StreamEvent>(random.below(static_cast<std::uint32_t>(left) + 1));
                const StreamState before = machine.state();
                CAPTURE(name_of(before));
                CAPTURE(name_of(event));
                const bool changes = machine.apply(event);
                const StreamState after = machine.state();
                CHECK(changes == (after != before));
                if (changes) walked.insert({before, event, after});
                if (before == leaving || event == left) CHECK(after == leaving);
                if (link == LinkKind::ordered) CHECK(after != delta_from_acknowledged);
                if (link == LinkKind::datagram) CHECK(after != link_full);
                if (event == link_filled && link == LinkKind::ordered && before != leaving)
                    CHECK(after == link_full);
                if (event == keyframe_needed) CHECK((after == awaiting_keyframe || after == before));
                // An acknowledged snapshot is as good a baseline as a keyframe.
                has_keyframe |= event == keyframe_sent || event == keyframe_sent_after_loss ||
                                (event == acknowledged_after_loss && link == LinkKind::datagram);
                if (after == streaming || after == delta_from_acknowledged) CHECK(has_keyframe);
                if (after == awaiting_keyframe || after == link_full) has_keyframe = false;
            }
        }
        CHECK(walked.size() ==
              static_cast<std::size_t>(std::ranges::count(transitions, link, &Transition::link)));
    }
}

TEST_CASE("stream machine: an ordered client of a real host walks every transition") {
    using enum StreamState;
    Walk walk(LinkKind::ordered);
    CHECK(walk.state() == awaiting_keyframe);
    CHECK(!walk.snapshot(false));
    CHECK(walk.state() == link_full);  // link_filled
    CHECK(walk.snapshot());            // link_drained, keyframe_sent
    CHECK(walk.state() == streaming);
    CHECK(walk.keyframes() == 1);
    CHECK(!walk.snapshot(false));
    CHECK(walk.state() == link_full);  // link_filled
    walk.snapshots(1);
    CHECK(walk.state() == streaming);
    CHECK(walk.keyframes() == 2);

    walk.send(walk.newest(), true);  // too soon after the keyframe, which may be on its way
    CHECK(walk.state() == streaming);
    walk.snapshots(3);
    walk.send(walk.newest(), true);
    CHECK(walk.state() == awaiting_keyframe);  // keyframe_needed
    CHECK(walk.snapshot());
    CHECK(walk.state() == streaming);
    CHECK(walk.keyframes() == 3);

    walk.leave();
    CHECK(walk.state() == leaving);
    for (const bool full : {false, true}) {
        Walk other(LinkKind::ordered);
        if (full) other.snapshot(false);
        CHECK(other.state() == (full ? link_full : awaiting_keyframe));
        other.leave();
        CHECK(other.state() == leaving);
    }
}

TEST_CASE("stream machine: a room over its budget moves an ordered client to a cell with a keyframe") {
    using enum StreamState;
    Walk walk(LinkKind::ordered, "billiards", {.delta_budget = 1, .budget_patience = 0.1});
    walk.fill_with_bots();  // their inputs and collisions are not predicted
    walk.snapshot();
    CHECK(walk.state() == streaming);
    CHECK(walk.cell() == InterestCells::whole_room);
    const std::uint64_t before = walk.keyframes();
    for (int i = 0; i < 600 && walk.cell() == InterestCells::whole_room; ++i) {
        CHECK(walk.keyframes() == before);
        walk.snapshot();
    }
    CHECK(walk.cell() != InterestCells::whole_room);  // cell_changed, keyframe_sent
    CHECK(walk.keyframes() == before + 1);
    CHECK(walk.state() == streaming);
}

TEST_CASE("stream machine: a datagram client of a real host walks every transition") {
    using enum StreamState;
    Walk walk(LinkKind::datagram);
    CHECK(walk.state() == awaiting_keyframe);
    CHECK(!walk.snapshot(false));
    CHECK(walk.state() == awaiting_keyframe);  // the snapshot is left out
    CHECK(walk.snapshot());
    CHECK(walk.state() == streaming);  // keyframe_sent
    CHECK(walk.keyframes() == 1);
    const std::uint32_t first = walk.newest();

    walk.send(first, false);
    walk.snapshots(0.2);
    walk.send(first, true);
    CHECK(walk.state() == delta_from_acknowledged);  // loss_reported
    walk.snapshots(0.2);
    CHECK(walk.keyframes() == 1);  // a delta against what it has is enough
    for (const double until = walk.now() + 10.5; walk.now() < until; walk.snapshot())
        walk.send(walk.newest(), false);
    CHECK(walk.state() == streaming);  // loss_forgotten
    CHECK(walk.keyframes() == 1);

    walk.send(0, true);                        // it has nothing
    CHECK(walk.state() == awaiting_keyframe);  // keyframe_needed
    CHECK(walk.snapshot());
    CHECK(walk.state() == delta_from_acknowledged);  // keyframe_sent_after_loss
    CHECK(walk.keyframes() == 2);
    const std::uint32_t second = walk.newest();
    walk.snapshots(0.5);
    walk.send(second - 1, true);                     // the keyframe was lost, and so was what came before it
    CHECK(walk.state() == awaiting_keyframe);        // keyframe_needed
    walk.send(second, false);                        // it came after all
    CHECK(walk.state() == delta_from_acknowledged);  // acknowledged_after_loss
    CHECK(walk.snapshot());
    CHECK(walk.keyframes() == 2);
    walk.leave();
    CHECK(walk.state() == leaving);

    Walk waiting(LinkKind::datagram);
    waiting.leave();
    CHECK(waiting.state() == leaving);
    Walk streams(LinkKind::datagram);
    streams.snapshot();
    streams.leave();
    CHECK(streams.state() == leaving);
    Walk playing(LinkKind::datagram);
    playing.snapshot();
    playing.send(0, true);
    CHECK(playing.state() == delta_from_acknowledged);  // a keyframe is on its way
    playing.snapshots(0.5);
    playing.send(0, true);
    CHECK(playing.state() == awaiting_keyframe);
}
