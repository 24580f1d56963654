// SPDX-License-Identifier: MIT
// The WebAssembly module's exports: plain C, numbers and addresses only. web/packages/instep is the one who
// calls them, and says what each is for in its own words; nothing else has to know that there is a module.
//
// Bytes and text go in through `prepare(size)`, whose memory the next call reads; text comes out of `text()`
// with the length that the call returned, and stays until the next one. Stages and levels are numbers from 1
// on, and 0 says that there is none: the text then says why. Any number that names nothing is answered with
// nothing, so a page that makes a mistake cannot make the module stumble.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <instep/browser/describe.h>
#include <instep/browser/local_stage.h>
#include <instep/browser/recorded_stage.h>
#include <instep/browser/remote_stage.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/chronicle.h>
#include <instep/match/registry.h>
#include <instep/present/own_entities.h>
#include <instep/state/hash.h>

#define INSTEP_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace instep::browser {
namespace {

using state::Json;

constexpr std::uint32_t most_prepared = 64u << 20;  // bytes: a recording is the largest thing that comes in
constexpr std::size_t kept_prepared = 1u << 20;  // bytes that are kept for the next call, though it needs few
constexpr std::size_t most_levels = 64;
constexpr std::size_t most_stages = 16;

static_assert(sizeof(contract::Shape) == 32 && offsetof(contract::Shape, size) == 24,
              "the page reads shapes where they lie");

// Things that the page knows by number.
template <class T>
class Shelf {
public:
    explicit Shelf(std::size_t most) : most_(most) {}

    std::uint32_t add(T thing) {
        for (std::size_t i = 0; i < things_.size(); ++i) {
            if (things_[i]) continue;
            things_[i] = std::move(thing);
            return static_cast<std::uint32_t>(i + 1);
        }
        if (things_.size() == most_) return 0;
        things_.push_back(std::move(thing));
        return static_cast<std::uint32_t>(things_.size());
    }
    T* find(std::uint32_t number) {
        return number >= 1 && number <= things_.size() && things_[number - 1] ? &things_[number - 1]
                                                                              : nullptr;
    }
    void remove(std::uint32_t number) {
        if (T* thing = find(number)) *thing = nullptr;
    }

private:
    std::size_t most_;
    std::vector<T> things_;
};

struct Module {
    std::vector<std::byte> prepared;
    std::string text;
    codec::Bytes message;
    contract::DrawList list;
    std::vector<double> numbers;
    Shelf<match::SharedSetup> levels{most_levels};
    Shelf<std::unique_ptr<Stage>> stages{most_stages};
};

Module& module() {
    static Module only;
    return only;
}

std::string_view prepared_text() {
    const auto& bytes = module().prepared;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t answer(std::string text) {
    module().text = std::move(text);
    return static_cast<std::uint32_t>(module().text.size());
}
std::uint32_t answer(const Json& json) { return answer(state::write_json(json)); }
std::uint32_t no(std::string why) { return answer(std::move(why)), 0; }
std::uint32_t outcome(const state::Result<void>& result) {
    return result ? (answer(std::string()), 1) : no(result.error().text());
}

template <class T>
T* stage_as(std::uint32_t number) {
    std::unique_ptr<Stage>* found = module().stages.find(number);
    if (!found) return nullptr;
    return (*found)->kind() == T::stage_kind ? static_cast<T*>(found->get()) : nullptr;
}

Stage* stage_at(std::uint32_t number) {
    std::unique_ptr<Stage>* found = module().stages.find(number);
    return found ? found->get() : nullptr;
}

std::uint32_t add_stage(std::unique_ptr<Stage> stage) {
    const std::uint32_t number = module().stages.add(std::move(stage));
    return number ? number : no("too many are open: close one first");
}

const double* numbers(std::initializer_list<double> values) {
    module().numbers = values;
    return module().numbers.data();
}

}  // namespace

// --- Bytes and text ----------------------------------------------------------------------------------------

// Null if that is more than anything may be.
INSTEP_EXPORT(prepare) std::byte* face_prepare(std::uint32_t size) {
    if (size > most_prepared) return nullptr;
    std::vector<std::byte>& prepared = module().prepared;
    if (size < prepared.capacity() / 4 && prepared.capacity() > kept_prepared)
        prepared = std::vector<std::byte>();
    prepared.resize(size);
    return prepared.data();
}
INSTEP_EXPORT(text) const char* face_text() { return module().text.data(); }
INSTEP_EXPORT(message) const std::byte* face_message() { return module().message.data(); }

// --- Worlds and levels -------------------------------------------------------------------------------------

INSTEP_EXPORT(describe_worlds) std::uint32_t face_describe_worlds() { return answer(describe_worlds()); }

// The prepared text is "world/level", or a level in JSON.
INSTEP_EXPORT(load_level) std::uint32_t face_load_level() {
    const std::string_view given = prepared_text();
    const std::size_t slash = given.find('/');
    const bool is_name = !given.starts_with('{') && slash != given.npos;
    auto setup = is_name ? match::load_builtin_setup(given.substr(0, slash), given.substr(slash + 1))
                         : match::load_setup(given, "level");
    if (!setup) return no(setup.error().text());
    const std::uint32_t number = module().levels.add(*setup);
    return number ? number : no("too many levels are loaded: forget one first");
}
INSTEP_EXPORT(forget_level) void face_forget_level(std::uint32_t level) { module().levels.remove(level); }
INSTEP_EXPORT(describe_level) std::uint32_t face_describe_level(std::uint32_t level) {
    const auto* setup = module().levels.find(level);
    return setup ? answer(describe_setup(**setup)) : no("there is no such level");
}
// The text of a built-in level; the prepared text is "world/level".
INSTEP_EXPORT(level_text) std::uint32_t face_level_text() {
    const std::string_view name = prepared_text();
    for (const match::BuiltinLevel& level : match::builtin_levels())
        if (std::string(level.world) + "/" + std::string(level.name) == name)
            return answer(std::string(level.json));
    return no("there is no such level");
}

// --- Every stage -------------------------------------------------------------------------------------------

INSTEP_EXPORT(close_stage) void face_close(std::uint32_t stage) { module().stages.remove(stage); }

INSTEP_EXPORT(describe_stage) std::uint32_t face_describe_stage(std::uint32_t number) {
    const Stage* stage = stage_at(number);
    return stage ? answer(describe_setup(*stage->setup())) : no("there is no such stage");
}
INSTEP_EXPORT(set_pad)
void face_set_pad(std::uint32_t number, double x, double y, double pointer_x, double pointer_y,
                  std::uint32_t held) {
    if (Stage* stage = stage_at(number)) stage->set_pad({{x, y}, {pointer_x, pointer_y}, held});
}
INSTEP_EXPORT(advance) void face_advance(std::uint32_t number, double now) {
    if (Stage* stage = stage_at(number); stage && std::isfinite(now)) stage->advance(now);
}
INSTEP_EXPORT(look_back) void face_look_back(std::uint32_t number, double seconds, double now) {
    if (Stage* stage = stage_at(number); stage && std::isfinite(now)) stage->look_back(seconds, now);
}

// How many shapes there are to draw, at shapes(), with their points and letters.
INSTEP_EXPORT(draw) std::uint32_t face_draw(std::uint32_t number) {
    const Stage* stage = stage_at(number);
    if (!stage) return 0;
    stage->draw(module().list);
    return static_cast<std::uint32_t>(module().list.shapes.size());
}
// The same of what the server last told.
INSTEP_EXPORT(draw_ghost) std::uint32_t face_draw_ghost(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    if (!stage) return 0;
    stage->draw_ghost(module().list);
    return static_cast<std::uint32_t>(module().list.shapes.size());
}
INSTEP_EXPORT(shapes) const contract::Shape* face_shapes() { return module().list.shapes.data(); }
INSTEP_EXPORT(points) const math::Vec2* face_points() { return module().list.points.data(); }
INSTEP_EXPORT(point_count) std::uint32_t face_point_count() {
    return static_cast<std::uint32_t>(module().list.points.size());
}
INSTEP_EXPORT(letters) const char* face_letters() { return module().list.letters.data(); }
INSTEP_EXPORT(letter_count) std::uint32_t face_letter_count() {
    return static_cast<std::uint32_t>(module().list.letters.size());
}

// The own slot or -1, whether there is a place, and where: x, y.
INSTEP_EXPORT(own_place) const double* face_own_place(std::uint32_t number) {
    const Stage* stage = stage_at(number);
    const auto slot = stage && stage->is_there() ? stage->own_slot() : std::nullopt;
    if (!slot) return numbers({-1, 0, 0, 0});
    const auto place = present::own_position(stage->setup()->layout, stage->shown(), *slot);
    return numbers(
        {static_cast<double>(*slot), place ? 1.0 : 0.0, place ? place->x : 0, place ? place->y : 0});
}
INSTEP_EXPORT(players) std::uint32_t face_players(std::uint32_t number) {
    const Stage* stage = stage_at(number);
    return stage && stage->is_there() ? answer(describe_players(*stage->setup(), stage->shown()))
                                      : answer(std::string("[]"));
}
INSTEP_EXPORT(take_events) std::uint32_t face_take_events(std::uint32_t number) {
    Stage* stage = stage_at(number);
    return stage ? answer(take_events(*stage)) : answer(std::string("[]"));
}
INSTEP_EXPORT(find_entity)
std::uint32_t face_find_entity(std::uint32_t number, double x, double y, double reach) {
    const Stage* stage = stage_at(number);
    if (!stage || !stage->is_there()) return 0;
    const auto found = find_nearest(*stage->setup(), stage->shown(), {x, y}, reach);
    return found ? answer(describe_entity(*stage->setup(), stage->shown(), *found)) : 0;
}
INSTEP_EXPORT(describe_entity)
std::uint32_t face_describe_entity(std::uint32_t number, std::uint32_t pool, std::uint32_t id,
                                   std::uint32_t generation) {
    const Stage* stage = stage_at(number);
    if (!stage || !stage->is_there()) return 0;
    return answer(describe_entity(*stage->setup(), stage->shown(), {pool, {id, generation}}));
}

// --- A room on a server ------------------------------------------------------------------------------------

INSTEP_EXPORT(open_remote) std::uint32_t face_open_remote(std::uint32_t level) {
    const auto* setup = module().levels.find(level);
    return setup ? add_stage(std::make_unique<RemoteStage>(*setup)) : no("there is no such level");
}
// The prepared text is the player's name. The size of what is to be sent, at message().
INSTEP_EXPORT(hello) std::uint32_t face_hello(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    module().message.clear();
    if (stage) stage->write_hello(prepared_text(), module().message);
    return static_cast<std::uint32_t>(module().message.size());
}
// The prepared bytes are a message from the server.
INSTEP_EXPORT(receive) void face_receive(std::uint32_t number, double now) {
    if (auto* stage = stage_as<RemoteStage>(number); stage && std::isfinite(now))
        stage->receive(module().prepared, now);
}
// The size of the next message to send, at message(); 0: none.
INSTEP_EXPORT(speak) std::uint32_t face_speak(std::uint32_t number, double now) {
    auto* stage = stage_as<RemoteStage>(number);
    if (!stage || !std::isfinite(now) || !stage->speak(now, module().message)) return 0;
    return static_cast<std::uint32_t>(module().message.size());
}
INSTEP_EXPORT(set_link)
void face_set_link(std::uint32_t number, double latency, double jitter, double loss) {
    if (auto* stage = stage_as<RemoteStage>(number)) stage->set_link(latency, jitter, loss);
}
// Why this room is not for us; nothing if it is.
INSTEP_EXPORT(refusal) std::uint32_t face_refusal(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    return answer(stage ? stage->client().refusal() : std::string());
}
INSTEP_EXPORT(statistic_names) std::uint32_t face_statistic_names() {
    Json::Array names;
    for (const std::string_view name : RemoteStage::statistic_names) names.emplace_back(name);
    return answer(names);
}
INSTEP_EXPORT(statistics) const double* face_statistics(std::uint32_t number, double now) {
    const auto* stage = stage_as<RemoteStage>(number);
    if (!stage || !std::isfinite(now)) return nullptr;
    const auto values = stage->statistics(now);
    module().numbers.assign(values.begin(), values.end());
    return module().numbers.data();
}
// {"snapshot", "tick", "hash", "desyncs": [..]}: of the state that both sides hold.
INSTEP_EXPORT(told_hash) std::uint32_t face_told_hash(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    const net::SnapshotDecoder* decoder = stage ? stage->client().decoder() : nullptr;
    if (!decoder || !decoder->has_snapshot()) return 0;
    Json::Array desyncs;
    for (const net::Desync& desync : stage->client().desyncs()) desyncs.emplace_back(desync.text());
    return answer(
        Json::Object{{"snapshot", Json(decoder->number())},
                     {"tick", Json(decoder->tick())},
                     {"hash", Json(state::hash_text(state::hash(stage->setup()->layout, decoder->replicated())))},
                     {"desyncs", Json(std::move(desyncs))}});
}

// --- A match of the page's own -----------------------------------------------------------------------------

INSTEP_EXPORT(open_local)
std::uint32_t face_open_local(std::uint32_t level, double seed, std::uint32_t bots) {
    const auto* setup = module().levels.find(level);
    const auto whole = static_cast<std::uint64_t>(seed >= 0 && seed < 9e15 ? seed : 0);
    return setup ? add_stage(std::make_unique<LocalStage>(*setup, whole, bots))
                 : no("there is no such level");
}
INSTEP_EXPORT(step_ticks) void face_step(std::uint32_t number, std::uint32_t ticks) {
    if (auto* stage = stage_as<LocalStage>(number)) stage->step(std::min(ticks, 10'000u));
}
INSTEP_EXPORT(rewind) void face_rewind(std::uint32_t number, double seconds) {
    if (auto* stage = stage_as<LocalStage>(number)) stage->rewind(seconds);
}
INSTEP_EXPORT(set_bots) void face_set_bots(std::uint32_t number, std::uint32_t count) {
    if (auto* stage = stage_as<LocalStage>(number)) stage->set_bots(count);
}
INSTEP_EXPORT(retune) std::uint32_t face_retune(std::uint32_t number, std::uint32_t level) {
    auto* stage = stage_as<LocalStage>(number);
    const auto* setup = module().levels.find(level);
    return stage && setup ? outcome(stage->retune(*setup)) : no("there is no such match or level");
}
INSTEP_EXPORT(move_entity)
std::uint32_t face_move(std::uint32_t number, std::uint32_t pool, std::uint32_t id, std::uint32_t generation,
                        double x, double y) {
    auto* stage = stage_as<LocalStage>(number);
    return stage ? outcome(stage->move({pool, {id, generation}}, {x, y})) : no("there is no such match");
}
INSTEP_EXPORT(copy_entity)
std::uint32_t face_copy(std::uint32_t number, std::uint32_t pool, std::uint32_t id, std::uint32_t generation,
                        double x, double y) {
    auto* stage = stage_as<LocalStage>(number);
    return stage ? outcome(stage->copy({pool, {id, generation}}, {x, y})) : no("there is no such match");
}
INSTEP_EXPORT(remove_entity)
std::uint32_t face_remove(std::uint32_t number, std::uint32_t pool, std::uint32_t id,
                          std::uint32_t generation) {
    auto* stage = stage_as<LocalStage>(number);
    return stage ? outcome(stage->remove({pool, {id, generation}})) : no("there is no such match");
}
// The prepared text is the level, as JSON. What can be dropped into its match.
INSTEP_EXPORT(describe_drops) std::uint32_t face_describe_drops(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    if (!stage) return no("there is no such match");
    const auto level = state::parse_json(prepared_text(), "level");
    return level ? answer(describe_drops(stage->setup(), *level)) : no(level.error().text());
}
// The prepared text is {"body", "level"}. The level with one more of that body.
INSTEP_EXPORT(level_with_body) std::uint32_t face_level_with_body(double x, double y) {
    const auto asked = state::parse_json(prepared_text(), "body");
    if (!asked) return no(asked.error().text());
    const Json* body = asked->find("body");
    const Json* level = asked->find("level");
    const Json* name = level ? level->find("world") : nullptr;
    if (!body || !body->string() || !name || !name->string() || !std::isfinite(x) || !std::isfinite(y))
        return no("expected a body, a level and a place");
    const auto world = match::find_world(*name->string());
    if (!world) return no(world.error().text());
    if (!(*world)->with_body) return no("no level of this world lists bodies");
    const auto grown = (*world)->with_body(*level, *body->string(), {x, y});
    return grown ? answer(*grown) : no(grown.error().text());
}
// Another match: the same in a level with one body more.
INSTEP_EXPORT(grow) std::uint32_t face_grow(std::uint32_t number, std::uint32_t level, double x, double y) {
    const auto* stage = stage_as<LocalStage>(number);
    const auto* setup = module().levels.find(level);
    if (!stage || !setup) return no("there is no such match or level");
    auto grown = stage->grown(*setup, {x, y});
    return grown ? add_stage(std::move(*grown)) : no(grown.error().text());
}
INSTEP_EXPORT(drop_bot) std::uint32_t face_drop_bot(std::uint32_t number, double x, double y) {
    auto* stage = stage_as<LocalStage>(number);
    return stage ? outcome(stage->drop_bot({x, y})) : no("there is no such match");
}
INSTEP_EXPORT(drop_copy)
std::uint32_t face_drop_copy(std::uint32_t number, std::uint32_t pool, double x, double y) {
    auto* stage = stage_as<LocalStage>(number);
    return stage ? outcome(stage->drop_copy(pool, {x, y})) : no("there is no such match");
}
INSTEP_EXPORT(bots) std::uint32_t face_bots(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    return stage ? stage->bots() : 0;
}
// Tick, entities that move, their kinetic energy, and their momentum: x, y.
INSTEP_EXPORT(totals) const double* face_totals(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    if (!stage) return numbers({0, 0, 0, 0, 0});
    const Totals totals = stage->totals();
    return numbers({static_cast<double>(stage->match().tick()), totals.entities, totals.kinetic_energy,
                    totals.momentum.x, totals.momentum.y});
}
INSTEP_EXPORT(local_hash) std::uint32_t face_local_hash(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    return stage ? answer(state::hash_text(stage->match().hash())) : 0;
}

// --- A recorded match --------------------------------------------------------------------------------------

// The prepared bytes are the recording.
INSTEP_EXPORT(open_recording) std::uint32_t face_open_recording() {
    auto stage = RecordedStage::open(std::move(module().prepared));
    return stage ? add_stage(std::move(*stage)) : no(stage.error().text());
}
// {"tick", "last_tick", "breaks_off", "trouble"}
INSTEP_EXPORT(describe_recording) std::uint32_t face_describe_recording(std::uint32_t number) {
    const auto* stage = stage_as<RecordedStage>(number);
    if (!stage) return 0;
    return answer(Json::Object{{"tick", Json(stage->tick())},
                               {"last_tick", Json(stage->last_tick())},
                               {"breaks_off", Json(stage->breaks_off())},
                               {"trouble", Json(stage->trouble())}});
}
INSTEP_EXPORT(go_to) void face_go_to(std::uint32_t number, double tick) {
    if (auto* stage = stage_as<RecordedStage>(number))
        stage->go_to(static_cast<std::uint64_t>(tick >= 0 && tick < 9e15 ? tick : 0));
}
INSTEP_EXPORT(follow) void face_follow(std::uint32_t number, std::uint32_t slot) {
    if (auto* stage = stage_as<RecordedStage>(number)) stage->follow(static_cast<contract::Slot>(slot % 64));
}
// Of a match of the page's own or a recorded one; 1 is the world's own.
INSTEP_EXPORT(set_speed) void face_set_speed(std::uint32_t number, double speed) {
    if (auto* recorded = stage_as<RecordedStage>(number)) recorded->set_speed(speed);
    if (auto* local = stage_as<LocalStage>(number)) local->set_speed(speed);
}

// --- The determinism proof ---------------------------------------------------------------------------------

INSTEP_EXPORT(level_count) std::uint32_t face_level_count() {
    return static_cast<std::uint32_t>(match::builtin_levels().size());
}
// The length of a level's chronicle, as text; 0 if it could not be made.
INSTEP_EXPORT(record_chronicle) std::uint32_t face_record_chronicle(std::uint32_t level) {
    if (level >= match::builtin_levels().size()) return 0;
    const match::BuiltinLevel& chosen = match::builtin_levels()[level];
    auto recorded = match::record_chronicle(chosen.world, chosen.name);
    return recorded ? answer(std::move(*recorded)) : no(recorded.error().text());
}

}  // namespace instep::browser
