// SPDX-License-Identifier: MIT
// The exports of the WebAssembly module: C functions on numbers and addresses. Only web/packages/instep calls
// them; its TypeScript classes document them for users.
//
// - Bytes and text go in through `prepare(size)`, whose memory the next call reads.
// - Text comes out of `text()`, with the length that the call returned. It is valid until the next call.
// - Stages and levels are numbers from 1. A call that fails returns 0, and text() has the reason.
// - An unknown number is safe: the call returns nothing or 0.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
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
#include <instep/state/hash.h>

#define INSTEP_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace instep::browser {
namespace {

using state::Json;

constexpr std::uint32_t most_prepared = 64u << 20;  // bytes; recordings are the largest input
constexpr std::size_t kept_prepared = 1u << 20;     // bytes kept allocated between calls
constexpr std::size_t most_levels = 64;
constexpr std::size_t most_stages = 16;

constexpr const char* no_such_stage = "there is no such stage";
constexpr const char* no_such_level = "there is no such level";
constexpr const char* no_such_match = "there is no such match";
constexpr const char* no_such_match_or_level = "there is no such match or level";

static_assert(sizeof(contract::Shape) == 56 && offsetof(contract::Shape, size) == 24 &&
                  offsetof(contract::Shape, entity) == 40 && offsetof(contract::Shape, pool) == 48,
              "draw_list.ts reads shapes at these offsets");
static_assert(sizeof(state::PoolHeader) == 16 && offsetof(state::PoolHeader, next_generation) == 12 &&
                  sizeof(state::PoolIndex) == 12 && offsetof(state::PoolIndex, generation_of) == 8,
              "entities.ts reads pools at these offsets");

// Objects that the page knows by number.
template <class T>
class HandleTable {
public:
    explicit HandleTable(std::size_t most) : most_(most) {}

    std::uint32_t add(T item) {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (items_[i]) continue;
            items_[i] = std::move(item);
            return static_cast<std::uint32_t>(i + 1);
        }
        if (items_.size() == most_) return 0;
        items_.push_back(std::move(item));
        return static_cast<std::uint32_t>(items_.size());
    }
    T* find(std::uint32_t number) {
        return number >= 1 && number <= items_.size() && items_[number - 1] ? &items_[number - 1] : nullptr;
    }
    void remove(std::uint32_t number) {
        if (T* item = find(number)) *item = nullptr;
    }

private:
    std::size_t most_;
    std::vector<T> items_;
};

struct Module {
    std::vector<std::byte> prepared;
    std::string text;
    codec::Bytes message;
    contract::DrawList list;
    std::vector<double> numbers;
    HandleTable<match::SharedSetup> levels{most_levels};
    HandleTable<std::unique_ptr<Stage>> stages{most_stages};
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
std::uint32_t refuse(std::string why) { return answer(std::move(why)), 0; }
std::uint32_t outcome(const state::Result<void>& result) {
    return result ? (answer(std::string()), 1) : refuse(result.error().text());
}

template <class T>
T* stage_as(std::uint32_t number) {
    std::unique_ptr<Stage>* found = module().stages.find(number);
    if (!found) return nullptr;
    return (*found)->kind() == T::stage_kind ? static_cast<T*>(found->get()) : nullptr;
}

Stage* find_stage(std::uint32_t number) {
    std::unique_ptr<Stage>* found = module().stages.find(number);
    return found ? found->get() : nullptr;
}

std::uint32_t add_stage(std::unique_ptr<Stage> stage) {
    const std::uint32_t number = module().stages.add(std::move(stage));
    return number ? number : refuse("too many stages are open: close one first");
}

template <class Change>
std::uint32_t edit(std::uint32_t number, Change change) {
    auto* stage = stage_as<LocalStage>(number);
    if (!stage) return refuse(no_such_match);
    const state::Result<void> changed = change(*stage);
    stage->show_now();
    return outcome(changed);
}

const double* numbers(std::initializer_list<double> values) {
    module().numbers = values;
    return module().numbers.data();
}

}  // namespace

// --- Bytes and text ----------------------------------------------------------------------------------------

// Null if the size is above the limit.
INSTEP_EXPORT(prepare) std::byte* export_prepare(std::uint32_t size) {
    if (size > most_prepared) return nullptr;
    std::vector<std::byte>& prepared = module().prepared;
    if (size < prepared.capacity() / 4 && prepared.capacity() > kept_prepared)
        prepared = std::vector<std::byte>();
    prepared.resize(size);
    return prepared.data();
}
INSTEP_EXPORT(text) const char* export_text() { return module().text.data(); }
INSTEP_EXPORT(message) const std::byte* export_message() { return module().message.data(); }

// --- Worlds and levels -------------------------------------------------------------------------------------

INSTEP_EXPORT(describe_worlds) std::uint32_t export_describe_worlds() { return answer(describe_worlds()); }

// The prepared text is "world/level", or a level in JSON.
INSTEP_EXPORT(load_level) std::uint32_t export_load_level() {
    const std::string_view given = prepared_text();
    const std::size_t slash = given.find('/');
    const bool is_name = !given.starts_with('{') && slash != given.npos;
    auto setup = is_name ? match::load_builtin_setup(given.substr(0, slash), given.substr(slash + 1))
                         : match::load_setup(given, "level");
    if (!setup) return refuse(setup.error().text());
    const std::uint32_t number = module().levels.add(*setup);
    return number ? number : refuse("too many levels are loaded: unload one first");
}
INSTEP_EXPORT(unload_level) void export_unload_level(std::uint32_t level) { module().levels.remove(level); }
INSTEP_EXPORT(describe_level) std::uint32_t export_describe_level(std::uint32_t level) {
    const auto* setup = module().levels.find(level);
    return setup ? answer(describe_setup(**setup)) : refuse(no_such_level);
}
// The text of a built-in level; the prepared text is "world/level".
INSTEP_EXPORT(level_text) std::uint32_t export_level_text() {
    const std::string_view name = prepared_text();
    for (const match::BuiltinLevel& level : match::builtin_levels())
        if (std::string(level.world) + "/" + std::string(level.name) == name)
            return answer(std::string(level.json));
    return refuse(no_such_level);
}

// --- Every stage -------------------------------------------------------------------------------------------

INSTEP_EXPORT(close_stage) void export_close(std::uint32_t stage) { module().stages.remove(stage); }

INSTEP_EXPORT(describe_stage) std::uint32_t export_describe_stage(std::uint32_t number) {
    const Stage* stage = find_stage(number);
    return stage ? answer(describe_setup(*stage->setup())) : refuse(no_such_stage);
}
INSTEP_EXPORT(set_pad)
void export_set_pad(std::uint32_t number, double x, double y, double pointer_x, double pointer_y,
                    std::uint32_t held) {
    if (Stage* stage = find_stage(number)) stage->set_pad({{x, y}, {pointer_x, pointer_y}, held});
}
INSTEP_EXPORT(advance) void export_advance(std::uint32_t number, double now) {
    if (Stage* stage = find_stage(number); stage && std::isfinite(now)) stage->advance(now);
}
INSTEP_EXPORT(look_back) void export_look_back(std::uint32_t number, double seconds, double now) {
    if (Stage* stage = find_stage(number); stage && std::isfinite(now)) stage->look_back(seconds, now);
}

// The number of shapes to draw; they are at shapes(), their points and letters at points() and letters().
INSTEP_EXPORT(draw) std::uint32_t export_draw(std::uint32_t number) {
    const Stage* stage = find_stage(number);
    if (!stage) return 0;
    stage->draw(module().list);
    return static_cast<std::uint32_t>(module().list.shapes.size());
}
// The same for the state of the last snapshot.
INSTEP_EXPORT(draw_ghost) std::uint32_t export_draw_ghost(std::uint32_t number) {
    auto* stage = stage_as<RemoteStage>(number);
    if (!stage) return 0;
    stage->draw_ghost(module().list);
    return static_cast<std::uint32_t>(module().list.shapes.size());
}
INSTEP_EXPORT(shapes) const contract::Shape* export_shapes() { return module().list.shapes.data(); }
INSTEP_EXPORT(points) const math::Vec2* export_points() { return module().list.points.data(); }
INSTEP_EXPORT(point_count) std::uint32_t export_point_count() {
    return static_cast<std::uint32_t>(module().list.points.size());
}
INSTEP_EXPORT(letters) const char* export_letters() { return module().list.letters.data(); }
INSTEP_EXPORT(letter_count) std::uint32_t export_letter_count() {
    return static_cast<std::uint32_t>(module().list.letters.size());
}

// The layout of the stage's state, as describe.h documents it.
INSTEP_EXPORT(describe_layout) std::uint32_t export_describe_layout(std::uint32_t number) {
    const Stage* stage = find_stage(number);
    return stage ? answer(describe_layout(*stage->setup())) : refuse(no_such_stage);
}
// The drawn state: what is read from it is what is drawn. Null before the first state.
INSTEP_EXPORT(drawn_state) const std::byte* export_drawn_state(std::uint32_t number) {
    const Stage* stage = find_stage(number);
    return stage && stage->has_state() ? stage->shown() : nullptr;
}
// The state that the prediction begins with; null: nothing is predicted.
INSTEP_EXPORT(predicted_from) const std::byte* export_predicted_from(std::uint32_t number) {
    const Stage* stage = find_stage(number);
    return stage ? stage->base() : nullptr;
}
// The time of what is drawn in the past, in ticks.
INSTEP_EXPORT(drawn_tick) double export_drawn_tick(std::uint32_t number) {
    const Stage* stage = find_stage(number);
    return stage ? stage->times().others() : 0;
}
// The slot of the own or followed player; -1: none.
INSTEP_EXPORT(own_slot) std::int32_t export_own_slot(std::uint32_t number) {
    const Stage* stage = find_stage(number);
    const auto slot = stage && stage->has_state() ? stage->own_slot() : std::nullopt;
    return slot ? std::int32_t{*slot} : -1;
}
// The next event's row, behind an EventHeader; null: there is no other.
INSTEP_EXPORT(next_event) const std::byte* export_next_event(std::uint32_t number) {
    struct EventHeader {
        std::uint32_t status;
        std::uint32_t number;
        double tick;
    };
    Stage* stage = find_stage(number);
    present::EventNotice notice;
    if (!stage || !stage->next_event(notice)) return nullptr;
    const EventHeader header{static_cast<std::uint32_t>(notice.status), notice.number,
                             static_cast<double>(notice.tick)};
    codec::Bytes& message = module().message;
    message.resize(sizeof header + notice.event.size());
    std::memcpy(message.data(), &header, sizeof header);
    std::memcpy(message.data() + sizeof header, notice.event.data(), notice.event.size());
    return message.data();
}

// --- A room on a server ------------------------------------------------------------------------------------

INSTEP_EXPORT(open_remote) std::uint32_t export_open_remote(std::uint32_t level) {
    const auto* setup = module().levels.find(level);
    return setup ? add_stage(std::make_unique<RemoteStage>(*setup)) : refuse(no_such_level);
}
// The prepared text is the player's name. Returns the size of the first message to send, at message().
INSTEP_EXPORT(hello) std::uint32_t export_hello(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    module().message.clear();
    if (stage) stage->write_hello(prepared_text(), module().message);
    return static_cast<std::uint32_t>(module().message.size());
}
// The prepared bytes are a message from the server.
INSTEP_EXPORT(receive) void export_receive(std::uint32_t number, double now) {
    if (auto* stage = stage_as<RemoteStage>(number); stage && std::isfinite(now))
        stage->receive(module().prepared, now);
}
// The size of the next message to send, at message(); 0 if no message is due.
INSTEP_EXPORT(next_message) std::uint32_t export_next_message(std::uint32_t number, double now) {
    auto* stage = stage_as<RemoteStage>(number);
    if (!stage || !std::isfinite(now) || !stage->speak(now, module().message)) return 0;
    return static_cast<std::uint32_t>(module().message.size());
}
INSTEP_EXPORT(set_link)
void export_set_link(std::uint32_t number, double latency, double jitter, double loss) {
    if (auto* stage = stage_as<RemoteStage>(number)) stage->set_link(latency, jitter, loss);
}
// Why the client cannot join this room; empty if it can.
INSTEP_EXPORT(refusal) std::uint32_t export_refusal(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    return answer(stage ? stage->client().refusal() : std::string());
}
// Why the room stands still; empty: it plays.
INSTEP_EXPORT(notice) std::uint32_t export_notice(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    return answer(stage ? std::string(stage->client().notice()) : std::string());
}
// With it the player can be resumed over another connection; empty: it cannot.
INSTEP_EXPORT(resume_ticket) std::uint32_t export_resume_ticket(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    return answer(stage ? std::string(stage->client().ticket()) : std::string());
}
// The address and the name of the room where it goes on; 0: here.
INSTEP_EXPORT(moved) std::uint32_t export_moved(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    if (!stage || !stage->client().moved()) return 0;
    const net::Moved& moved = *stage->client().moved();
    return answer(Json::Object{{"address", moved.address.view()}, {"room", moved.room.view()}});
}
// The same player over a new connection: its hello comes next.
// A line of chat, or an emote by its number (net::Emote). 0: too much is waiting to be sent.
INSTEP_EXPORT(say) std::uint32_t export_say(std::uint32_t number, std::uint32_t emote) {
    auto* stage = stage_as<RemoteStage>(number);
    if (!stage || emote > static_cast<std::uint32_t>(net::Emote::sad)) return 0;
    return emote > 0 ? stage->emote(static_cast<net::Emote>(emote)) : stage->say(prepared_text());
}

// The length of JSON, or 0: nothing was said.
INSTEP_EXPORT(next_said) std::uint32_t export_next_said(std::uint32_t number) {
    auto* stage = stage_as<RemoteStage>(number);
    net::Said said;
    if (!stage || !stage->next_said(said)) return 0;
    return answer(Json(Json::Object{{"slot", said.slot},
                                    {"emote", static_cast<std::uint32_t>(said.what.emote)},
                                    {"text", said.what.text.view()}}));
}

INSTEP_EXPORT(relink) void export_relink(std::uint32_t number) {
    if (auto* stage = stage_as<RemoteStage>(number)) stage->relink();
}
INSTEP_EXPORT(statistic_names) std::uint32_t export_statistic_names() {
    Json::Array names;
    for (const std::string_view name : RemoteStage::statistic_names) names.emplace_back(name);
    return answer(names);
}
INSTEP_EXPORT(statistics) const double* export_statistics(std::uint32_t number, double now) {
    const auto* stage = stage_as<RemoteStage>(number);
    if (!stage || !std::isfinite(now)) return nullptr;
    const auto values = stage->statistics(now);
    module().numbers.assign(values.begin(), values.end());
    return module().numbers.data();
}
// {"snapshot", "tick", "hash", "desyncs": [..]} of the replicated state, which server and client share.
INSTEP_EXPORT(replicated_hash) std::uint32_t export_replicated_hash(std::uint32_t number) {
    const auto* stage = stage_as<RemoteStage>(number);
    const net::SnapshotDecoder* decoder = stage ? stage->client().decoder() : nullptr;
    if (!decoder || !decoder->has_snapshot()) return 0;
    Json::Array desyncs;
    for (const net::Desync& desync : stage->client().desyncs()) desyncs.emplace_back(desync.text());
    return answer(Json::Object{
        {"snapshot", Json(decoder->number())},
        {"tick", Json(decoder->tick())},
        {"hash", Json(state::hash_text(state::hash(stage->setup()->layout, decoder->replicated())))},
        {"desyncs", Json(std::move(desyncs))}});
}

// --- A match in the page -----------------------------------------------------------------------------------

INSTEP_EXPORT(open_local)
std::uint32_t export_open_local(std::uint32_t level, double seed, std::uint32_t bots) {
    const auto* setup = module().levels.find(level);
    const auto integer = static_cast<std::uint64_t>(seed >= 0 && seed < 9e15 ? seed : 0);
    return setup ? add_stage(std::make_unique<LocalStage>(*setup, integer, bots)) : refuse(no_such_level);
}
INSTEP_EXPORT(step_ticks) void export_step(std::uint32_t number, std::uint32_t ticks) {
    auto* stage = stage_as<LocalStage>(number);
    if (!stage) return;
    stage->step(std::min(ticks, 10'000u));
    stage->show_now();
}
INSTEP_EXPORT(rewind) void export_rewind(std::uint32_t number, double seconds) {
    auto* stage = stage_as<LocalStage>(number);
    if (!stage) return;
    stage->rewind(seconds);
    stage->show_now();
}
INSTEP_EXPORT(set_bots) void export_set_bots(std::uint32_t number, std::uint32_t count) {
    if (auto* stage = stage_as<LocalStage>(number)) stage->set_bots(count);
}
INSTEP_EXPORT(change_rules) std::uint32_t export_change_rules(std::uint32_t number, std::uint32_t level) {
    auto* stage = stage_as<LocalStage>(number);
    const auto* setup = module().levels.find(level);
    return stage && setup ? outcome(stage->change_rules(*setup)) : refuse(no_such_match_or_level);
}
INSTEP_EXPORT(move_entity)
std::uint32_t export_move(std::uint32_t number, std::uint32_t pool, std::uint32_t id,
                          std::uint32_t generation, double x, double y) {
    return edit(number, [&](LocalStage& stage) { return stage.move({pool, {id, generation}}, {x, y}); });
}
INSTEP_EXPORT(copy_entity)
std::uint32_t export_copy(std::uint32_t number, std::uint32_t pool, std::uint32_t id,
                          std::uint32_t generation, double x, double y) {
    return edit(number, [&](LocalStage& stage) { return stage.copy({pool, {id, generation}}, {x, y}); });
}
INSTEP_EXPORT(remove_entity)
std::uint32_t export_remove(std::uint32_t number, std::uint32_t pool, std::uint32_t id,
                            std::uint32_t generation) {
    return edit(number, [&](LocalStage& stage) { return stage.remove({pool, {id, generation}}); });
}
// The prepared text is the level, as JSON. Returns the bodies that can be dropped into the match.
INSTEP_EXPORT(describe_drops) std::uint32_t export_describe_drops(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    if (!stage) return refuse(no_such_match);
    const auto level = state::parse_json(prepared_text(), "level");
    return level ? answer(describe_drops(stage->setup(), *level)) : refuse(level.error().text());
}
// The prepared text is {"body", "level"}. Returns the level with one more of that body.
INSTEP_EXPORT(level_with_body) std::uint32_t export_level_with_body(double x, double y) {
    const auto asked = state::parse_json(prepared_text(), "body");
    if (!asked) return refuse(asked.error().text());
    const Json* body = asked->find("body");
    const Json* level = asked->find("level");
    const Json* name = level ? level->find("world") : nullptr;
    if (!body || !body->string() || !name || !name->string() || !std::isfinite(x) || !std::isfinite(y))
        return refuse("expected a body, a level and a position");
    const auto world = match::find_world(*name->string());
    if (!world) return refuse(world.error().text());
    if (!(*world)->with_body) return refuse("no level of this world lists bodies");
    const auto larger = (*world)->with_body((*world)->context, *level, *body->string(), {x, y});
    return larger ? answer(*larger) : refuse(larger.error().text());
}
// Opens another stage: the same match in a level with one more body.
INSTEP_EXPORT(add_body)
std::uint32_t export_add_body(std::uint32_t number, std::uint32_t level, double x, double y) {
    const auto* stage = stage_as<LocalStage>(number);
    const auto* setup = module().levels.find(level);
    if (!stage || !setup) return refuse(no_such_match_or_level);
    auto next = stage->with_added_body(*setup, {x, y});
    return next ? add_stage(std::move(*next)) : refuse(next.error().text());
}
INSTEP_EXPORT(drop_bot) std::uint32_t export_drop_bot(std::uint32_t number, double x, double y) {
    return edit(number, [&](LocalStage& stage) { return stage.drop_bot({x, y}); });
}
INSTEP_EXPORT(drop_copy)
std::uint32_t export_drop_copy(std::uint32_t number, std::uint32_t pool, double x, double y) {
    return edit(number, [&](LocalStage& stage) { return stage.drop_copy(pool, {x, y}); });
}
INSTEP_EXPORT(bots) std::uint32_t export_bots(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    return stage ? stage->bots() : 0;
}
// The tick, the number of moving entities, their kinetic energy and their momentum: x, y.
INSTEP_EXPORT(totals) const double* export_totals(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    if (!stage) return numbers({0, 0, 0, 0, 0});
    const Totals totals = stage->totals();
    return numbers({static_cast<double>(stage->match().tick()), totals.entities, totals.kinetic_energy,
                    totals.momentum.x, totals.momentum.y});
}
INSTEP_EXPORT(local_hash) std::uint32_t export_local_hash(std::uint32_t number) {
    const auto* stage = stage_as<LocalStage>(number);
    return stage ? answer(state::hash_text(stage->match().hash())) : 0;
}

// --- A recorded match --------------------------------------------------------------------------------------

// The prepared bytes are the recording.
INSTEP_EXPORT(open_recording) std::uint32_t export_open_recording() {
    auto stage = RecordedStage::open(std::move(module().prepared));
    return stage ? add_stage(std::move(*stage)) : refuse(stage.error().text());
}
// {"tick", "first_tick", "last_tick", "breaks_off", "error"}
INSTEP_EXPORT(describe_recording) std::uint32_t export_describe_recording(std::uint32_t number) {
    const auto* stage = stage_as<RecordedStage>(number);
    if (!stage) return 0;
    return answer(Json::Object{{"tick", Json(stage->tick())},
                               {"first_tick", Json(stage->first_tick())},
                               {"last_tick", Json(stage->last_tick())},
                               {"breaks_off", Json(stage->breaks_off())},
                               {"error", Json(stage->error())}});
}
INSTEP_EXPORT(go_to) void export_go_to(std::uint32_t number, double tick) {
    if (auto* stage = stage_as<RecordedStage>(number))
        stage->go_to(static_cast<std::uint64_t>(tick >= 0 && tick < 9e15 ? tick : 0));
}
INSTEP_EXPORT(follow) void export_follow(std::uint32_t number, std::uint32_t slot) {
    if (auto* stage = stage_as<RecordedStage>(number)) stage->follow(static_cast<contract::Slot>(slot % 64));
}
// Of a local or recorded match; 1 is the world's tick rate.
INSTEP_EXPORT(set_speed) void export_set_speed(std::uint32_t number, double speed) {
    if (auto* recorded = stage_as<RecordedStage>(number)) recorded->set_speed(speed);
    if (auto* local = stage_as<LocalStage>(number)) local->set_speed(speed);
}

// --- The determinism proof ---------------------------------------------------------------------------------

INSTEP_EXPORT(level_count) std::uint32_t export_level_count() {
    return static_cast<std::uint32_t>(match::builtin_levels().size());
}
// The length of a level's chronicle at text(); 0 if there is no such level.
INSTEP_EXPORT(record_chronicle) std::uint32_t export_record_chronicle(std::uint32_t level) {
    if (level >= match::builtin_levels().size()) return 0;
    const match::BuiltinLevel& chosen = match::builtin_levels()[level];
    auto recorded = match::record_chronicle(chosen.world, chosen.name);
    return recorded ? answer(std::move(*recorded)) : refuse(recorded.error().text());
}

}  // namespace instep::browser
