// SPDX-License-Identifier: MIT
// Every list here is in the order of body ids: proxies by construction, pairs by counting sorts, contacts by
// merging two sorted lists.
#include <instep/rigid/pairs.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include <instep/rigid/integrate.h>
#include <instep/rigid/joint_solver.h>
#include <instep/rigid/one_way.h>
#include <instep/rigid/sensors.h>

namespace instep::rigid {
namespace {

// Ids, unlike indices, don't change when another body is removed.
void sort_by_id(Scratch& scratch) {
    std::fill(scratch.index_of_id.begin(), scratch.index_of_id.end(), no_body);
    for (std::uint32_t index = 0; index < scratch.bodies.size(); ++index)
        scratch.index_of_id[scratch.bodies[index].handle.id] = index;
}

// Boxes expanded by half of the margin each overlap if the shapes may be within the margin.
constexpr double half_margin = 0.5 * contact_margin;

Aabb transform_shape(const Shape& shape, const Pose& pose, bool is_circle, Hull& hull) {
    if (!is_circle) {
        transform(shape.hull, pose, hull);
        return aabb_of(hull).expanded(half_margin);
    }
    hull.count = 1;
    hull.is_chained = false;
    hull.radius = shape.hull.radius;
    hull.points[0] = pose.position;
    return Aabb{pose.position, pose.position}.expanded(hull.radius + half_margin);
}

void add_proxies(std::uint32_t id, std::uint32_t index, const Setup& setup, double dt, Scratch& scratch) {
    const BodyRef& body = scratch.bodies[index];
    const BodyDef& def = body.def;
    const Pose pose = def.is_circle ? Pose{body.position, {}} : body.pose();
    const bool active = body.is_active();
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
    scratch.any_asleep = scratch.any_asleep || body.asleep();
    scratch.first_proxy[index] = static_cast<std::uint32_t>(scratch.proxies.size());
    for (std::size_t i = 0; i < def.shapes.size(); ++i) {
        const Shape& shape = def.shapes[i];
        const Aabb box = transform_shape(shape, pose, def.is_circle, scratch.hulls[scratch.proxies.size()]);
        scratch.first_obstacle[scratch.proxies.size()] = no_obstacle;
        proxy.shape = static_cast<std::uint8_t>(i);
        proxy.filter = shape.filter;
        proxy.one_way = shape.one_way.is_set();
        proxy.sensor = shape.sensor;
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
    ContactUpdate(const Space& space, Scratch& scratch) : space_(space), scratch_(scratch) {}

    void run() {
        scratch_.contacts.clear();
        for (const ProxyPair& pair : scratch_.pairs) update_pair(pair);
        while (has_stored()) keep_or_end(space_.contacts[next_stored_++]);
    }

private:
    // Moves on to the next stored contact that is no overlap of a sensor.
    bool has_stored() {
        while (next_stored_ < space_.contacts.size() && is_sensor_overlap(space_.contacts[next_stored_]))
            ++next_stored_;
        return next_stored_ < space_.contacts.size();
    }

    void update_pair(ProxyPair pair) {
        const Proxy& low = scratch_.proxies[pair.low];
        const Proxy& high = scratch_.proxies[pair.high];
        const std::uint64_t key = contact_key(low.id, low.shape, high.id, high.shape);
        while (has_stored() && key_of(space_.contacts[next_stored_]) < key)
            keep_or_end(space_.contacts[next_stored_++]);

        const Manifold manifold = collide(scratch_.hulls[pair.low], scratch_.hulls[pair.high]);
        const bool is_stored = has_stored() && key_of(space_.contacts[next_stored_]) == key;
        if (manifold.count == 0 || ((low.one_way || high.one_way) && passes(pair, manifold, is_stored))) {
            if (is_stored) report_end(space_.contacts[next_stored_++], scratch_);
            return;
        }
        Contact contact;
        contact.a = scratch_.bodies[low.body].handle;
        contact.b = scratch_.bodies[high.body].handle;
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

    // Whether a one-way shape of a pair lets the other pass.
    bool passes(ProxyPair pair, const Manifold& manifold, bool is_stored) const {
        return (scratch_.proxies[pair.low].one_way &&
                passes(pair.low, pair.high, manifold, manifold.normal, is_stored)) ||
               (scratch_.proxies[pair.high].one_way &&
                passes(pair.high, pair.low, manifold, -manifold.normal, is_stored));
    }
    bool passes(std::uint32_t platform, std::uint32_t other, const Manifold& manifold, Vec2 normal,
                bool is_stored) const {
        const Vec2 direction = one_way_direction(platform, scratch_);
        if (math::dot(normal, direction) < one_way_cosine) return true;
        if (is_stored) return false;
        // It may have got this deep in the last step, at about the speed it has now.
        const Vec2 point = manifold.points[0].point;
        const double approach =
            math::dot(direction, displacement_at(platform, point) - displacement_at(other, point));
        return distance_in_front(scratch_.hulls[platform], direction, scratch_.hulls[other]) +
                   std::max(approach, 0.0) <
               -one_way_of(platform, scratch_).tolerance;
    }
    Vec2 displacement_at(std::uint32_t proxy, Vec2 point) const {
        const std::uint32_t index = scratch_.proxies[proxy].body;
        const SolverBody& body = scratch_.solver_bodies[index];
        return body.displacement +
               body.delta_angle * math::perpendicular(point - scratch_.bodies[index].position);
    }

    // A stored contact that is not a pair of this step has ended, unless both of its bodies rest and at least
    // one of them is asleep.
    void keep_or_end(const Contact& contact) {
        const std::uint32_t a = index_of(contact.a, scratch_);
        const std::uint32_t b = index_of(contact.b, scratch_);
        const bool is_kept = a != no_body && b != no_body && rests(a, contact.shape_a) &&
                             rests(b, contact.shape_b) &&
                             (scratch_.bodies[a].asleep() || scratch_.bodies[b].asleep());
        if (!is_kept) {
            report_end(contact, scratch_);
            return;
        }
        keep({contact,
              {},
              scratch_.first_proxy[a] + contact.shape_a,
              scratch_.first_proxy[b] + contact.shape_b,
              {},
              true});
    }

    bool rests(std::uint32_t index, std::uint8_t shape) const {
        const BodyRef& body = scratch_.bodies[index];
        return !body.is_active() && shape < body.def.shapes.size();
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
    Scratch& scratch_;
    std::uint32_t next_stored_ = 0;
};

}  // namespace

bool may_touch(const Proxy& a, const Proxy& b) {
    return !a.sensor && !b.sensor && a.body != b.body && (a.group == 0 || a.group != b.group) &&
           may_touch(a.filter, b.filter);
}

const OneWay& one_way_of(std::uint32_t proxy_index, const Scratch& scratch) {
    const Proxy& proxy = scratch.proxies[proxy_index];
    return scratch.bodies[proxy.body].def.shapes[proxy.shape].one_way;
}

Vec2 one_way_direction(std::uint32_t proxy_index, const Scratch& scratch) {
    const BodyRef& body = scratch.bodies[scratch.proxies[proxy_index].body];
    return math::rotate(body.pose().rotation, one_way_of(proxy_index, scratch).direction);
}

bool is_in_front(std::uint32_t platform, std::uint32_t other, const Scratch& scratch) {
    return distance_in_front(scratch.hulls[platform], one_way_direction(platform, scratch),
                             scratch.hulls[other]) >= -one_way_of(platform, scratch).tolerance;
}

std::uint32_t index_of(Handle body, const Scratch& scratch) {
    if (body.id >= scratch.index_of_id.size()) return no_body;
    const std::uint32_t index = scratch.index_of_id[body.id];
    return index != no_body && scratch.bodies[index].handle == body ? index : no_body;
}

void update_proxies(const Setup& setup, double dt, Scratch& scratch) {
    sort_by_id(scratch);
    scratch.proxies.clear();
    scratch.boxes.clear();
    scratch.swept.clear();
    scratch.any_asleep = false;
    for (std::uint32_t id = 0; id < scratch.index_of_id.size(); ++id)
        if (scratch.index_of_id[id] != no_body) add_proxies(id, scratch.index_of_id[id], setup, dt, scratch);
    scratch.solver_bodies[scratch.bodies.size()] = {};
    scratch.broad_phase.build(scratch.swept);
}

void find_pairs(Scratch& scratch) {
    scratch.pairs.clear();
    scratch.obstacles.clear();
    scratch.broad_phase.for_each_pair([&](std::uint32_t a, std::uint32_t b) {
        const Proxy& proxy_a = scratch.proxies[a];
        const Proxy& proxy_b = scratch.proxies[b];
        if (!(proxy_a.active || proxy_b.active) || !(proxy_a.dynamic || proxy_b.dynamic)) return;
        if (!may_touch(proxy_a, proxy_b) || is_joined(proxy_a.body, proxy_b.body, scratch)) return;
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

void update_contacts(const Space& space, Scratch& scratch) { ContactUpdate(space, scratch).run(); }

void update_woken_contacts(Scratch& scratch) {
    std::size_t kept = 0;
    for (ContactSim& contact : scratch.contacts) {
        const BodyRef& a = scratch.bodies[scratch.proxies[contact.proxy_a].body];
        const BodyRef& b = scratch.bodies[scratch.proxies[contact.proxy_b].body];
        if (contact.resting && (a.is_active() || b.is_active())) {
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
    if (scratch.sensor_contacts.empty()) {
        space.contacts.assign(static_cast<std::uint32_t>(scratch.contacts.size()),
                              [&](std::uint32_t i) -> const Contact& { return scratch.contacts[i].contact; });
        return;
    }
    std::size_t next = 0;
    std::size_t next_sensor = 0;
    const auto merged = [&](std::uint32_t) -> const Contact& {
        const bool from_sensors =
            next == scratch.contacts.size() ||
            (next_sensor < scratch.sensor_contacts.size() &&
             key_of(scratch.sensor_contacts[next_sensor]) < key_of(scratch.contacts[next].contact));
        return from_sensors ? scratch.sensor_contacts[next_sensor++] : scratch.contacts[next++].contact;
    };
    space.contacts.assign(
        static_cast<std::uint32_t>(scratch.contacts.size() + scratch.sensor_contacts.size()), merged);
}

}  // namespace instep::rigid
