// SPDX-License-Identifier: MIT
// What a game that is being edited tells its pages: which build this server plays, and what kept a newer one
// from being played. Only `NAME dev` starts a server with it.
#pragma once

#include <string>
#include <utility>

#include <instep/server/mutex.h>
#include <instep/state/json.h>

namespace instep::server {

// All functions may be called from any thread.
class BuildStatus {
public:
    static constexpr std::size_t most_message = 8192;  // bytes: a few errors of a compiler

    // An empty id: nothing is being edited here.
    explicit BuildStatus(std::string id) : id_(std::move(id)) {}

    const std::string& id() const { return id_; }
    void set_message(std::string message) {
        const LockGuard lock(mutex_);
        message_ = std::move(message);
    }
    // {"build": "...", "message": "..."}; an empty message: nothing is wrong.
    std::string json() const {
        const LockGuard lock(mutex_);
        return state::write_json(state::Json::Object{{"build", id_}, {"message", message_}}) + "\n";
    }

private:
    const std::string id_;
    mutable Mutex mutex_;
    std::string message_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
