// SPDX-License-Identifier: MIT
// Plays a short match of bots between the real Host and Clients, and prints it as JSON: what a reader must
// know of the level, every message as it arrived, and what this side decoded from it. tests/wire/check.py
// decodes the same messages with a second reader, which follows docs/wire-format.md, and compares.
//
//     wire_capture WORLD LEVEL ordered|datagram snapshots|relay LOSS [SNAPSHOTS]
//
// SNAPSHOTS: how many there were before the first player joins.
#include <instep/net/client.h>
#include <instep/net/host.h>
#include <instep/net/own_player.h>
#include <instep/net/simulated_link.h>
#include <instep/present/own_entities.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

#include <tests/wire/describe.h>

namespace instep::wire {
namespace {

using codec::Bytes;
using codec::ByteView;
using net::LinkKind;
using net::ReplicationMode;
using state::Json;

constexpr double seconds = 3;
constexpr double late_join = 1;  // s: in a delta for the others, a keyframe for the one that joins
constexpr double first_leave = 2;
constexpr double late_watch = 2.5;

// In the first f64 and the first f32 of a struct: NaNs other than the one that hashes take for all.
void put_nans(const state::StructInfo& info, std::byte* bytes) {
    constexpr std::uint64_t nan64 = 0x7FF8000000000001;
    constexpr std::uint32_t nan32 = 0xFFC00001;
    const auto put = [&](state::FieldKind kind, const void* nan) {
        const auto field = std::ranges::find(info.fields, kind, &state::Field::kind);
        if (field != info.fields.end()) std::memcpy(bytes + field->offset, nan, field->size);
    };
    put(state::FieldKind::f64, &nan64);
    put(state::FieldKind::f32, &nan32);
}

constexpr std::string_view result_names[] = {"applied", "stale", "no_baseline", "malformed", "desync"};

// Decodes what one client receives, beside the client, and writes down all that came out.
class Witness {
public:
    explicit Witness(const match::SharedSetup& setup) : setup_(*setup) {}

    Json expect(ByteView message, contract::Slot slot) {
        auto parts = net::read_snapshot(message);
        if (!parts) return {};
        Json::Object result;
        if (parts->welcome) {
            const net::Welcome& welcome = *parts->welcome;
            result.emplace_back("welcome", Json::Object{{"version", welcome.version},
                                                        {"fingerprint", welcome.fingerprint},
                                                        {"slot", welcome.slot},
                                                        {"mode", name_of(welcome.mode)},
                                                        {"ticket", welcome.ticket.view()}});
            if (!decoder_) decoder_.emplace(setup_, welcome.mode);
            mode_ = welcome.mode;
        }
        result.emplace_back("own_player", own_player_part_of(parts->part));
        codec::Reader reader(parts->world_delta);
        net::DeltaHeader header;
        code_header(reader, header);
        const net::DecodeResult decoded = decoder_->decode(parts->world_delta);
        result.emplace_back("result", result_names[static_cast<std::size_t>(decoded)]);
        result.emplace_back("keyframe", header.keyframe);
        if (decoded != net::DecodeResult::applied) return result;
        add_applied(header, result);
        if (parts->part.own == net::OwnState::exact) add_exact_own(*parts, slot, result);
        return result;
    }

    const net::SnapshotDecoder& decoder() const { return *decoder_; }

private:
    void add_applied(const net::DeltaHeader& header, Json::Object& result) {
        const state::Layout& layout = setup_.layout;
        result.emplace_back("number", decoder_->number());
        result.emplace_back("hash", state::hash(layout, decoder_->replicated()));
        Json::Array events;
        for (const codec::TickEvents& tick : decoder_->events()) events.emplace_back(hex(tick.rows));
        if (header.keyframe) {
            result.emplace_back("events", std::move(events));
            result.emplace_back("state", state_of(layout, decoder_->replicated()));
            return;
        }
        Json::Array ticks;
        const std::uint32_t baseline = decoder_->number() - header.back;
        for (std::uint64_t tick = decoder_->tick_of(baseline) + 1; tick <= decoder_->tick(); ++tick)
            ticks.emplace_back(tick_of(setup_, *decoder_->ticks().find(tick)));
        result.emplace_back("ticks", std::move(ticks));
        if (mode_ == ReplicationMode::snapshots) result.emplace_back("events", std::move(events));
        add_prediction(baseline, result);
    }

    // What the world's step makes of the baseline, for a reader that does not have that step.
    void add_prediction(std::uint32_t baseline, Json::Object& result) {
        state::Block block(setup_.layout);
        state::restore(setup_.layout, decoder_->find(baseline), block.data());
        net::WorldStepper stepper(setup_);
        Json::Array events;
        for (std::uint64_t tick = decoder_->tick_of(baseline) + 1; tick <= decoder_->tick(); ++tick) {
            stepper.step_record(block.data(), *decoder_->ticks().find(tick));
            events.emplace_back(hex(stepper.events()));
        }
        result.emplace_back("step", Json::Object{{"state", image_of(setup_.layout, block.data())},
                                                 {"events", std::move(events)}});
    }

    void add_exact_own(net::SnapshotParts& parts, contract::Slot slot, Json::Object& result) {
        state::Block block(setup_.layout);
        state::copy(setup_.layout, decoder_->replicated(), block.data());
        net::decode_own(parts.own, setup_.layout, block.data(), slot);
        Bytes entities;
        net::save_own(setup_.layout, block.data(), slot, entities);
        result.emplace_back("exact_own", hex(entities));
        result.emplace_back("exact_own_hash", net::hash_own(setup_.layout, block.data(), slot));
    }

    const match::Setup& setup_;
    std::optional<net::SnapshotDecoder> decoder_;
    ReplicationMode mode_ = ReplicationMode::snapshots;
};

// --- The session ------------------------------------------------------------------------------------------

struct Peer {
    Peer(const match::SharedSetup& setup, LinkKind kind, const net::LinkConditions& conditions,
         unsigned number)
        : client(setup, kind),
          witness(setup),
          up(kind, conditions, 2 * number + 1),
          down(kind, conditions, 2 * number + 2),
          index(number),
          input(setup->world->input->size) {}

    net::Client client;
    Witness witness;
    net::SimulatedLink up;
    net::SimulatedLink down;
    unsigned index;
    Bytes input;
    contract::Slot slot = 0;
    bool has_left = false;
};

class Session {
public:
    Session(const match::SharedSetup& setup, LinkKind kind, ReplicationMode mode, double loss,
            std::uint32_t snapshots)
        : setup_(setup),
          kind_(kind),
          conditions_{.latency = 0.03, .jitter = loss, .loss = loss, .duplicates = loss},
          host_(setup, 7, mode) {
        for (std::uint32_t i = 0; i < snapshots * setup->facts.snapshot_every; ++i) host_.step();
        start_ = static_cast<double>(host_.match().tick()) / setup->facts.tick_rate;
        time_ = start_;
    }

    Json::Array play() {
        join("Ann");
        join("Bob Ünlü");
        const double step = 0.25 / setup_->facts.tick_rate;
        for (; time_ < start_ + seconds; time_ += step) {
            if (peers_.size() == 2 && time_ >= start_ + late_join) join("");
            if (peers_.size() == 3 && time_ >= start_ + late_watch) watch();
            if (!peers_[1].has_left && time_ >= start_ + first_leave) {
                host_.leave(peers_[1].slot);
                peers_[1].has_left = true;
            }
            serve();
            for (Peer& peer : peers_)
                if (!peer.has_left) play(peer);
        }
        add_samples();
        return std::move(messages_);
    }

private:
    void join(std::string_view name) {
        Peer& peer = peers_.emplace_back(setup_, kind_, conditions_, static_cast<unsigned>(peers_.size()));
        peer.slot = host_.join(name, kind_).value();
        host_.set_ticket(peer.slot, net::TicketText::of("r1.a-key.a-room." + std::string(name)));
        hello(peer, name);
    }

    void watch() {
        Peer& peer = peers_.emplace_back(setup_, kind_, conditions_, static_cast<unsigned>(peers_.size()));
        peer.slot = host_.watch(kind_).value();
        hello(peer, "");
    }

    void hello(const Peer& peer, std::string_view name) {
        Bytes hello;
        peer.client.write_hello(name, hello);
        record("server", peer, hello, "hello",
               Json::Object{
                   {"version", net::wire_version}, {"fingerprint", setup_->fingerprint}, {"name", name}});
    }

    void serve() {
        Bytes message;
        for (Peer& peer : peers_) {
            while (!peer.has_left && peer.up.receive(time_, message)) {
                record("server", peer, message, "inputs", inputs_of(*setup_, message));
                host_.receive(peer.slot, message, time_);
            }
        }
        if (time_ * setup_->facts.tick_rate < static_cast<double>(host_.match().tick() + 1)) return;
        host_.step();
        for (Peer& peer : peers_) {
            Bytes out;
            while (!peer.has_left && host_.write_message(peer.slot, true, time_, out)) {
                peer.down.send(out, time_);
                out.clear();
            }
        }
    }

    void play(Peer& peer) {
        const double now = time_ + 1000;  // the client's clock is another one
        Bytes message;
        while (peer.down.receive(time_, message)) {
            record("client", peer, message, "snapshot", peer.witness.expect(message, peer.slot));
            peer.client.receive(message, now);
        }
        while (peer.client.wants_tick(now)) {
            setup_->world->bot(setup_->value.get(), setup_->layout, peer.client.predicted(), peer.slot,
                               peer.input.data());
            peer.client.tick(peer.input.data());
        }
        Bytes out;
        while (peer.client.write_message(now, out)) {
            peer.up.send(out, time_);
            out.clear();
        }
    }

    // Messages and values that a match without a fault does not send.
    void add_samples() {
        add_report();
        add_verdict();
        add_inputs_off_grid();
        add_exact_own();
        Bytes message;
        net::write_refusal("the room is full – try another", message);
        record("client", peers_.front(), message, "refusal", "the room is full – try another");
        message.clear();
        const net::Moved moved = net::Moved::to("wss://[2001:db8::7]:65535", "our_room-2");
        write(moved, message);
        record("client", peers_.front(), message, "moved",
               Json::Object{{"address", moved.address.view()}, {"room", moved.room.view()}});
        add_chat();
    }

    void add_chat() {
        Bytes message;
        const net::Say line{.text = decltype(net::Say::text)::of("gut gespielt – 良い試合")};
        write(line, message);
        record("server", peers_.front(), message, "say",
               Json::Object{{"emote", 0}, {"text", line.text.view()}});
        message.clear();
        write(net::Said{.slot = 63, .what = {.emote = net::Emote::sad, .text = {}}}, message);
        record("client", peers_.front(), message, "said",
               Json::Object{{"slot", 63}, {"emote", 5}, {"text", ""}});
        message.clear();
        const net::Notice notice{decltype(net::Notice::text)::of("the room stands still – soon more")};
        write(notice, message);
        record("client", peers_.front(), message, "notice", Json::Object{{"text", notice.text.view()}});
    }

    void add_report() {
        net::Report report = make_report(*setup_, peers_.front().witness.decoder());
        report.serial = 200;
        report.exact = report.states.back();
        Bytes message;
        write(report, message);
        record("server", peers_.front(), message, "report", report_of(report));
    }

    void add_verdict() {
        const net::Verdict verdict{
            .serial = 200, .found = true, .is_own = true, .number = 70'000, .field = 300};
        Bytes message;
        write(verdict, message);
        record("client", peers_.front(), message, "verdict", verdict_of(verdict));
    }

    // Inputs beyond the range of their grids, which no legal client sends.
    void add_inputs_off_grid() {
        const state::StructInfo& info = *setup_->world->input;
        net::InputMessage inputs{.acknowledged = 4'000'000'000, .decode_failed = true, .count = 2};
        inputs.inputs.resize(2 * std::size_t{info.size});
        for (const state::Field& field : info.fields) {
            const double value = 1e300;
            if (field.kind == state::FieldKind::f64)
                std::memcpy(inputs.inputs.data() + field.offset, &value, sizeof value);
        }
        Bytes message;
        write(inputs, info, message);
        record("server", peers_.front(), message, "inputs", inputs_of(*setup_, message));
    }

    // An exact own player that differs from the replicated one in every field, NaN among them.
    void add_exact_own() {
        Peer& peer = peers_.front();
        const state::Layout& layout = setup_->layout;
        state::Block actual(layout);
        state::copy(layout, peer.witness.decoder().replicated(), actual.data());
        present::for_each_own(layout, actual.data(), peer.slot,
                              [&](std::size_t pool, std::uint32_t, std::byte* element) {
                                  const state::Field* owner = present::owner_of(layout.pools[pool]);
                                  for (const state::Field& field : layout.pools[pool].element->fields)
                                      if (&field != owner && field.kind != state::FieldKind::reserved)
                                          element[field.offset] ^= std::byte{0x2A};
                                  put_nans(*layout.pools[pool].element, element);
                              });
        const net::OwnPlayerPart part{.acknowledged = 255,
                                      .own = net::OwnState::exact,
                                      .hash = net::hash_own(layout, actual.data(), peer.slot),
                                      .margin = net::InputMargin{200, -32'767},
                                      .pong = net::Pong{255, (std::uint64_t{1} << 48) - 1, 16'000'000}};
        Bytes message;
        net::SnapshotWriter(message).write(nullptr, part, {}, [&](codec::Writer& writer) {
            net::encode_own(writer, layout, peer.witness.decoder().replicated(), actual.data(), peer.slot);
        });
        Bytes entities;
        net::save_own(layout, actual.data(), peer.slot, entities);
        record("client", peer, message, "exact own player",
               Json::Object{{"own_player", own_player_part_of(part)},
                            {"exact_own", hex(entities)},
                            {"exact_own_hash", *part.hash}});
    }

    void record(std::string_view to, const Peer& peer, ByteView message, std::string_view kind,
                Json expected) {
        messages_.emplace_back(Json::Object{{"to", to},
                                            {"player", peer.index},
                                            {"time", time_},
                                            {"bytes", hex(message)},
                                            {"kind", kind},
                                            {"expected", std::move(expected)}});
    }

    match::SharedSetup setup_;
    LinkKind kind_;
    net::LinkConditions conditions_;
    net::Host host_;
    std::deque<Peer> peers_;
    double start_ = 0;
    double time_ = 0;
    Json::Array messages_;
};

}  // namespace
}  // namespace instep::wire

int main(int count, char** arguments) {
    using namespace instep;
    if (count != 6 && count != 7) {
        std::fprintf(stderr, "wire_capture WORLD LEVEL ordered|datagram snapshots|relay LOSS [SNAPSHOTS]\n");
        return 2;
    }
    const auto setup = match::load_builtin_setup(arguments[1], arguments[2]);
    const auto link = net::kind_named<net::LinkKind>(arguments[3]);
    const auto mode = net::kind_named<net::ReplicationMode>(arguments[4]);
    if (!setup || !link || !mode) {
        std::fprintf(stderr, "wire_capture: no such level, link or mode\n");
        return 2;
    }
    const unsigned long snapshots = count == 7 ? std::strtoul(arguments[6], nullptr, 10) : 0;
    wire::Session session(*setup, *link, *mode, std::atof(arguments[5]),
                          static_cast<std::uint32_t>(snapshots));
    state::Json::Array messages = session.play();
    const std::string text = state::write_json(
        state::Json::Object{{"level", wire::level_of(**setup, *mode)}, {"messages", std::move(messages)}});
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 3;
}
