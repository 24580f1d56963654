// SPDX-License-Identifier: MIT
// What a page looks at: a room over the network (RemoteStage), a match of its own (LocalStage) or a recorded
// one (RecordedStage). A page moves any of them on with its own clock and draws the state it gets.
//
//     stage.set_pad(what hands do);  stage.advance(now);  stage.draw(list);  stage.next_event(...)
#pragma once

#include <cstdint>
#include <optional>

#include <instep/browser/album.h>
#include <instep/browser/controls.h>
#include <instep/contract/draw_list.h>
#include <instep/net/event_feed.h>

namespace instep::browser {

enum class StageKind : std::uint8_t { remote, local, recorded };

class Stage {
public:
    explicit Stage(match::SharedSetup setup)
        : setup_(setup), shown_(setup->layout), form_(std::move(setup)), album_(form_->layout) {}
    virtual ~Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    virtual StageKind kind() const = 0;  // modules are built without RTTI
    const match::SharedSetup& setup() const { return setup_; }
    // The player that this page plays or follows.
    virtual std::optional<contract::Slot> own_slot() const = 0;
    void set_pad(const Pad& pad) { pad_ = pad.sane(); }

    // To the page's time, in seconds.
    void advance(double now) {
        if (move_on(now)) {
            is_there_ = true;
            if (looking_back_ == 0) album_.add(now, shown_.data());
        }
        if (looking_back_ > 0 && !album_.empty())
            album_.restore_to(looked_back_at_ - looking_back_, shown_.data());
    }
    // Shows what was that long ago, and stays there; 0: now again. Play goes on meanwhile.
    void look_back(double seconds, double now) {
        if (looking_back_ == 0) looked_back_at_ = now;
        looking_back_ = seconds > 0 ? seconds : 0;
    }
    bool is_there() const { return is_there_; }
    const std::byte* shown() const { return shown_.data(); }
    void draw(contract::DrawList& list) const {
        list.clear();
        if (is_there_) setup_->world->view(setup_->value.get(), setup_->layout, shown_.data(), list);
    }
    virtual bool next_event(net::EventNotice& notice) = 0;

protected:
    // Brings shown_ to what there is to see at `now`. False: nothing yet.
    virtual bool move_on(double now) = 0;

    match::SharedSetup setup_;
    Pad pad_;
    state::Block shown_;

private:
    match::SharedSetup form_;  // setup_ may be exchanged for one of the same layout; this one stays
    Album album_;
    bool is_there_ = false;
    double looking_back_ = 0;  // s
    double looked_back_at_ = 0;
};

}  // namespace instep::browser
