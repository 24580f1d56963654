// SPDX-License-Identifier: MIT
// Clients that send anything at any time, against a reference model of the rules in docs/netcode.md
// ("Inputs") that keeps every input ever accepted.
#include <arena/ship.h>
#include <arena/weapon.h>
#include <instep/net/host.h>

#include <tests/net/logged_match.h>
#include <tests/support/property.h>

#include <instep/match/random_input.h>
#include <instep/state/raw_pool.h>

#include <cmath>
#include <map>
#include <set>

using namespace instep;
using namespace instep::net;
using contract::Slot;

namespace {

// One player's inputs by the documented rules.
class LegalInputs {
public:
    explicit LegalInputs(const match::Setup& setup)
        : setup_(setup), size_(setup.world->input->size), neutral_(size_) {
        codec::quantise_struct(*setup.world->input, neutral_.data());
        last_ = neutral_;
    }

    std::uint32_t newest() const { return newest_; }
    std::uint64_t accepted() const { return sequences_.size(); }
    // Messages with accepted inputs of which others came too late, or too early.
    std::uint64_t partly_late() const { return partly_late_; }
    std::uint64_t partly_early() const { return partly_early_; }

    // The newest sequence number before the message decides which of its own are too old or too new.
    void offer(std::uint64_t next_tick, const InputMessage& message) {
        const std::uint64_t window = setup_.facts.tick_rate;  // a second
        const std::uint32_t before = newest_;
        const std::uint64_t accepted_before = accepted();
        for (std::uint32_t i = 0; i < message.count; ++i) {
            const std::uint32_t tick = message.first_tick + i;
            const std::uint32_t sequence = message.first_sequence + i;
            if (tick < next_tick || tick >= next_tick + window) continue;
            const auto present = by_tick_.find(tick);
            if (present != by_tick_.end() && present->second.sequence > sequence) continue;
            if (sequence == 0 || sequence >= std::uint64_t{before} + 65536) continue;
            if (std::uint64_t{sequence} + 64 <= before || sequences_.contains(sequence)) continue;
            const auto from = message.inputs.begin() + static_cast<std::ptrdiff_t>(i * size_);
            codec::Bytes row(from, from + static_cast<std::ptrdiff_t>(size_));
            codec::Bytes checked = row;
            if (!setup_.world->sanitize(setup_.value.get(), checked.data())) continue;
            codec::quantise_struct(*setup_.world->input, row.data());
            by_tick_[tick] = {sequence, std::move(row)};
            sequences_.insert(sequence);
            newest_ = std::max(newest_, sequence);
        }
        if (accepted() == accepted_before) return;
        if (message.first_tick < next_tick) ++partly_late_;
        if (message.first_tick + message.count > next_tick + window) ++partly_early_;
    }
    // The last input is repeated for half a second.
    const codec::Bytes& at(std::uint64_t tick) {
        if (const auto found = by_tick_.find(tick); found != by_tick_.end()) {
            last_ = found->second.row;
            last_tick_ = tick;
        } else if (tick - last_tick_ > (setup_.facts.tick_rate + 1) / 2) {
            last_ = neutral_;
        }
        return last_;
    }

private:
    const match::Setup& setup_;
    std::size_t size_;
    struct Accepted {
        std::uint32_t sequence = 0;
        codec::Bytes row;
    };
    std::map<std::uint64_t, Accepted> by_tick_;  // until the tick is stepped, the highest sequence counts
    std::set<std::uint32_t> sequences_;
    std::uint32_t newest_ = 0;
    codec::Bytes neutral_;
    codec::Bytes last_;
    std::uint64_t last_tick_ = 0;
    std::uint64_t partly_late_ = 0;
    std::uint64_t partly_early_ = 0;
};

// Holds its inputs back and sends them in one burst, in which some are too late, some too early, some in
// time. Between the bursts it sends illegal, old and malformed inputs.
class Attacker {
public:
    Attacker(const match::Setup& setup, math::Random random)
        : info_(*setup.world->input), window_(setup.facts.tick_rate), random_(random) {}

    // Sends ten messages per tick where an honest client sends one.
    template <class Send>
    void play(std::uint32_t tick, std::uint32_t newest, Send send) {
        if (held_.count == 0) begin_burst(tick, newest);
        hold_one();
        if (held_.count == max_repeated_inputs || random_.below(burst_) == 0) {
            earlier_.push_back(write_out(held_));
            send(earlier_.back());
            held_ = {};
        }
        for (int i = 0; i < 9; ++i) send(nonsense(tick, newest));
    }

private:
    InputMessage one(std::uint32_t tick, std::uint32_t sequence) {
        InputMessage message{.first_tick = tick, .first_sequence = sequence, .count = 1};
        message.inputs.resize(info_.size);
        match::random_input(info_, random_, message.inputs.data());
        return message;
    }
    codec::Bytes write_out(const InputMessage& message) const {
        codec::Bytes bytes;
        write(message, info_, bytes);
        return bytes;
    }
    // A burst begins between the next tick and a little beyond the accepted window.
    void begin_burst(std::uint32_t tick, std::uint32_t newest) {
        held_.first_tick = tick + random_.below(window_ + window_ / 4);
        held_.first_sequence = newest + 1;
        burst_ = 1 + random_.below(40);
    }
    void hold_one() {
        const InputMessage next = one(0, 0);
        held_.inputs.insert(held_.inputs.end(), next.inputs.begin(), next.inputs.end());
        ++held_.count;
    }
    codec::Bytes flipped(codec::Bytes bytes) {
        for (std::uint32_t flips = 1 + random_.below(6); flips > 0; --flips) {
            const std::uint32_t bit = random_.below(static_cast<std::uint32_t>(8 * (bytes.size() - 1)));
            bytes[1 + bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        }
        return bytes;
    }
    codec::Bytes nonsense(std::uint32_t tick, std::uint32_t newest) {
        InputMessage bad = one(tick, newest + 1 + random_.below(3));
        const float nan = std::nanf("");
        switch (random_.below(9)) {
            case 0:
                if (earlier_.empty()) break;
                return earlier_[random_.below(static_cast<std::uint32_t>(earlier_.size()))];
            case 1: bad.first_tick = random_.below(tick); break;
            case 2: bad.first_tick = tick + window_ + static_cast<std::uint32_t>(random_.next() >> 40); break;
            case 3:
                bad.first_sequence = 0x80000000u + static_cast<std::uint32_t>(random_.next() >> 34);
                break;
            case 4:
                if (info_.fields[0].kind != state::FieldKind::f32) break;
                std::memcpy(bad.inputs.data() + info_.fields[0].offset, &nan, sizeof nan);
                break;
            case 5: bad.first_sequence = newest > 80 ? newest - random_.below(80) : 0; break;
            case 6:
                if (earlier_.empty()) break;
                return flipped(earlier_.back());
            case 7: return flipped(write_out(bad));
            default: {
                codec::Bytes bytes = write_out(bad);
                bytes[0] = static_cast<std::byte>(random_.below(256) | 8);
                return bytes;
            }
        }
        return write_out(bad);
    }

    const state::StructInfo& info_;
    std::uint32_t window_;
    math::Random random_;
    InputMessage held_;
    std::uint32_t burst_ = 1;  // mean number of inputs in a burst
    std::vector<codec::Bytes> earlier_;
};

// A host with one honest client and attackers in all other slots, and the match that must result.
struct Attack {
    Attack(const match::SharedSetup& level, std::uint32_t players, math::Random& random)
        : setup(level), host(level, 1, ReplicationMode::snapshots), reference(level, 1), tick(*level) {
        for (std::uint32_t i = 0; i < players; ++i) {
            REQUIRE(host.join("player", LinkKind::datagram));
            legal.emplace_back(*level);
            attackers.emplace_back(*level, random.split());
        }
    }
    void receive(Slot slot, codec::ByteView bytes) {
        const std::uint64_t next = host.match().tick() + 1;
        host.receive(slot, bytes, static_cast<double>(next - 1) / setup->facts.tick_rate);
        if (const auto message = read_inputs(bytes, *setup->world->input))
            legal[slot].offer(next, *message);
        else
            ++malformed;
    }
    void step(math::Random& random) {
        const auto next = static_cast<std::uint32_t>(host.match().tick() + 1);
        const state::StructInfo& info = *setup->world->input;
        InputMessage honest{.first_tick = next, .first_sequence = next, .count = 1};
        honest.inputs.resize(info.size);
        match::random_input(info, random, honest.inputs.data());
        codec::Bytes bytes;
        write(honest, info, bytes);
        receive(0, bytes);
        for (Slot slot = 1; slot < attackers.size(); ++slot)
            attackers[slot].play(next, legal[slot].newest(),
                                 [&](codec::ByteView sent) { receive(slot, sent); });
        host.step();
        codec::TickRecord record = *host.ticks().find(next);  // for its joins; inputs come from the model
        for (Slot slot = 0; slot < legal.size(); ++slot)
            std::ranges::copy(legal[slot].at(next), record.row(slot, info.size).begin());
        codec::fill_tick(record, tick);
        reference.step(tick.bytes());
    }
    std::uint64_t accepted() const {
        std::uint64_t sum = 0;
        for (const LegalInputs& one : legal) sum += one.accepted();
        return sum;
    }

    match::SharedSetup setup;
    Host host;
    match::Match reference;
    match::TickBuilder tick;
    std::vector<LegalInputs> legal;
    std::vector<Attacker> attackers;  // the first is unused: slot 0 is honest
    std::uint64_t malformed = 0;
};

// The heat that a ship's keys make, with one input per tick: the law of worlds/arena/tests.
struct HeatModel {
    double heat = 0;
    bool overheated = false;
    std::uint32_t pause = 0;
    worlds::arena::Weapon weapon = worlds::arena::Weapon::cannon;  // that it had before the tick

    void step(const worlds::arena::Input& keys, const worlds::arena::Rules& rules, double dt) {
        const worlds::arena::Salvo salvo = salvo_of(weapon, rules);
        if (pause > 0) --pause;
        if (!overheated) {
            if (keys.thrust) heat += rules.thrust_heat * dt;
            if (keys.fire && pause == 0) {
                heat += salvo.heat;
                pause = salvo.pause;
            }
        }
        heat = std::max(0.0, heat - rules.cooling * dt);
        overheated = heat >= (overheated ? std::nextafter(rules.recovered_heat, 1e9) : rules.most_heat);
    }
};

}  // namespace

TEST_CASE("hostile inputs: the match equals a reference that gets the legal inputs alone") {
    test::for_each_seed(6, [](math::Random& random) {
        Attack attack(test::level("orbit", "belt"), 3, random);
        for (int i = 0; i < 600; ++i) {
            attack.step(random);
            REQUIRE(attack.host.match().hash() == attack.reference.hash());
        }
        const HostStats& stats = attack.host.stats();
        CHECK(stats.inputs_accepted == attack.accepted());
        CHECK(stats.messages_malformed == attack.malformed);
        CHECK(stats.inputs_late > 100);
        CHECK(stats.inputs_early > 100);
        CHECK(stats.inputs_illegal > 100);
        CHECK(stats.inputs_duplicate > 100);
        CHECK(stats.messages_malformed > 100);
        CHECK(stats.ticks_starved > 10);
        CHECK(stats.ticks_starved < 1200);
        CHECK(attack.legal[1].partly_late() + attack.legal[2].partly_late() > 10);
        CHECK(attack.legal[1].partly_early() + attack.legal[2].partly_early() > 3);
    });
}

TEST_CASE("hostile inputs: no ship is hotter than its keys make it, however many inputs arrive") {
    test::for_each_seed(4, [](math::Random& random) {
        const match::SharedSetup setup = test::level("arena", "belt");
        const auto& arena = *static_cast<const worlds::arena::Setup*>(setup->value.get());
        Attack attack(setup, 4, random);
        std::array<HeatModel, 4> models{};
        contract::SlotSet flying = 0;
        std::uint32_t overheated = 0;
        for (int i = 0; i < 900; ++i) {
            attack.step(random);
            REQUIRE(attack.host.match().hash() == attack.reference.hash());
            const auto ships = state::RawPool::looking_at(setup->layout, 0, attack.host.match().state());
            REQUIRE(ships.size() == models.size());
            for (std::uint32_t index = 0; index < ships.size(); ++index) {
                const auto& ship = *reinterpret_cast<const worlds::arena::Player*>(ships.element(index));
                HeatModel& model = models[ship.slot];
                const bool flew = contract::contains(flying, ship.slot);
                if (!flew) model = {};  // a new ship is cold
                worlds::arena::Input keys;
                std::memcpy(&keys, attack.tick.input(ship.slot), sizeof keys);
                if (flew || ship.alive()) model.step(keys, arena.rules, arena.dt);
                model.weapon = ship.weapon;
                flying &= ~contract::only(ship.slot);
                if (ship.alive()) flying |= contract::only(ship.slot);
                if (!flew && !ship.alive()) continue;
                REQUIRE(ship.heat == model.heat);
                REQUIRE(ship.overheated == model.overheated);
                REQUIRE(ship.heat <= worlds::arena::hottest(arena.rules, arena.dt));
                overheated += ship.overheated ? 1 : 0;
            }
        }
        CHECK(attack.host.stats().inputs_accepted == attack.accepted());
        CHECK(attack.host.stats().inputs_duplicate > 9 * attack.accepted() / 10);
        CHECK(overheated > 100);
    });
}
