// SPDX-License-Identifier: MIT
#include <instep/net/stream_machine.h>

#include <utility>

namespace instep::net {

std::string_view name_of(StreamState state) {
    switch (state) {
        case StreamState::awaiting_keyframe: return "awaiting_keyframe";
        case StreamState::streaming: return "streaming";
        case StreamState::delta_from_acknowledged: return "delta_from_acknowledged";
        case StreamState::link_full: return "link_full";
        case StreamState::leaving: return "leaving";
    }
    std::unreachable();
}

std::string_view name_of(StreamEvent event) {
    switch (event) {
        case StreamEvent::keyframe_sent: return "keyframe_sent";
        case StreamEvent::keyframe_sent_after_loss: return "keyframe_sent_after_loss";
        case StreamEvent::link_filled: return "link_filled";
        case StreamEvent::link_drained: return "link_drained";
        case StreamEvent::loss_reported: return "loss_reported";
        case StreamEvent::keyframe_needed: return "keyframe_needed";
        case StreamEvent::acknowledged_after_loss: return "acknowledged_after_loss";
        case StreamEvent::loss_forgotten: return "loss_forgotten";
        case StreamEvent::cell_changed: return "cell_changed";
        case StreamEvent::left: return "left";
    }
    std::unreachable();
}

bool StreamMachine::apply(StreamEvent event) {
    for (const Transition& transition : transitions) {
        if (transition.link != link_ || transition.from != state_ || transition.event != event) continue;
        state_ = transition.to;
        return true;
    }
    return false;
}

}  // namespace instep::net
