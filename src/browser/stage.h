// SPDX-License-Identifier: MIT
// A stage is what a page shows and drives: a room on a server (RemoteStage), a match that runs in the page
// (LocalStage) or a recording (RecordedStage). The page advances each of them by its own clock and draws the
// state that results.
//
//     stage.set_pad(pad);  stage.advance(now);  stage.draw(list);  stage.next_event(...)
#pragma once

#include <cstdint>
#include <optional>

#include <instep/browser/controls.h>
#include <instep/browser/state_history.h>
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
          first_setup_(std::move(setup)),
          history_(first_setup_->layout),
          past_(first_setup_->layout) {}
    virtual ~Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    virtual StageKind kind() const = 0;  // instead of RTTI, which the module is built without
    const match::SharedSetup& setup() const { return setup_; }
    // The player that this page controls or follows.
    virtual std::optional<contract::Slot> own_slot() const = 0;
    void set_pad(const Pad& pad) { pad_ = pad.sanitized(); }

    // `now` is the page's clock, in seconds.
    void advance(double now) {
        if (move_on(now)) {
            has_state_ = true;
            if (!shows_past_) history_.add(time_of(now), shown_.data(), times_);
        }
        if (!shows_past_) return;
        state::copy(setup_->layout, past_.data(), shown_.data());
        times_ = past_times_;
    }
    // Shows the state of that many seconds ago until it is called with 0. The match goes on meanwhile.
    void look_back(double seconds, double now) {
        if (!shows_past_) looked_back_at_ = time_of(now);
        shows_past_ = seconds > 0 && !history_.empty();
        if (!shows_past_) return;
        history_.restore_to(looked_back_at_ - seconds, past_.data());
        past_times_ = history_.draw_times_at(looked_back_at_ - seconds);
    }
    bool has_state() const { return has_state_; }
    const std::byte* shown() const { return shown_.data(); }
    const contract::DrawTimes& times() const { return times_; }
    void draw(contract::DrawList& list) const {
        list.clear(&setup_->layout, shown_.data());
        if (has_state_) setup_->world->view(setup_->value.get(), setup_->layout, shown_.data(), times_, list);
    }
    virtual bool next_event(present::EventNotice& notice) = 0;
    // The state that the prediction begins with: an element with a later generation is predicted, and may get
    // another handle. Null: nothing is predicted.
    virtual const std::byte* base() const { return nullptr; }

protected:
    // Shows a match's current tick, without blending.
    void show(const match::Match& match) {
        state::copy(setup_->layout, match.state(), shown_.data());
        times_ = match.draw_times();
        has_state_ = true;
    }
    // Brings shown_ and times_ to what is to be drawn at `now`. False: there is no state yet.
    virtual bool move_on(double now) = 0;
    // Of the state that look_back() shows; null: the present is shown.
    const contract::DrawTimes* past_times() const { return shows_past_ ? &past_times_ : nullptr; }
    // The clock of the history: the page's, unless the stage has its own.
    virtual double time_of(double now) const { return now; }

    match::SharedSetup setup_;
    Pad pad_;
    state::Block shown_;
    contract::DrawTimes times_;  // of the parts of shown_

private:
    match::SharedSetup first_setup_;  // keeps the layout alive when setup_ is replaced by one of equal layout

protected:
    StateHistory history_;

private:
    bool has_state_ = false;
    bool shows_past_ = false;
    double looked_back_at_ = 0;
    state::Block past_;
    contract::DrawTimes past_times_;
};

}  // namespace instep::browser
