// SPDX-License-Identifier: MIT
#include <instep/browser/remote_stage.h>

#include <algorithm>

namespace instep::browser {
namespace {

constexpr double max_latency = 2;  // s; sliders go less far
constexpr double max_loss = 0.9;

}  // namespace

RemoteStage::RemoteStage(match::SharedSetup setup)
    : Stage(std::move(setup)),
      client_(setup_, net::LinkKind::ordered),
      snapshots_(setup_->layout),
      ghost_(setup_->layout),
      input_(setup_->world->input->size) {}

void RemoteStage::set_link(double latency, double jitter, double loss) {
    net::LinkConditions conditions;
    conditions.latency = std::clamp(latency, 0.0, max_latency) / 2;
    conditions.jitter = std::clamp(jitter, 0.0, max_latency) / 2;
    conditions.loss = std::clamp(loss, 0.0, max_loss);
    const bool is_wanted = conditions.latency > 0 || conditions.jitter > 0 || conditions.loss > 0;
    if (!worse_link_ && !is_wanted) return;
    if (!worse_link_)
        worse_link_.emplace(net::SimulatedLink(net::LinkKind::ordered, conditions, 1),
                            net::SimulatedLink(net::LinkKind::ordered, conditions, 2));
    worse_link_->down.set_conditions(conditions);
    worse_link_->up.set_conditions(conditions);
    worse_link_->is_wanted = is_wanted;
}

// What the simulated link still holds is of the old socket.
void RemoteStage::relink() {
    if (worse_link_) {
        worse_link_->down.clear();
        worse_link_->up.clear();
    }
    client_.relink();
}

void RemoteStage::receive(codec::ByteView message, double arrival) {
    bytes_down_ += message.size();
    if (worse_link_)
        worse_link_->down.send(message, arrival);
    else
        client_.receive(message, arrival);
}

bool RemoteStage::speak(double now, codec::Bytes& out) {
    if (worse_link_) {
        for (message_.clear(); client_.write_message(now, message_); message_.clear())
            worse_link_->up.send(message_, now);
        if (!worse_link_->up.receive(now, out)) return false;
    } else {
        out.clear();
        if (!client_.write_message(now, out)) return false;
    }
    bytes_up_ += out.size();
    return true;
}

std::optional<contract::Slot> RemoteStage::own_slot() const {
    if (!client_.joined() || client_.slot() >= contract::most_slots) return {};  // a watcher has no player
    return client_.slot();
}

bool RemoteStage::move_on(double now) {
    if (worse_link_) {
        while (const auto arrival = worse_link_->down.receive(now, message_))
            client_.receive(message_, *arrival);
        const bool is_empty =
            worse_link_->down.bytes_in_flight() == 0 && worse_link_->up.bytes_in_flight() == 0;
        if (is_empty && !worse_link_->is_wanted) worse_link_.reset();
    }
    while (client_.wants_tick(now)) {
        fill_input(*setup_, client_.predicted(), client_.slot(), pad_, input_.data());
        client_.tick(input_.data());
    }
    keep_snapshot();
    const auto times = client_.draw(now, shown_.data());
    if (times) times_ = *times;
    return times.has_value();
}

void RemoteStage::keep_snapshot() {
    if (!client_.joined()) return;
    const double time = static_cast<double>(client_.base_tick()) / setup_->facts.tick_rate;
    if (!snapshots_.empty() && time < snapshots_.newest()) snapshots_.clear();  // another room
    snapshots_.add(time, client_.base());
}

void RemoteStage::draw_ghost(contract::DrawList& list) {
    if (!client_.joined()) return list.clear(&setup_->layout, client_.base());
    auto tick = static_cast<double>(client_.base_tick());
    if (past_times() && !snapshots_.empty()) {
        const double rate = setup_->facts.tick_rate;
        tick = snapshots_.restore_to(past_times()->present / rate, ghost_.data()) * rate;
    } else {
        state::copy(setup_->layout, client_.base(), ghost_.data());
    }
    list.clear(&setup_->layout, ghost_.data());
    setup_->world->view(setup_->value.get(), setup_->layout, ghost_.data(), {.past = tick, .present = tick},
                        list);
}

std::array<double, RemoteStage::statistic_names.size()> RemoteStage::statistics(double now) const {
    const net::ClientStats& stats = client_.stats();
    const net::Clock& clock = client_.clock();
    const bool joined = client_.joined();
    const auto number = [](auto count) { return static_cast<double>(count); };
    return {joined ? 1.0 : 0.0,
            clock.room_time(now),
            clock.round_trip(),
            clock.jitter(),
            joined ? clock.lead(now) : 0,
            joined ? clock.wanted_lead() : 0,
            client_.interpolation_delay().wanted(),
            client_.interpolation_delay().missing(),
            number(client_.base_tick()),
            number(client_.predicted_tick()),
            number(stats.snapshots),
            number(stats.corrections),
            stats.largest_correction,
            number(stats.deepest_rollback),
            number(stats.desyncs),
            number(stats.messages_malformed),
            number(stats.skipped_ticks),
            number(bytes_down_),
            number(bytes_up_)};
}

}  // namespace instep::browser
