// A workshop: boxes to stack, a chain to swing, a see-saw. Players drag what is under their pointer. What a player
// holds belongs to that player, so it is predicted and follows the pointer at once.
#include <instep/game.h>
#include <instep/rigid.h>

namespace @NAME@ {
using namespace instep;
using contract::no_player;
using contract::Slot;
using math::Vec2;
using state::field;
using state::fields;

constexpr double width = 40, height = 24;  // of the room; y points up
constexpr double dt = 1.0 / 60;
constexpr std::uint32_t most_players = 8, most_boxes = 32, links = 8;
enum BodyDefs : std::uint16_t { floor_def, wall_def, box_def, link_def, plank_def };
enum JointDefs : std::uint16_t { hinge_def, hand_def };

struct Rules {  // a level may set these
    double gravity = 10;    // units/s²
    double strength = 400;  // of a hand
    std::uint32_t boxes = 12;
    state::Reserved<4> unused;
};
constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("gravity", &Rules::gravity, {.low = 0, .high = 100, .unit = "u/s2"}),
                  field("strength", &Rules::strength, {.low = 1, .high = 10'000}),
                  field("boxes", &Rules::boxes, {.low = 0, .high = most_boxes}), field("unused", &Rules::unused));
}
struct Setup {
    Rules rules;
    rigid::Setup rigid;  // shapes, joints and the walls: they follow from the rules and cost nothing in a state
    std::shared_ptr<state::ScratchPool<rigid::Scratch>> scratch;
};

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where) {
    const auto read = contract::default_load<contract::RulesOnly<Rules>>(level, where);
    if (!read) return std::unexpected(read.error());
    Setup setup{read->rules, {}, nullptr};
    const auto box = [](rigid::BodyType type, double half_width, double half_height) {
        return *rigid::make_body_def(type, {{.hull = *rigid::make_box(half_width, half_height), .material = {.friction = 0.5}}});
    };
    using enum rigid::BodyType;
    setup.rigid.config.gravity = {0, -read->rules.gravity};
    setup.rigid.body_defs = {box(fixed, width / 2, 1), box(fixed, 1, height), box(dynamic, 0.8, 0.8), box(dynamic, 0.5, 0.15),
                             box(dynamic, 5, 0.25)};
    setup.rigid.fixed_bodies = {{.position = {width / 2, -1}, .def = floor_def}, {.position = {-1, height}, .def = wall_def},
                                {.position = {width + 1, height}, .def = wall_def}};
    setup.rigid.joint_defs = {{.type = rigid::JointType::revolute},
                              {.type = rigid::JointType::motor, .spring = {5, 1}, .max_force = read->rules.strength}};
    setup.rigid.max_bodies = 3 + most_boxes + links + 1;
    setup.rigid.max_contacts = 512;
    setup.rigid.max_joints = links + 1 + most_players;
    if (const auto checked = rigid::check(setup.rigid); !checked) return std::unexpected(checked.error());
    setup.scratch = std::make_shared<state::ScratchPool<rigid::Scratch>>(setup.rigid);
    return setup;
}

struct Input {
    Vec2 pointer;  // world units
    bool grabs = false;
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Input>) {
    using state::Control;
    return fields("Input", field("pointer", &Input::pointer, {.low = -10, .high = 50, .precision = 0.01, .control = Control::pointer}),
                  field("grabs", &Input::grabs, {.control = Control::go}), field("unused", &Input::unused));
}
using Player = contract::BasicPlayer<Input>;  // `own` is the joint that is the player's hand

struct Piece {
    rigid::Body body;
    Slot owner = no_player;  // who holds it
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Piece>) {
    return fields("Piece", field("body", &Piece::body), field("owner", &Piece::owner), field("unused", &Piece::unused));
}

struct State {
    state::Single<contract::Head> head;
    state::Pool<Player> players;
    state::Pool<Piece> pieces;
    state::Pool<rigid::Contact> contacts;
    state::Pool<rigid::Joint> joints;
};
inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup&) { return most_players; }, {.owner = &Player::slot}),
        state::pool("pieces", &State::pieces, [](const Setup&) { return most_boxes + links + 1; },
                    {.position = {&Piece::body, &rigid::Body::position}, .owner = &Piece::owner}),
        state::pool("contacts", &State::contacts, [](const Setup& setup) { return setup.rigid.max_contacts; }),
        state::pool("joints", &State::joints, [](const Setup& setup) { return setup.rigid.max_joints; }));
}

struct World : contract::WorldTypes<Setup, Input, State> {
    static constexpr std::string_view name = "@NAME@";
    static constexpr std::string_view summary = "drag boxes, chains and a see-saw";
};
using Events = contract::Events<World::Event>;

rigid::Space space_of(const State& state, const Setup& setup) {
    rigid::Space space(setup.rigid, state.contacts, state.joints);
    space.bodies.add(state.pieces, &Piece::body);
    return space;
}

contract::Facts facts(const Setup&) {
    return {.most_players = most_players, .y_up = true, .view_low = {0, -2}, .view_high = {width, height}};
}

state::Result<void> validate(const State& state, const Setup& setup) {
    if (auto legal = contract::validate_common(state, most_players); !legal) return legal;
    return rigid::validate(space_of(state, setup), setup.rigid);
}

rigid::Handle add_piece(State& state, const Setup& setup, Vec2 position, std::uint16_t def) {
    Piece* piece = state.pieces.add({.body = {.position = position, .def = def}});
    return piece ? space_of(state, setup).bodies.handle_of(state.pieces, *piece) : rigid::Handle{};
}

void start(State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < setup.rules.boxes; ++i) add_piece(state, setup, {6 + 1.8 * (i % 4), 1 + 1.7 * (i / 4)}, box_def);
    rigid::Handle last;
    for (std::uint32_t i = 0; i < links; ++i) {  // hangs from the ceiling, and falls into place
        const Vec2 hinge{22 + 1.0 * i, 20};
        const rigid::Handle link = add_piece(state, setup, hinge + Vec2{0.5, 0}, link_def);
        state.joints.add(rigid::make_joint(space_of(state, setup), hinge_def, last, link, hinge));
        last = link;
    }
    const rigid::Handle plank = add_piece(state, setup, {30, 2}, plank_def);
    state.joints.add(rigid::make_joint(space_of(state, setup), hinge_def, {}, plank, {30, 2}));
}

void let_go(State& state, const Setup& setup, const Player& player) {
    if (const rigid::Joint* hand = state.joints.find(player.own)) {
        rigid::wake_bodies(space_of(state, setup), *hand);
        state.joints.remove_at(static_cast<std::uint32_t>(hand - state.joints.begin()));
    }
    for (Piece& piece : state.pieces)
        if (piece.owner == player.slot) piece.owner = no_player;
}
void leave(State& state, const Setup& setup, const Player& player, Events&) { let_go(state, setup, player); }

void grab(State& state, const Setup& setup, Player& player) {
    const rigid::Space space = space_of(state, setup);
    const auto finger = *rigid::make_circle(0.1, player.input.pointer);
    Piece* found = nullptr;
    rigid::for_each_overlapping(space, finger, 0xFFFFFFFF, [&](rigid::Handle body, std::uint8_t) {
        Piece* piece = space.bodies.find(state.pieces, body);
        if (piece && piece->owner == no_player && !found) found = piece;
    });
    if (!found) return;
    const rigid::Handle body = space.bodies.handle_of(state.pieces, *found);
    if (const rigid::Joint* hand = state.joints.add(rigid::make_joint(space, hand_def, {}, body, player.input.pointer))) {
        player.own = state.joints.handle_of(*hand);
        found->owner = player.slot;
    }
}

void step(State& state, const Setup& setup, Events&) {
    for (Player& player : state.players) {
        rigid::Joint* hand = state.joints.find(player.own);
        if (!player.input.grabs || !hand) let_go(state, setup, player);
        if (player.input.grabs && !hand) grab(state, setup, player);
        if (player.input.grabs && hand) {
            hand->anchor_a = player.input.pointer;
            rigid::wake_bodies(space_of(state, setup), *hand);
        }
    }
    const state::ScratchPool<rigid::Scratch>::Lease scratch(*setup.scratch, setup.rigid);
    rigid::Space space = space_of(state, setup);
    rigid::step(space, setup.rigid, dt, *scratch);
}

void view(const State& state, const Setup& setup, contract::DrawList& list) {
    using namespace contract;
    rigid::Hull placed;
    const auto draw = [&](const rigid::Body& body, Color color) {
        for (const rigid::Shape& shape : rigid::def_of(body, setup.rigid).shapes) {
            rigid::transform(shape.hull, rigid::pose_of(body), placed);
            list.polygon(std::span(placed.points).first(placed.count), color);
        }
    };
    for (const rigid::Body& wall : setup.rigid.fixed_bodies) draw(wall, palette::faint);
    for (const Piece& piece : state.pieces) {
        list.belongs_to(&piece);
        draw(piece.body, piece.owner == no_player ? palette::gold : palette::player(piece.owner));
    }
    for (const Player& player : state.players) {
        list.belongs_to(&player);
        list.circle(player.input.pointer, 0.3, palette::player(player.slot));
        list.label(player.input.pointer + Vec2{0, 0.8}, 0.8, player.name.view(), palette::ink);
    }
}

}  // namespace @NAME@

INSTEP_WORLD(@NAME@::World)
