// SPDX-License-Identifier: MIT
// The bodies of a space, in the pools where they lie. A world names its pools once per step or query; nothing
// is copied:
//
//     rigid::Space space(setup.rigid, state.contacts);
//     space.bodies.add(state.crates, &Crate::body);
//     space.bodies.add<crate_traits>(state.shots, &Shot::flight, setup);    // only a motion, see below
//
//     ids   | Setup::fixed_bodies | crates | shots |      one range of ids per pool, as long as its capacity
//             0 ..
//
// Contacts, joints and events name a body by one handle: its id within these ranges, and its generation.
// find() turns it back into the element. So the order of the pools is part of what a state means: always add
// them in the same order.
//
// Most pools hold a rigid::Body. One that is small on the wire holds only a motion (position, velocity, angle
// and angular velocity, with the precision that suits the game) and a function says the rest. Such a body
// never sleeps.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include <instep/rigid/body.h>
#include <instep/state/pool.h>
#include <instep/state/result.h>

namespace instep::rigid {

using state::Handle;

// What a motion alone does not say.
struct BodyTraits {
    std::uint16_t def = 0;    // index in Setup::body_defs
    std::uint16_t group = 0;  // as Body::group
    bool present = true;      // false: the element has no body at present, for example a dead player
};

// The members of a struct that are a motion. A world's struct has a function
// `constexpr auto motion_of(state::Type<Flight>)` beside it that returns one.
template <class M>
struct MotionMembers {
    Vec2 M::* position;
    Vec2 M::* velocity;
    double M::* angle;
    double M::* angular_velocity;
};
constexpr auto motion_of(state::Type<Body>) {
    return MotionMembers<Body>{&Body::position, &Body::velocity, &Body::angle, &Body::angular_velocity};
}

// One body where it lies.
struct BodyRef {
    Vec2& position;
    Vec2& velocity;
    double& angle;
    double& angular_velocity;
    const BodyDef& def;
    Body* stored;  // null if the element has only a motion
    Handle handle;
    std::uint16_t group;

    bool asleep() const { return stored && stored->asleep; }
    bool is_dynamic() const { return def.type == BodyType::dynamic; }
    bool moves() const { return velocity != Vec2{} || angular_velocity != 0; }
    // A body that is not active is not solved, and has no pairs until an active body comes near.
    bool is_active() const { return is_dynamic() ? !asleep() : def.type == BodyType::kinematic && moves(); }
    Pose pose() const { return {position, math::Rotation::from_angle(angle)}; }
    void wake() const {
        if (stored) rigid::wake(*stored);
    }
};

class BodyPools {
public:
    static constexpr std::uint32_t max_pools = 8;

    BodyPools() = default;
    BodyPools(std::span<const BodyDef> defs, std::span<const Body> fixed_bodies)
        : defs_(defs), fixed_(fixed_bodies), id_count_(static_cast<std::uint32_t>(fixed_bodies.size())) {}

    // Elements that hold, or are, a rigid::Body. Like a span, the views give access to elements of a const
    // pool: a function that takes a const Space does not change them.
    template <class T>
    void add(const state::Pool<T>& pool, Body T::* member) {
        add_view<T, Body>(pool, member, nullptr, nullptr).has_body = true;
    }
    void add(const state::Pool<Body>& pool) {
        add_view<Body>(pool, const_cast<Body*>(pool.begin()), nullptr, nullptr).has_body = true;
    }

    // Elements that hold only a motion. traits(element, id within the pool, context) says the rest; the
    // context must outlive this view.
    template <auto traits, class T, class M, class Context>
    void add(const state::Pool<T>& pool, M T::* member, const Context& context) {
        add_view<T, M>(
            pool, member,
            [](const void* element, std::uint32_t id, const void* given) {
                return traits(*static_cast<const T*>(element), id, *static_cast<const Context*>(given));
            },
            &context);
    }

    // Ids are below this.
    std::uint32_t id_count() const { return id_count_; }

    std::optional<BodyRef> find(Handle handle) const;

    // The element that has the body, if it is in this pool; null otherwise, and once it is removed.
    template <class T>
    T* find(state::Pool<T>& pool, Handle handle) const {
        const View* view = view_of(pool);
        return view && view->holds(handle.id) ? pool.find(view->local(handle)) : nullptr;
    }

    // The handle of an element's body.
    template <class T>
    Handle handle_of(const state::Pool<T>& pool, const T& element) const {
        const View* view = view_of(pool);
        assert(view && "the pool was not added to this space");
        return view->global(pool.handle_of(element));
    }

    // Visits every body that is present, pool by pool.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::uint32_t i = 0; i < fixed_.size(); ++i) visit(fixed_at(i));
        for (const View& view : views()) {
            for (std::uint32_t i = 0; i < view.pool.size(); ++i) {
                const Handle local = view.pool.handle_at(i);
                const BodyTraits traits = view.traits_at(i, local.id);
                if (traits.present) visit(ref(view, i, view.global(local), traits));
            }
        }
    }

    // Whether every body has a definition: checked before anything else of a loaded state is looked at.
    state::Result<void> validate_defs() const;

private:
    struct Offsets {
        std::uint32_t position = 0;
        std::uint32_t velocity = 0;
        std::uint32_t angle = 0;
        std::uint32_t angular_velocity = 0;
    };
    using TraitsFunction = BodyTraits (*)(const void* element, std::uint32_t id, const void* context);

    struct View {
        state::PoolBase pool;
        std::byte* elements = nullptr;
        std::byte* motions = nullptr;  // of the first element
        std::uint32_t stride = 0;
        Offsets offsets;
        bool has_body = false;
        TraitsFunction traits = nullptr;
        const void* context = nullptr;
        std::uint32_t first_id = 0;

        bool holds(std::uint32_t id) const { return id >= first_id && id - first_id < pool.capacity(); }
        Handle local(Handle handle) const { return {handle.id - first_id, handle.generation}; }
        Handle global(Handle handle) const { return {handle.id + first_id, handle.generation}; }
        std::byte* motion(std::uint32_t index) const { return motions + std::size_t{index} * stride; }
        Body* body(std::uint32_t index) const {
            return has_body ? reinterpret_cast<Body*>(motion(index)) : nullptr;
        }
        BodyTraits traits_at(std::uint32_t index, std::uint32_t id) const {
            if (const Body* stored = body(index)) return {stored->def, stored->group, true};
            return traits(elements + std::size_t{index} * stride, id, context);
        }
    };

    template <class T, class M>
    View& add_view(const state::Pool<T>& pool, M T::* member, TraitsFunction traits, const void* context) {
        T* first = const_cast<T*>(pool.begin());
        return add_view(pool, &(first->*member), traits, context);
    }
    template <class T, class M>
    View& add_view(const state::Pool<T>& pool, M* first, TraitsFunction traits, const void* context) {
        assert(count_ < max_pools);
        constexpr MotionMembers<M> members = motion_of(state::Type<M>{});
        View& view = views_[count_++];
        view.pool = pool;
        view.elements = reinterpret_cast<std::byte*>(const_cast<T*>(pool.begin()));
        view.motions = reinterpret_cast<std::byte*>(first);
        view.stride = sizeof(T);
        view.offsets = {state::detail::offset_of(members.position),
                        state::detail::offset_of(members.velocity), state::detail::offset_of(members.angle),
                        state::detail::offset_of(members.angular_velocity)};
        view.traits = traits;
        view.context = context;
        view.first_id = id_count_;
        id_count_ += pool.capacity();
        return view;
    }

    std::span<const View> views() const { return std::span(views_).first(count_); }
    const View* view_of(const state::PoolBase& pool) const;
    BodyRef fixed_at(std::uint32_t index) const;
    BodyRef ref(const View& view, std::uint32_t index, Handle handle, const BodyTraits& traits) const {
        std::byte* motion = view.motion(index);
        return {*reinterpret_cast<Vec2*>(motion + view.offsets.position),
                *reinterpret_cast<Vec2*>(motion + view.offsets.velocity),
                *reinterpret_cast<double*>(motion + view.offsets.angle),
                *reinterpret_cast<double*>(motion + view.offsets.angular_velocity),
                defs_[traits.def],
                view.body(index),
                handle,
                traits.group};
    }

    std::span<const BodyDef> defs_;
    std::span<const Body> fixed_;
    std::array<View, max_pools> views_{};
    std::uint32_t count_ = 0;
    std::uint32_t id_count_ = 0;
};

}  // namespace instep::rigid
