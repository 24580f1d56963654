// SPDX-License-Identifier: MIT
// From handles to bodies.
#include <instep/rigid/body_pools.h>

#include <string>

namespace instep::rigid {

const BodyPools::View* BodyPools::view_of(const state::PoolBase& pool) const {
    for (const View& view : views())
        if (view.pool.is_same_as(pool)) return &view;
    return nullptr;
}

// A fixed body is never written: it does not move and cannot sleep.
BodyRef BodyPools::fixed_at(std::uint32_t index) const {
    Body& body = const_cast<Body&>(fixed_[index]);
    return {body.position,   body.velocity, body.angle, body.angular_velocity,
            defs_[body.def], nullptr,       {index, 0}, body.group};
}

state::Result<void> BodyPools::validate_defs() const {
    for (const View& view : views())
        for (std::uint32_t i = 0; i < view.pool.size(); ++i) {
            const Handle local = view.pool.handle_at(i);
            const std::uint16_t def = view.traits_at(i, local.id).def;
            if (def >= defs_.size())
                return state::refuse("body " + std::to_string(view.global(local).id) + ".def",
                                     "expected an index below " + std::to_string(defs_.size()) + ", got " +
                                         std::to_string(def));
        }
    return {};
}

std::optional<BodyRef> BodyPools::find(Handle handle) const {
    if (handle.id < fixed_.size()) {
        if (handle.generation != 0) return {};
        return fixed_at(handle.id);
    }
    for (const View& view : views()) {
        if (!view.holds(handle.id)) continue;
        const Handle local = view.local(handle);
        const std::uint32_t index = view.pool.index_of(local);
        if (index == state::PoolBase::no_index) return {};
        const BodyTraits traits = view.traits_at(index, local.id);
        if (!traits.present) return {};
        return ref(view, index, handle, traits);
    }
    return {};
}

}  // namespace instep::rigid
