// SPDX-License-Identifier: MIT
#include <instep/browser/remote_stage.h>

#include <algorithm>

namespace instep::browser {
namespace {

constexpr net::LinkConditions perfect{.latency = 0};
constexpr double most_latency = 2;  // s; sliders go less far
constexpr double most_loss = 0.9;

}  // namespace

RemoteStage::RemoteStage(match::SharedSetup setup)
    : Stage(std::move(setup)),
      client_(setup_, net::LinkKind::ordered),
      down_(net::LinkKind::ordered, perfect, 1),
      up_(net::LinkKind::ordered, perfect, 2),
      input_(setup_->world->input->size) {}

void RemoteStage::set_link(double latency, double jitter, double loss) {
    net::LinkConditions conditions = perfect;
    conditions.latency = std::clamp(latency, 0.0, most_latency) / 2;
    conditions.jitter = std::clamp(jitter, 0.0, most_latency) / 2;
    conditions.loss = std::clamp(loss, 0.0, most_loss);
    down_.set_conditions(conditions);
    up_.set_conditions(conditions);
}

void RemoteStage::receive(codec::ByteView message, double now) {
    bytes_down_ += message.size();
    down_.send(message, now);
}

bool RemoteStage::speak(double now, codec::Bytes& out) {
    if (!up_.receive(now, out)) return false;
    bytes_up_ += out.size();
    return true;
}

std::optional<contract::Slot> RemoteStage::own_slot() const {
    if (!client_.joined()) return {};
    return client_.slot();
}

bool RemoteStage::move_on(double now) {
    while (down_.receive(now, message_)) client_.receive(message_, now);
    while (client_.wants_tick(now)) {
        fill_input(*setup_, client_.predicted(), client_.slot(), pad_, input_.data());
        client_.tick(input_.data());
    }
    message_.clear();
    if (client_.write_message(now, message_)) up_.send(message_, now);
    const auto times = client_.draw(now, shown_.data());
    if (times) times_ = *times;
    return times.has_value();
}

void RemoteStage::draw_ghost(contract::DrawList& list) const {
    list.clear();
    const auto time = static_cast<double>(client_.base_tick());
    if (client_.joined())
        setup_->world->view(setup_->value.get(), setup_->layout, client_.base(),
                            {.past = time, .present = time}, list);
}

std::array<double, RemoteStage::statistic_names.size()> RemoteStage::statistics(double now) const {
    const net::ClientStats& figures = client_.stats();
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
            number(figures.snapshots),
            number(figures.corrections),
            figures.largest_correction,
            number(figures.deepest_rollback),
            number(figures.desyncs),
            number(figures.messages_malformed),
            number(figures.skipped_ticks),
            number(bytes_down_),
            number(bytes_up_)};
}

}  // namespace instep::browser
