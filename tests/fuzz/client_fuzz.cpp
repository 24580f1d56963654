// SPDX-License-Identifier: MIT
// A client survives any messages: its base and its predicted state are legal, it replays at most a second,
// its memory stays within its limits, and its own messages can be read.
//
// The input: a level, replication mode and link, the number of undisturbed ticks, and then a script of
// faults. A real host runs in the same process, so its messages are always current. They arrive intact,
// changed or repeatedly, and others are forged with the real writers.
#include <cmath>
#include <deque>
#include <memory>

#include <instep/net/client.h>
#include <instep/net/host.h>
#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

#include <tests/fuzz/forger.h>
#include <tests/fuzz/require.h>

using namespace instep;
using namespace instep::net;
using fuzz::Script;

namespace {

// Small, so that many inputs run per second. The arena's shots are replicated as events.
constexpr std::string_view levels[] = {
    R"({"world": "bounce", "name": "small", "rules": "game",
        "box": {"width": 40, "height": 30, "loose_balls": 2, "most_players": 3}})",
    R"({"world": "arena", "name": "small", "rules": "game",
        "field": {"half_width": 20, "half_height": 20, "most_players": 3, "most_shots": 9},
        "walls": [{"position": [0, 0], "half_size": [1, 4]}],
        "rocks": [{"position": [-9, 4], "velocity": [1.5, 2], "spin": 0.3, "radius": 2, "corners": 8}],
        "starts": [{"position": [-9, 0], "angle": 0}, {"position": [9, 0], "angle": 3.14}]})",
    R"({"world": "flail", "name": "small", "rules": {"base": "game", "spawn_spread": 300},
        "map": {"size": 1000, "most_players": 3}})",
    R"({"world": "orbit", "name": "small", "rules": "game",
        "space": {"sun": {"position": [0, 0], "radius": 60, "mass": 1000000}, "start": {"energy": 100},
                  "orbit_radius": 520, "most_players": 3},
        "rings": [{"radius": 500, "angle": 0, "count": 4}]})",
    R"({"world": "foothold", "name": "small", "rules": "game", "map": {"most_players": 3, "most_drops": 4},
        "footholds": [{"id": 1, "layer": 1, "x1": -200, "x2": 200}],
        "ladders": [{"x": 0, "top": -100, "bottom": -5}],
        "spawns": [{"position": [-30, -30]}, {"position": [30, -30]}],
        "mob_kinds": [{"name": "snail", "speed": -30, "health": 24, "touch_attack": 3}],
        "mobs": [{"kind": "snail", "position": [50, 0], "foothold": 1}]})",
};

const match::SharedSetup& setup_of(std::size_t choice) {
    static const auto setups = [] {
        std::vector<match::SharedSetup> all;
        for (const std::string_view level : levels) {
            const auto setup = match::load_setup(level, "a level of the fuzzer");
            if (!setup)
                std::fprintf(stderr, "%s: %s\n", setup.error().where.c_str(), setup.error().what.c_str());
            REQUIRE(setup);
            all.push_back(*setup);
        }
        return all;
    }();
    return setups[choice % setups.size()];
}

class Game {
public:
    Game(const match::SharedSetup& setup, Script& script)
        : setup_(setup),
          script_(script),
          mode_(script.flag() ? ReplicationMode::relay : ReplicationMode::snapshots),
          link_(script.flag() ? LinkKind::datagram : LinkKind::ordered),
          host_(setup, 1, mode_),
          replicated_(setup->layout),
          own_(setup->layout),
          drawn_(setup->layout),
          input_(setup->world->input->size) {
        REQUIRE(host_.join_bot("bot"));
        const auto slot = script.choose(8) == 7 ? host_.watch(link_) : host_.join("fuzz", link_);
        REQUIRE(slot);
        slot_ = *slot;
        client_.emplace(setup_, link_);
        run(script.choose(16));
    }

    void play() {
        for (int operation = 0; operation < most_operations && !script_.is_over(); ++operation) {
            operate();
            check();
        }
        run(setup_->facts.snapshot_every);
        take_events();
        check();
        require_legal(host_.match().state());
    }

private:
    static constexpr int most_operations = 30;
    static constexpr int most_reconnects = 2;
    static constexpr std::size_t kept_messages = 4;

    void operate() {
        const std::size_t choice = script_.choose(11);
        if (choice != 0 && choice != 7 && choice != 8) is_disturbed_ = true;
        switch (choice) {
            case 0: run(1 + script_.choose(8)); break;
            case 1: receive_host_message(true); break;
            case 2: receive_host_message(false); break;
            case 3: receive_any_bytes(); break;
            case 4:
            case 5: receive_forged_snapshot(); break;
            case 6: receive_forged_verdict(); break;
            case 7: play_frame(); break;
            case 8: draw(); break;
            case 9: send(script_.flag()); break;
            default:
                // Constructing a client takes as long as many operations.
                if (reconnects_++ < most_reconnects) reconnect();
                break;
        }
    }

    // --- Undisturbed ---------------------------------------------------------------------------------------

    double client_now() const { return now_ + 1000; }  // the clocks of client and server differ

    void run(std::size_t ticks) {
        for (; ticks > 0; --ticks) {
            now_ += 1.0 / setup_->facts.tick_rate;
            step_host();
            if (codec::Bytes message; next_message(message)) client_->receive(message, client_now());
            want_ticks();
            send(true);
        }
    }

    // At most one step per call, so that a long pause does not cost the fuzzer its time.
    void step_host() {
        if (static_cast<double>(host_.match().tick()) < now_ * setup_->facts.tick_rate) host_.step();
    }

    bool next_message(codec::Bytes& message) {
        if (!host_.write_message(slot_, true, now_, message)) return false;
        kept_.push_back(message);
        if (kept_.size() > kept_messages) kept_.pop_front();
        return true;
    }

    void want_ticks() {
        const auto most = std::ceil(ClientConfig{}.max_rollback * setup_->facts.tick_rate);
        std::uint32_t ticks = 0;
        for (; client_->wants_tick(client_now()); ++ticks) client_->tick(input_.data());
        REQUIRE(ticks <= most);
        if (!client_->joined()) return;
        is_predicted_ = true;
        REQUIRE(client_->predicted_tick() >= client_->base_tick());
        REQUIRE(static_cast<double>(client_->predicted_tick() - client_->base_tick()) <= most);
    }

    // The client's messages can be read, whatever it has received.
    void send(bool arrives) {
        codec::Bytes message;
        if (!client_->write_message(client_now(), message)) return;
        const auto report = read_report(message, host_.match().hash_fields().size());
        REQUIRE(report || read_inputs(message, *setup_->world->input));
        if (report) reported_ = report->serial;
        if (arrives) host_.receive(slot_, message, now_);
    }

    // --- Faults --------------------------------------------------------------------------------------------

    // The host's next message, or an earlier one.
    codec::Bytes host_message() {
        if (kept_.empty() || script_.flag()) {
            codec::Bytes message;
            for (std::uint32_t i = 0; i < 2 * setup_->facts.snapshot_every; ++i) {
                now_ += 1.0 / setup_->facts.tick_rate;
                step_host();
                if (next_message(message)) return message;
            }
        }
        return kept_.empty() ? codec::Bytes() : kept_[script_.choose(kept_.size())];
    }

    void receive_host_message(bool is_changed) {
        codec::Bytes message = host_message();
        if (is_changed && !message.empty()) {
            for (std::size_t changes = script_.choose(4); changes > 0; --changes)
                message[script_.choose(message.size())] ^= static_cast<std::byte>(script_.take(1));
            if (script_.choose(4) == 3) message.resize(script_.choose(message.size()));
        }
        client_->receive(message, client_now());
    }

    void receive_any_bytes() {
        codec::Bytes message(1 + script_.choose(32));
        message[0] = static_cast<std::byte>(script_.choose(8));
        for (std::size_t i = 1; i < message.size(); ++i) message[i] = static_cast<std::byte>(script_.take(1));
        client_->receive(message, client_now());
    }

    OwnPlayerPart forge_own_part() {
        OwnPlayerPart part;
        part.acknowledged = static_cast<std::uint8_t>(script_.take(1));
        part.own = static_cast<OwnState>(script_.choose(3));
        const std::size_t optional = script_.choose(8);
        if (optional & 4)
            part.hash = script_.flag() || !client_->joined()
                            ? static_cast<std::uint32_t>(script_.take(4))
                            : hash_own(setup_->layout, client_->base(), client_->slot());
        if (optional & 1)
            part.margin = {static_cast<std::uint8_t>(script_.take(1)),
                           static_cast<std::int16_t>(script_.take(2))};
        if (optional & 2) {
            part.pong = {static_cast<std::uint8_t>(script_.take(1)), 0, 0};
            part.pong->microseconds =
                script_.flag() ? script_.take(6) : static_cast<std::uint64_t>(now_ * 1e6) + script_.take(3);
            part.pong->held = static_cast<std::uint32_t>(script_.take(3));
        }
        return part;
    }

    std::uint32_t decoded_number() const { return client_->decoder() ? client_->decoder()->number() : 0; }

    codec::Bytes forge_world_delta(const std::byte*& replicated) {
        if (!forger_) forger_.emplace(*setup_, mode_);
        codec::Bytes delta;
        codec::Bytes genuine;
        switch (script_.choose(4)) {
            case 0:
                genuine = host_message();
                if (const auto parts = read_snapshot(genuine))
                    delta.assign(parts->world_delta.begin(), parts->world_delta.end());
                return delta;
            case 1: delta.resize(script_.choose(4)); return delta;
            case 2: forger_->write_changed(script_, replicated, decoded_number() + 1, delta); break;
            default:
                if (!forger_->can_continue_from(decoded_number())) {
                    forger_->write_keyframe(replicated, decoded_number() + 1, delta);
                    receive_forged(nullptr, {}, delta, replicated);
                    delta.clear();
                }
                if (!forger_->can_continue_from(decoded_number())) return delta;  // it was refused
                forger_->write_next(script_, delta);
                break;
        }
        replicated = forger_->replicated();
        return delta;
    }

    void receive_forged_snapshot() {
        Welcome welcome{.fingerprint = setup_->fingerprint, .mode = mode_};
        const bool welcomes = script_.flag();
        if (welcomes) welcome.slot = static_cast<contract::Slot>(script_.choose(watcher_slot + 2));
        const OwnPlayerPart part = forge_own_part();
        const bool has_state = client_->decoder() && client_->decoder()->has_snapshot();
        state::copy(setup_->layout, has_state ? client_->decoder()->replicated() : host_.match().state(),
                    replicated_.data());
        const std::byte* replicated = replicated_.data();
        const codec::Bytes world_delta = forge_world_delta(replicated);
        receive_forged(welcomes ? &welcome : nullptr, part, world_delta, replicated);
    }

    void receive_forged(const Welcome* welcome, const OwnPlayerPart& part, const codec::Bytes& world_delta,
                        const std::byte* replicated) {
        state::copy(setup_->layout, replicated, own_.data());
        if (part.own == OwnState::exact) fuzz::change_fields(script_, setup_->layout, own_.data());
        codec::Bytes message;
        const contract::Slot slot = welcome && !client_->decoder() ? welcome->slot : client_->slot();
        SnapshotWriter(message).write(welcome, part, world_delta, [&](codec::Writer& writer) {
            encode_own(writer, setup_->layout, replicated, own_.data(), slot);
        });
        client_->receive(message, client_now());
    }

    void receive_forged_verdict() {
        Verdict verdict{.serial = reported_,
                        .found = script_.flag(),
                        .field = static_cast<std::uint16_t>(script_.take(2))};
        verdict.is_own = verdict.field % 2 == 1;
        verdict.number = script_.flag() ? static_cast<std::uint32_t>(script_.take(4))
                                        : decoded_number() - static_cast<std::uint32_t>(script_.choose(40));
        codec::Bytes message;
        write(verdict, message);
        client_->receive(message, client_now());
    }

    // A frame after a pause, with any input.
    void play_frame() {
        const double pauses[] = {0, 0.005, 0.02, 0.3, 2, 3600};
        now_ += pauses[script_.choose(std::size(pauses))];
        for (std::size_t changes = script_.choose(3); changes > 0; --changes)
            fuzz::change_struct(script_, *setup_->world->input, input_.data());
        want_ticks();
    }

    // A drawn state lies between two states or beyond them, so it may be illegal, but a world can view it.
    void draw() {
        now_ += static_cast<double>(script_.choose(8)) / 100;
        const auto times = client_->draw(client_now(), drawn_.data());
        if (!times) return;
        contract::DrawList list;
        setup_->world->view(setup_->value.get(), setup_->layout, drawn_.data(), *times, list);
    }

    // A new client in the same slot, without a snapshot yet.
    void reconnect() {
        take_events();
        client_.emplace(setup_, link_);
        is_predicted_ = false;
        host_.reconnect(slot_, link_);
    }

    // --- Laws ----------------------------------------------------------------------------------------------

    void require_legal(const std::byte* block) const {
        const auto legal = fuzz::legality(*setup_, block);
        if (!legal) std::fprintf(stderr, "%s: %s\n", legal.error().where.c_str(), legal.error().what.c_str());
        REQUIRE(legal);
    }

    void check() {
        const match::WorldTable& world = *setup_->world;
        REQUIRE(client_->slot() < setup_->facts.most_players || client_->watches());
        REQUIRE(client_->stats().deepest_rollback <=
                std::ceil(ClientConfig{}.max_rollback * setup_->facts.tick_rate));
        REQUIRE(client_->desyncs().size() <= snapshots_kept);
        for (const Desync& desync : client_->desyncs()) REQUIRE(!desync.text().empty());
        REQUIRE(client_->refusal().size() <= max_text);
        REQUIRE(std::isfinite(client_->clock().time()));
        REQUIRE(std::isfinite(client_->stats().largest_correction));
        if (!is_disturbed_) REQUIRE(client_->stats().messages_malformed + client_->stats().desyncs == 0);
        if (client_->stats().snapshots > 0) {
            require_legal(client_->base());
            REQUIRE(world.tick(setup_->layout, client_->base()) == client_->base_tick());
        }
        if (is_predicted_) {
            require_legal(client_->predicted());
            REQUIRE(world.tick(setup_->layout, client_->predicted()) == client_->predicted_tick());
        }
    }

    void take_events() {
        const state::StructInfo& event = *setup_->world->event;
        std::size_t count = 0;
        for (present::EventNotice notice; client_->next_event(notice); ++count) {
            REQUIRE(notice.event.size() == event.size);
            REQUIRE(state::fields_are_legal(event, notice.event.data()));
        }
        REQUIRE(count <= present::EventFeed::max_notices);
    }

    match::SharedSetup setup_;
    Script& script_;
    ReplicationMode mode_;
    LinkKind link_;
    Host host_;
    contract::Slot slot_ = 0;
    std::optional<Client> client_;
    std::optional<fuzz::Forger> forger_;  // made for the first forged snapshot
    std::deque<codec::Bytes> kept_;       // the host's newest messages
    state::Block replicated_;
    state::Block own_;
    state::Block drawn_;
    codec::Bytes input_;
    int reconnects_ = 0;
    bool is_disturbed_ = false;  // a fault was injected
    std::uint8_t reported_ = 0;  // the serial of the last report
    double now_ = 0;             // the server's time, s
    bool is_predicted_ = false;  // before that the predicted state must not be read
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Script script({data, size});
    Game(setup_of(script.take(1)), script).play();
    return 0;
}
