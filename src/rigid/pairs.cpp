// SPDX-License-Identifier: MIT
// Every list here is in the order of body ids: proxies by construction, pairs by counting sorts, contacts by
// merging two sorted lists.
#include <instep/rigid/pairs.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include <instep/rigid/integrate.h>

namespace instep::rigid {
namespace {

constexpr std::uint32_t no_body = 0xFFFFFFFF;

// Ids, unlike indices, don't change when another body is removed.
void sort_by_id(const Space& space, Scratch& scratch) {
    std::fill(scratch.index_of_id.begin(), scratch.index_of_id.end(), no_body);
    for (std::uint32_t index = 0; index < space.bodies.size(); ++index)
        scratch.index_of_id[space.bodies.handle_at(index).id] = index;
}

// Boxes expanded by half of the margin each overlap if the shapes may be within the margin.
constexpr double half_margin = 0.5 * contact_margin;

Aabb transform_shape(const Shape& shape, const Pose& pose, bool is_circle, Hull& hull) {
    if (!is_circle) {
        transform(shape.hull, pose, hull);
        return aabb_of(hull).expanded(half_margin);
    }
    hull.count = 1;
    hull.radius = shape.hull.radius;
    hull.points[0] = pose.position;
    return Aabb{pose.position, pose.position}.expanded(hull.radius + half_margin);
}

void add_proxies(std::uint32_t id, std::uint32_t index, const Space& space, const Setup& setup, double dt,
                 Scratch& scratch) {
    const Body& body = space.bodies[index];
    const BodyDef& def = def_of(body, setup);
    const Pose pose = def.is_circle ? Pose{body.position, {}} : pose_of(body);
    const bool active = is_active(body, def);
    SolverBody& solver_body = scratch.solver_bodies[index];
    solver_body = {};
    scratch.is_deep[index] = 0;
    if (def.type != BodyType::fixed) {
        solver_body.velocity = body.velocity;
        solver_body.angular_velocity = body.angular_velocity;
        integrate(solver_body, setup.config, dt);
    }
    Proxy proxy;
    proxy.body = index;
    proxy.id = id;
    proxy.group = body.group;
    proxy.active = active;
    proxy.dynamic = def.type == BodyType::dynamic;
    proxy.fast = active && proxy.dynamic && is_fast(def, solver_body);
    scratch.any_asleep = scratch.any_asleep || body.asleep;
    scratch.first_proxy[index] = static_cast<std::uint32_t>(scratch.proxies.size());
    for (std::size_t i = 0; i < def.shapes.size(); ++i) {
        const Shape& shape = def.shapes[i];
        const Aabb box = transform_shape(shape, pose, def.is_circle, scratch.hulls[scratch.proxies.size()]);
        scratch.first_obstacle[scratch.proxies.size()] = no_obstacle;
        proxy.shape = static_cast<std::uint8_t>(i);
        proxy.filter = shape.filter;
        scratch.proxies.push_back(proxy);
        scratch.boxes.push_back(box);
        scratch.swept.push_back(active ? box.swept(solver_body.displacement)
                                             .expanded(rotation_extent(def, shape, solver_body.delta_angle))
                                       : box);
    }
}

void add_obstacle(std::uint32_t fast, std::uint32_t other, Scratch& scratch) {
    if (!scratch.proxies[fast].fast) return;
    if (scratch.obstacles.size() == scratch.obstacles.capacity()) {
        scratch.proxies[fast].missed_obstacles = true;
        return;
    }
    scratch.obstacles.push_back({other, scratch.first_obstacle[fast]});
    scratch.first_obstacle[fast] = static_cast<std::uint32_t>(scratch.obstacles.size() - 1);
}

void counting_sort(std::span<const ProxyPair> pairs, std::uint32_t ProxyPair::* by,
                   std::span<std::uint32_t> starts, std::vector<ProxyPair>& sorted) {
    std::ranges::fill(starts, 0U);
    for (const ProxyPair& pair : pairs) ++starts[pair.*by + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const ProxyPair& pair : pairs) sorted[starts[pair.*by]++] = pair;
}

// By the lower proxy, then by the higher one: two stable sorts, the more significant key last. The time is
// linear, however many shapes lie on one floor.
void sort_pairs(Scratch& scratch) {
    const auto starts = std::span(scratch.pair_starts).first(scratch.proxies.size() + 1);
    counting_sort(scratch.pairs, &ProxyPair::high, starts, scratch.sorted_pairs);
    counting_sort(std::span(scratch.sorted_pairs).first(scratch.pairs.size()), &ProxyPair::low, starts,
                  scratch.pairs);
}

void report_end(const Contact& contact, Scratch& scratch) {
    if (contact.touching && scratch.events.size() < scratch.events.capacity())
        scratch.events.push_back({ContactEvent::Kind::end, contact.a, contact.b, {}, {}, 0});
}

// A point starts with the impulse of the point with the same feature in the last step (warm starting).
void inherit_impulses(Contact& contact, const Contact& earlier) {
    contact.touching = earlier.touching;
    for (std::uint8_t i = 0; i < contact.points; ++i)
        for (std::uint8_t k = 0; k < earlier.points; ++k)
            if (contact.feature[i] == earlier.feature[k]) {
                contact.normal_impulse[i] = earlier.normal_impulse[k];
                contact.tangent_impulse[i] = earlier.tangent_impulse[k];
                break;
            }
}

void set_points(Contact& contact, const Manifold& manifold) {
    contact.points = static_cast<std::uint8_t>(manifold.count);
    for (std::uint32_t i = 0; i < manifold.count; ++i) contact.feature[i] = manifold.points[i].feature;
}

class ContactUpdate {
public:
    ContactUpdate(const Space& space, const Setup& setup, Scratch& scratch)
        : space_(space), setup_(setup), scratch_(scratch) {}

    void run() {
        scratch_.contacts.clear();
        for (const ProxyPair& pair : scratch_.pairs) update_pair(pair);
        while (next_stored_ < space_.contacts.size()) keep_or_end(space_.contacts[next_stored_++]);
    }

private:
    void update_pair(ProxyPair pair) {
        const Proxy& low = scratch_.proxies[pair.low];
        const Proxy& high = scratch_.proxies[pair.high];
        const std::uint64_t key = contact_key(low.id, low.shape, high.id, high.shape);
        while (next_stored_ < space_.contacts.size() && key_of(space_.contacts[next_stored_]) < key)
            keep_or_end(space_.contacts[next_stored_++]);

        const Manifold manifold = collide(scratch_.hulls[pair.low], scratch_.hulls[pair.high]);
        const bool is_stored =
            next_stored_ < space_.contacts.size() && key_of(space_.contacts[next_stored_]) == key;
        if (manifold.count == 0) {
            if (is_stored) report_end(space_.contacts[next_stored_++], scratch_);
            return;
        }
        Contact contact;
        contact.a = space_.bodies.handle_at(low.body);
        contact.b = space_.bodies.handle_at(high.body);
        contact.shape_a = low.shape;
        contact.shape_b = high.shape;
        set_points(contact, manifold);
        if (is_stored) {
            const Contact& earlier = space_.contacts[next_stored_++];
            if (earlier.a == contact.a && earlier.b == contact.b)  // ids are reused, handles are not
                inherit_impulses(contact, earlier);
            else
                report_end(earlier, scratch_);
        }
        keep({contact, manifold, pair.low, pair.high, {}, false});
    }

    // A stored contact that is not a pair of this step has ended, unless both of its bodies rest and at least
    // one of them is asleep.
    void keep_or_end(const Contact& contact) {
        const Body* a = space_.bodies.find(contact.a);
        const Body* b = space_.bodies.find(contact.b);
        const bool is_kept =
            a && b && rests(*a, contact.shape_a) && rests(*b, contact.shape_b) && (a->asleep || b->asleep);
        if (!is_kept) {
            report_end(contact, scratch_);
            return;
        }
        keep({contact, {}, proxy_of(*a, contact.shape_a), proxy_of(*b, contact.shape_b), {}, true});
    }

    bool rests(const Body& body, std::uint8_t shape) const {
        const BodyDef& def = def_of(body, setup_);
        return !is_active(body, def) && shape < def.shapes.size();
    }

    std::uint32_t proxy_of(const Body& body, std::uint8_t shape) const {
        return scratch_.first_proxy[static_cast<std::size_t>(&body - space_.bodies.begin())] + shape;
    }

    void keep(const ContactSim& contact) {
        if (scratch_.contacts.size() < scratch_.contacts.capacity()) {
            scratch_.contacts.push_back(contact);
        } else {
            ++scratch_.report.dropped;
            report_end(contact.contact, scratch_);
        }
    }

    const Space& space_;
    const Setup& setup_;
    Scratch& scratch_;
    std::uint32_t next_stored_ = 0;
};

}  // namespace

bool may_touch(const Proxy& a, const Proxy& b) {
    return a.body != b.body && (a.group == 0 || a.group != b.group) && may_touch(a.filter, b.filter);
}

void update_proxies(const Space& space, const Setup& setup, double dt, Scratch& scratch) {
    sort_by_id(space, scratch);
    scratch.proxies.clear();
    scratch.boxes.clear();
    scratch.swept.clear();
    scratch.any_asleep = false;
    for (std::uint32_t id = 0; id < scratch.index_of_id.size(); ++id)
        if (scratch.index_of_id[id] != no_body)
            add_proxies(id, scratch.index_of_id[id], space, setup, dt, scratch);
    scratch.solver_bodies[space.bodies.size()] = {};
    scratch.broad_phase.build(scratch.swept);
}

void find_pairs(Scratch& scratch) {
    scratch.pairs.clear();
    scratch.obstacles.clear();
    scratch.broad_phase.for_each_pair([&](std::uint32_t a, std::uint32_t b) {
        const Proxy& proxy_a = scratch.proxies[a];
        const Proxy& proxy_b = scratch.proxies[b];
        if (!(proxy_a.active || proxy_b.active) || !(proxy_a.dynamic || proxy_b.dynamic)) return;
        if (!may_touch(proxy_a, proxy_b)) return;
        add_obstacle(a, b, scratch);
        add_obstacle(b, a, scratch);
        if (!scratch.boxes[a].overlaps(scratch.boxes[b])) return;
        if (scratch.pairs.size() < scratch.pairs.capacity())
            scratch.pairs.push_back({std::min(a, b), std::max(a, b)});
        else
            ++scratch.report.dropped;
    });
    sort_pairs(scratch);
    scratch.report.pairs = static_cast<std::uint32_t>(scratch.pairs.size());
}

void update_contacts(const Space& space, const Setup& setup, Scratch& scratch) {
    ContactUpdate(space, setup, scratch).run();
}

void update_woken_contacts(const Space& space, const Setup& setup, Scratch& scratch) {
    std::size_t kept = 0;
    for (ContactSim& contact : scratch.contacts) {
        const Body& a = space.bodies[scratch.proxies[contact.proxy_a].body];
        const Body& b = space.bodies[scratch.proxies[contact.proxy_b].body];
        if (contact.resting && (is_active(a, def_of(a, setup)) || is_active(b, def_of(b, setup)))) {
            const Contact earlier = contact.contact;
            contact.resting = false;
            contact.manifold = collide(scratch.hulls[contact.proxy_a], scratch.hulls[contact.proxy_b]);
            contact.contact.normal_impulse = {};
            contact.contact.tangent_impulse = {};
            set_points(contact.contact, contact.manifold);
            inherit_impulses(contact.contact, earlier);
            if (contact.manifold.count == 0) {
                report_end(earlier, scratch);
                continue;
            }
        }
        if (&scratch.contacts[kept] != &contact) scratch.contacts[kept] = contact;
        ++kept;
    }
    scratch.contacts.resize(kept);
}

void store_contacts(Space& space, const Scratch& scratch) {
    space.contacts.assign(static_cast<std::uint32_t>(scratch.contacts.size()),
                          [&](std::uint32_t i) -> const Contact& { return scratch.contacts[i].contact; });
}

}  // namespace instep::rigid
