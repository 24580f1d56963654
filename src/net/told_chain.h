// SPDX-License-Identifier: MIT
// The chain of told states (docs/decisions/told-state.md) from both its ends. Snapshots are numbered: number
// n is the state after tick n · snapshot_every. A Teller writes the room part of a snapshot, a Listener reads
// it. A room part holds what entered the ticks since its baseline, and what the step made otherwise of it.
//
//     ordered link:   the baseline is the last snapshot told
//     datagram link:  the baseline is one that the other side has acknowledged, or is trusted to have
//     whole:          the baseline is the level's beginning, which both sides know: late join and reconnect
//
// What the coder has learnt belongs to the snapshot at which it had learnt it: a message goes on from what
// both sides had learnt at its baseline. A whole one has the events of its own snapshot, so that whoever is
// told whole after having heard the last one misses nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <instep/net/budget.h>
#include <instep/net/kinds.h>
#include <instep/net/state_codec.h>
#include <instep/net/stepper.h>
#include <instep/net/tick_log.h>
#include <instep/net/told_events.h>
#include <instep/state/snapshot_ring.h>

namespace instep::net {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

inline constexpr std::uint32_t told_kept = 32;  // snapshots that both sides remember

// Whether the bytes may be looked at as their types at all, and are a state that the world can be in.
bool is_legal(const match::Setup& setup, std::byte* block);

// What the coder has learnt.
struct ChainModel {
    StateModel state;
    TickModel ticks;
    EventModel events;

    // Who relays inputs tells nothing but ticks, so there is nothing to learn of states.
    ChainModel(const match::Setup& setup, RoomKind room)
        : state(room == RoomKind::relay ? StateModel() : StateModel(setup.layout)),
          ticks(setup),
          events(*setup.world->event) {}
};

// What both ends keep.
class ToldChain {
public:
    ToldChain(const match::Setup& setup, RoomKind room);

    bool begun() const { return begun_; }
    std::uint32_t number() const { return number_; }
    std::uint64_t tick() const { return tick_of(number_); }
    const std::byte* told() const { return told_.data(); }
    // The image of an earlier one; empty if it is no longer, or never was, here.
    ByteView find(std::uint32_t number) const { return ring_.find(number); }
    std::uint64_t tick_of(std::uint32_t number) const {
        return std::uint64_t{number} * setup_.facts.snapshot_every;
    }

protected:
    // Brings predicted_ to a baseline, and `record` to what its players hold. False if it is not here.
    bool go_to(std::uint32_t baseline, TickRecord& record);
    void keep(std::uint32_t number);
    // Over datagrams: the model as it was when that snapshot had been coded.
    void keep_model(std::uint32_t number);
    bool go_to_model(std::uint32_t number);

    const match::Setup& setup_;
    RoomKind room_;
    Stepper stepper_;
    state::SnapshotRing ring_;
    state::Block beginning_;
    state::Block predicted_;
    state::Block told_;
    ChainModel new_model_;
    ChainModel model_;
    struct KeptModel {
        std::uint32_t number = 0;
        ChainModel model;
    };
    std::vector<KeptModel> kept_models_;  // none until one is kept: who has an ordered link needs none
    std::uint32_t number_ = 0;
    bool begun_ = false;
};

class Teller : public ToldChain {
public:
    // `budget`: bytes of a room part beyond which corrections wait (whole ones excepted). Who relays inputs
    // has nothing to correct.
    Teller(const match::Setup& setup, RoomKind room, LinkKind link, std::uint32_t budget = UINT32_MAX);

    // Settles what is told of `actual`, the state of snapshot `number`; `log` has every tick since the
    // baseline. The baseline is for datagram links: one that the other side has. Where there is none any
    // more, the snapshot is told whole.
    void tell(std::uint32_t number, const std::byte* actual, const TickLog& log,
              std::optional<std::uint32_t> baseline = {});
    // The snapshot just told has no baseline: write() writes it whole.
    bool tells_whole() const { return !baseline_; }
    // Whom the next ones are for; without it nobody is nearer than anybody.
    void set_focus(std::optional<math::Vec2> focus) { budget_.set_focus(focus); }
    const CorrectionBudget& budget() const { return budget_; }
    // The snapshot just told, against its baseline. Once, for all who have the baseline. `checked` adds the
    // hash of the told state.
    void write(Bytes& out, bool checked);
    // The same, instead, for somebody who has nothing; on an ordered link everyone's model then begins anew.
    void write_whole(Bytes& out);

private:
    bool foresee(std::uint32_t number, const TickLog& log);
    void write_last_events(Writer& writer);

    LinkKind link_;
    CorrectionBudget budget_;
    TickRecord held_;                          // by players at the baseline
    std::vector<TickEvents> foreseen_events_;  // of each tick since the baseline; what is beyond is spare
    std::size_t foreseen_ticks_ = 0;
    Bytes told_events_;
    std::optional<std::uint32_t> baseline_;
    const TickLog* log_ = nullptr;
    bool fresh_model_ = true;
};

// What came of a room part.
enum class Heard : std::uint8_t {
    told,      // there is a new told state
    old,       // a copy, or overtaken by a newer one
    unusable,  // made against a baseline that is not here: ask for a whole one
    broken,    // no message of ours, or not for this level
    differs,   // decoded, but not what was told: a desync
};

struct PartHeader;

class Listener : public ToldChain {
public:
    Listener(const match::Setup& setup, RoomKind room)
        : ToldChain(setup, room),
          decoded_(setup.layout),
          ticks_(setup, (told_kept + 1) * setup.facts.snapshot_every) {}
    // Any bytes. If they are not told, what was told before stays. After one that differs, and on an ordered
    // link after a broken one, only a whole one helps, and nothing that was told before it is built upon.
    Heard hear(ByteView message);
    // What was told last can be built upon.
    bool is_sound() const { return begun_ && oldest_sound_ != no_baseline; }
    // What happened in the ticks between the last message's baseline, or where inputs are relayed the one
    // heard before, and its snapshot; of a whole one, between the snapshot before it and itself.
    std::span<const TickEvents> events() const { return events_; }
    // What entered the ticks of the snapshots that are remembered.
    const TickLog& ticks() const { return ticks_; }

private:
    static constexpr std::uint32_t no_baseline = UINT32_MAX;

    Heard hear_part(Reader& reader, const PartHeader& header);
    bool foresee(Reader& reader, std::uint32_t baseline, std::uint32_t number);
    bool read_last_events(Reader& reader, std::uint32_t number);
    bool decode(Reader& reader, bool whole);

    state::Block decoded_;
    std::vector<TickEvents> events_;
    TickLog ticks_;
    std::uint32_t oldest_sound_ = 0;  // the first snapshot that may be a baseline
};

}  // namespace instep::net
