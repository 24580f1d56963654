// SPDX-License-Identifier: MIT
// Boxes around the final displacements, a broad phase of their own, and the overlaps of the last step merged
// with those of this one, both in the order of contact_key().
#include <instep/rigid/sensors.h>

#include <algorithm>

#include <instep/rigid/continuous.h>
#include <instep/rigid/distance.h>
#include <instep/rigid/integrate.h>
#include <instep/rigid/pairs.h>

namespace instep::rigid {
namespace {

class SensorUpdate {
public:
    SensorUpdate(const Space& space, Scratch& scratch) : space_(space), scratch_(scratch) {}

    void run() {
        find_candidates();
        for (const ProxyPair& pair : scratch_.sensor_pairs) update_pair(pair);
        while (has_stored()) end(space_.contacts[next_stored_++]);
    }

private:
    const BodyRef& body_of(const Proxy& proxy) const { return scratch_.bodies[proxy.body]; }
    const Shape& shape_of(const Proxy& proxy) const { return body_of(proxy).def.shapes[proxy.shape]; }

    Sweep sweep_of(const Proxy& proxy) const {
        const BodyRef& body = body_of(proxy);
        if (!body.is_active()) return {body.position, {}, body.angle, 0};
        const SolverBody& solver_body = scratch_.solver_bodies[proxy.body];
        return {body.position, solver_body.displacement, body.angle, solver_body.delta_angle};
    }

    bool sees(const Proxy& sensor, const Proxy& other) const {
        if (other.sensor || sensor.body == other.body) return false;
        const bool both_fixed =
            body_of(sensor).def.type == BodyType::fixed && body_of(other).def.type == BodyType::fixed;
        return !both_fixed && (sensor.group == 0 || sensor.group != other.group) &&
               rigid::may_touch(sensor.filter, other.filter);
    }

    std::uint64_t key_of_pair(ProxyPair pair) const {
        const Proxy& low = scratch_.proxies[pair.low];
        const Proxy& high = scratch_.proxies[pair.high];
        return contact_key(low.id, low.shape, high.id, high.shape);
    }

    void find_candidates() {
        scratch_.sensor_boxes.clear();
        for (std::uint32_t i = 0; i < scratch_.proxies.size(); ++i) {
            const Proxy& proxy = scratch_.proxies[i];
            const Sweep sweep = sweep_of(proxy);
            scratch_.sensor_boxes.push_back(
                scratch_.boxes[i]
                    .swept(sweep.displacement)
                    .expanded(rotation_extent(body_of(proxy).def, shape_of(proxy), sweep.delta_angle)));
        }
        scratch_.sensor_phase.build(scratch_.sensor_boxes);
        scratch_.sensor_pairs.clear();
        for (std::uint32_t i = 0; i < scratch_.proxies.size(); ++i) {
            if (!scratch_.proxies[i].sensor) continue;
            scratch_.sensor_phase.for_each_overlap(scratch_.sensor_boxes[i], [&](std::uint32_t other) {
                if (!sees(scratch_.proxies[i], scratch_.proxies[other])) return;
                if (scratch_.sensor_pairs.size() < scratch_.sensor_pairs.capacity())
                    scratch_.sensor_pairs.push_back({std::min(i, other), std::max(i, other)});
                else
                    ++scratch_.report.dropped;
            });
        }
        // total order: no two keys are equal
        std::sort(scratch_.sensor_pairs.begin(), scratch_.sensor_pairs.end(),
                  [&](ProxyPair a, ProxyPair b) { return key_of_pair(a) < key_of_pair(b); });
    }

    // Moves on to the next stored overlap.
    bool has_stored() {
        while (next_stored_ < space_.contacts.size() && !is_sensor_overlap(space_.contacts[next_stored_]))
            ++next_stored_;
        return next_stored_ < space_.contacts.size();
    }

    void update_pair(ProxyPair pair) {
        const std::uint64_t key = key_of_pair(pair);
        while (has_stored() && key_of(space_.contacts[next_stored_]) < key)
            end(space_.contacts[next_stored_++]);
        const Proxy& low = scratch_.proxies[pair.low];
        const Proxy& high = scratch_.proxies[pair.high];
        Contact overlap;
        overlap.a = body_of(low).handle;
        overlap.b = body_of(high).handle;
        overlap.shape_a = low.shape;
        overlap.shape_b = high.shape;
        overlap.touching = true;
        bool was_inside = false;
        if (has_stored() && key_of(space_.contacts[next_stored_]) == key) {
            const Contact& earlier = space_.contacts[next_stored_++];
            was_inside = earlier.a == overlap.a && earlier.b == overlap.b;  // ids are reused, handles are not
            if (!was_inside) end(earlier);
        }
        const bool is_inside = overlaps_at_end(low, high);
        if (!was_inside && !is_inside && !touches_on_the_way(low, high)) return;
        if (!was_inside) report(SensorEvent::Kind::begin, overlap);
        if (is_inside && has_capacity())
            scratch_.sensor_contacts.push_back(overlap);
        else
            end(overlap);
    }

    bool has_capacity() {
        if (scratch_.contacts.size() + scratch_.sensor_contacts.size() < scratch_.contacts.capacity())
            return true;
        ++scratch_.report.dropped;
        return false;
    }

    bool overlaps_at_end(const Proxy& low, const Proxy& high) const {
        Hull hull_low;
        Hull hull_high;
        transform(shape_of(low).hull, sweep_of(low).at(1), hull_low);
        transform(shape_of(high).hull, sweep_of(high).at(1), hull_high);
        return hull_distance(hull_low, hull_high).distance <= 0;
    }

    bool touches_on_the_way(const Proxy& low, const Proxy& high) const {
        const Shape& a = shape_of(low);
        const Shape& b = shape_of(high);
        return time_of_impact(a.hull, a.max_extent, sweep_of(low), b.hull, b.max_extent, sweep_of(high),
                              -impact_tolerance) < 1;
    }

    void end(const Contact& overlap) { report(SensorEvent::Kind::end, overlap); }

    void report(SensorEvent::Kind kind, const Contact& overlap) {
        if (scratch_.sensor_events.size() == scratch_.sensor_events.capacity()) return;
        const std::uint32_t a = index_of(overlap.a, scratch_);
        const std::uint32_t b = index_of(overlap.b, scratch_);
        const auto is_sensor = [&](std::uint32_t index, std::uint8_t shape) {
            return index != no_body && shape < scratch_.bodies[index].def.shapes.size() &&
                   scratch_.bodies[index].def.shapes[shape].sensor;
        };
        // Of an overlap whose sensor is gone, the body that is left is the visitor.
        const bool a_is_sensor =
            is_sensor(a, overlap.shape_a) || (!is_sensor(b, overlap.shape_b) && a == no_body);
        if (a_is_sensor)
            scratch_.sensor_events.push_back({kind, overlap.a, overlap.b, overlap.shape_a, overlap.shape_b});
        else
            scratch_.sensor_events.push_back({kind, overlap.b, overlap.a, overlap.shape_b, overlap.shape_a});
    }

    const Space& space_;
    Scratch& scratch_;
    std::uint32_t next_stored_ = 0;
};

}  // namespace

void update_sensors(const Space& space, Scratch& scratch) {
    scratch.sensor_events.clear();
    scratch.sensor_contacts.clear();
    if (scratch.has_sensors) SensorUpdate(space, scratch).run();
}

}  // namespace instep::rigid
