// SPDX-License-Identifier: MIT
// Every list here is in the order of body ids: proxies by construction, pairs by counting sorts, contacts by
// merging two lists that already are.
#include <instep/rigid/pairs.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include <instep/rigid/motion.h>

namespace instep::rigid {
namespace {

constexpr std::uint32_t nowhere = 0xFFFFFFFF;

// Bodies in the order of their ids, not of their places: a body that is taken out changes places, not ids.
void sort_by_id(const Space& space, Scratch& scratch) {
    std::fill(scratch.place_of_id.begin(), scratch.place_of_id.end(), nowhere);
    for (std::uint32_t place = 0; place < space.bodies.size(); ++place)
        scratch.place_of_id[space.bodies.handle_at(place).id] = place;
}

// Two boxes grown by half of the margin each overlap if the shapes may be within the margin.
constexpr double half_margin = 0.5 * contact_margin;

Box place_shape(const Shape& shape, const Pose& pose, bool round, Hull& hull) {
    if (!round) {
        place(shape.hull, pose, hull);
        return box_around(hull).grown(half_margin);
    }
    hull.count = 1;
    hull.radius = shape.hull.radius;
    hull.points[0] = pose.position;
    return Box{pose.position, pose.position}.grown(hull.radius + half_margin);
}

void place_body(std::uint32_t id, std::uint32_t place, const Space& space, const Setup& setup, double dt,
                Scratch& scratch) {
    const Body& body = space.bodies[place];
    const Form& form = form_of(body, setup);
    const Pose pose = form.round ? Pose{body.position, {}} : pose_of(body);
    const bool active = is_active(body, form);
    Mover& mover = scratch.movers[place];
    mover = {};
    scratch.pressed[place] = 0;
    if (form.type != BodyType::fixed) {
        mover.velocity = body.velocity;
        mover.angular_velocity = body.angular_velocity;
        limit_and_move(mover, setup.rules, dt);
    }
    Proxy proxy;
    proxy.body = place;
    proxy.id = id;
    proxy.group = body.group;
    proxy.active = active;
    proxy.dynamic = form.type == BodyType::dynamic;
    proxy.fast = active && proxy.dynamic && is_fast(form, mover);
    scratch.any_asleep = scratch.any_asleep || body.asleep;
    scratch.first_proxy[place] = static_cast<std::uint32_t>(scratch.proxies.size());
    for (std::size_t i = 0; i < form.shapes.size(); ++i) {
        const Shape& shape = form.shapes[i];
        const Box box = place_shape(shape, pose, form.round, scratch.hulls[scratch.proxies.size()]);
        scratch.first_obstacle[scratch.proxies.size()] = no_obstacle;
        proxy.shape = static_cast<std::uint8_t>(i);
        proxy.filter = shape.filter;
        scratch.proxies.push_back(proxy);
        scratch.boxes.push_back(box);
        scratch.swept.push_back(active ? box.swept(mover.shift).grown(swing_of(form, shape, mover.turn))
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

// By the lower proxy, and those of one by the higher: two stable sorts, the more important one last. However
// many lie on one floor, that takes a time proportional to their number.
void sort_pairs(Scratch& scratch) {
    const auto starts = std::span(scratch.pair_starts).first(scratch.proxies.size() + 1);
    counting_sort(scratch.pairs, &ProxyPair::high, starts, scratch.sorted_pairs);
    counting_sort(std::span(scratch.sorted_pairs).first(scratch.pairs.size()), &ProxyPair::low, starts,
                  scratch.pairs);
}

void tell_end(const Contact& contact, Scratch& scratch) {
    if (contact.touching && scratch.events.size() < scratch.events.capacity())
        scratch.events.push_back({Event::Kind::end, contact.a, contact.b, {}, {}, 0});
}

// A point keeps the impulse of the point that the same edges made in the last step.
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

class Merge {
public:
    Merge(const Space& space, const Setup& setup, Scratch& scratch)
        : space_(space), setup_(setup), scratch_(scratch) {}

    void run() {
        scratch_.contacts.clear();
        for (const ProxyPair& pair : scratch_.pairs) take_pair(pair);
        while (next_old_ < space_.contacts.size()) retire(space_.contacts[next_old_++]);
    }

private:
    void take_pair(ProxyPair pair) {
        const Proxy& low = scratch_.proxies[pair.low];
        const Proxy& high = scratch_.proxies[pair.high];
        const std::uint64_t key = contact_key(low.id, low.shape, high.id, high.shape);
        while (next_old_ < space_.contacts.size() && key_of(space_.contacts[next_old_]) < key)
            retire(space_.contacts[next_old_++]);

        const Manifold manifold = collide(scratch_.hulls[pair.low], scratch_.hulls[pair.high]);
        const bool was_there =
            next_old_ < space_.contacts.size() && key_of(space_.contacts[next_old_]) == key;
        if (manifold.count == 0) {
            if (was_there) tell_end(space_.contacts[next_old_++], scratch_);
            return;
        }
        Contact contact;
        contact.a = space_.bodies.handle_at(low.body);
        contact.b = space_.bodies.handle_at(high.body);
        contact.shape_a = low.shape;
        contact.shape_b = high.shape;
        set_points(contact, manifold);
        if (was_there) {
            const Contact& earlier = space_.contacts[next_old_++];
            if (earlier.a == contact.a && earlier.b == contact.b)  // not just their ids
                inherit_impulses(contact, earlier);
            else
                tell_end(earlier, scratch_);
        }
        keep({contact, manifold, pair.low, pair.high, {}, false});
    }

    // A contact of the state that is no pair of this step has ended, unless both of its bodies rest, and one
    // of them only sleeps.
    void retire(const Contact& contact) {
        const Body* a = space_.bodies.find(contact.a);
        const Body* b = space_.bodies.find(contact.b);
        const bool goes_on =
            a && b && rests(*a, contact.shape_a) && rests(*b, contact.shape_b) && (a->asleep || b->asleep);
        if (!goes_on) {
            tell_end(contact, scratch_);
            return;
        }
        keep({contact, {}, proxy_of(*a, contact.shape_a), proxy_of(*b, contact.shape_b), {}, true});
    }

    bool rests(const Body& body, std::uint8_t shape) const {
        const Form& form = form_of(body, setup_);
        return !is_active(body, form) && shape < form.shapes.size();
    }

    std::uint32_t proxy_of(const Body& body, std::uint8_t shape) const {
        return scratch_.first_proxy[static_cast<std::size_t>(&body - space_.bodies.begin())] + shape;
    }

    void keep(const LiveContact& contact) {
        if (scratch_.contacts.size() < scratch_.contacts.capacity()) {
            scratch_.contacts.push_back(contact);
        } else {
            ++scratch_.report.dropped;
            tell_end(contact.contact, scratch_);
        }
    }

    const Space& space_;
    const Setup& setup_;
    Scratch& scratch_;
    std::uint32_t next_old_ = 0;
};

}  // namespace

bool may_touch(const Proxy& a, const Proxy& b) {
    return a.body != b.body && (a.group == 0 || a.group != b.group) && may_touch(a.filter, b.filter);
}

void place_shapes(const Space& space, const Setup& setup, double dt, Scratch& scratch) {
    sort_by_id(space, scratch);
    scratch.proxies.clear();
    scratch.boxes.clear();
    scratch.swept.clear();
    scratch.any_asleep = false;
    for (std::uint32_t id = 0; id < scratch.place_of_id.size(); ++id)
        if (scratch.place_of_id[id] != nowhere)
            place_body(id, scratch.place_of_id[id], space, setup, dt, scratch);
    scratch.movers[space.bodies.size()] = {};
    scratch.strips.build(scratch.swept);
}

void find_pairs(Scratch& scratch) {
    scratch.pairs.clear();
    scratch.obstacles.clear();
    scratch.strips.for_each_pair([&](std::uint32_t a, std::uint32_t b) {
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
    Merge(space, setup, scratch).run();
}

void update_woken_contacts(const Space& space, const Setup& setup, Scratch& scratch) {
    std::size_t kept = 0;
    for (LiveContact& live : scratch.contacts) {
        const Body& a = space.bodies[scratch.proxies[live.proxy_a].body];
        const Body& b = space.bodies[scratch.proxies[live.proxy_b].body];
        if (live.resting && (is_active(a, form_of(a, setup)) || is_active(b, form_of(b, setup)))) {
            const Contact earlier = live.contact;
            live.resting = false;
            live.manifold = collide(scratch.hulls[live.proxy_a], scratch.hulls[live.proxy_b]);
            live.contact.normal_impulse = {};
            live.contact.tangent_impulse = {};
            set_points(live.contact, live.manifold);
            inherit_impulses(live.contact, earlier);
            if (live.manifold.count == 0) {
                tell_end(earlier, scratch);
                continue;
            }
        }
        if (&scratch.contacts[kept] != &live) scratch.contacts[kept] = live;
        ++kept;
    }
    scratch.contacts.resize(kept);
}

// Contacts are overwritten in place: a pool that is emptied and filled anew would use up its generations in a
// day.
void store_contacts(Space& space, const Scratch& scratch) {
    const auto count = static_cast<std::uint32_t>(scratch.contacts.size());
    while (space.contacts.size() > count) space.contacts.remove_at(space.contacts.size() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i < space.contacts.size())
            space.contacts[i] = scratch.contacts[i].contact;
        else if (!space.contacts.add(scratch.contacts[i].contact))
            break;
    }
}

}  // namespace instep::rigid
