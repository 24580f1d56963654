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
#include <instep/contract/draw_times.h>
#include <instep/present/event_feed.h>

namespace instep::browser {

enum class StageKind : std::uint8_t { remote, local, recorded };

class Stage {
public:
    explicit Stage(match::SharedSetup setup)
        : setup_(setup),
          shown_(setup->layout),
          form_(std::move(setup)),
          album_(form_->layout),
          looked_at_(form_->layout) {}
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
            if (!looks_back_) album_.add(time_of(now), shown_.data(), times_);
        }
        if (!looks_back_) return;
        state::copy(setup_->layout, looked_at_.data(), shown_.data());
        times_ = looked_at_times_;
    }
    // Shows what was that long ago, and stays there; 0: now again. Play goes on meanwhile.
    void look_back(double seconds, double now) {
        if (!looks_back_) looked_back_at_ = time_of(now);
        looks_back_ = seconds > 0 && !album_.empty();
        if (!looks_back_) return;
        album_.restore_to(looked_back_at_ - seconds, looked_at_.data());
        looked_at_times_ = album_.draw_times_at(looked_back_at_ - seconds);
    }
    bool is_there() const { return is_there_; }
    const std::byte* shown() const { return shown_.data(); }
    void draw(contract::DrawList& list) const {
        list.clear();
        if (is_there_) setup_->world->view(setup_->value.get(), setup_->layout, shown_.data(), times_, list);
    }
    virtual bool next_event(present::EventNotice& notice) = 0;

protected:
    // Brings shown_ and times_ to what there is to see at `now`. False: nothing yet.
    virtual bool move_on(double now) = 0;
    // By which its pictures are kept: the page's own, if a stage has no other.
    virtual double time_of(double now) const { return now; }

    match::SharedSetup setup_;
    Pad pad_;
    state::Block shown_;
    contract::DrawTimes times_;  // of the parts of shown_

private:
    match::SharedSetup form_;  // setup_ may be exchanged for one of the same layout; this one stays

protected:
    Album album_;

private:
    bool is_there_ = false;
    bool looks_back_ = false;
    double looked_back_at_ = 0;
    state::Block looked_at_;
    contract::DrawTimes looked_at_times_;
};

}  // namespace instep::browser
