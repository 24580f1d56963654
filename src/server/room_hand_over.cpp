// SPDX-License-Identifier: MIT
// A room that goes on in another process. It is played by one process at any time: it stands still here until
// its carrier knows for certain where it goes on.
#include <instep/server/room.h>

#include <utility>

namespace instep::server {

void Room::hand_over(std::shared_ptr<RoomCarrier> carrier, RoomCarrier::Done done) {
    strand_.post([self = shared_from_this(), carrier = std::move(carrier), done = std::move(done)]() mutable {
        self->begin_hand_over(carrier, std::move(done));
    });
}

// The image is made between two ticks, and becomes bytes on another thread: other rooms tick meanwhile. What
// has arrived is taken into it; clients send the rest again, since it was not acknowledged.
void Room::begin_hand_over(const std::shared_ptr<RoomCarrier>& carrier, RoomCarrier::Done done) {
    if (has_ended()) return done(std::unexpected("the room has ended"));
    if (config_.journal)
        return done(std::unexpected("rooms of a cluster go on at another server when this one is stopped"));
    if (is_handed_over_) return done(std::unexpected("the room is being handed over already"));
    const Time since = Clock::now();
    process_inbox();
    is_handed_over_ = true;
    loop_.post_blocking([self = shared_from_this(), carrier, done = std::move(done), since,
                         image = std::make_shared<const RoomImage>(save())]() mutable {
        codec::Bytes bytes;
        write(*image, bytes);
        const std::size_t size = bytes.size();
        const auto carried = [self, done, since, size](const RoomCarrier::Outcome& outcome) {
            self->strand_.post(
                [self, done, since, size, outcome] { self->end_hand_over(outcome, done, since, size); });
        };
        if (size > RoomImage::max_bytes)
            return carried(std::unexpected("its image has " + std::to_string(size) +
                                           " bytes, and another server takes at most " +
                                           std::to_string(RoomImage::max_bytes)));
        carrier->carry(std::move(bytes), carried);
    });
}

void Room::end_hand_over(const RoomCarrier::Outcome& outcome, const RoomCarrier::Done& done, Time since,
                         std::size_t bytes) {
    is_handed_over_ = false;
    done(outcome);
    if (has_ended()) return;  // the operator closed it meanwhile
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - since).count();
    if (!outcome) {
        log_.error("hand_over_failed", {{"room", config_.name},
                                        {"tick", tick()},
                                        {"ms", ms},
                                        {"bytes", bytes},
                                        {"message", outcome.error()}});
        ++metrics_.hand_overs_failed;
        strand_.run_at(due_at(host_.match().tick() + 1),
                       [self = shared_from_this()] { return self->run_due_ticks(); });
        return;
    }
    ++metrics_.rooms_handed_over;
    log_.info("room_moved", {{"room", config_.name},
                             {"tick", tick()},
                             {"hash", state::hash_text(host_.match().hash())},
                             {"address", *outcome},
                             {"players", players()},
                             {"ms", ms},
                             {"bytes", bytes}});
    codec::Bytes message;
    net::write(net::Moved::to(*outcome, config_.name), message);
    finish("it goes on at " + *outcome, [&](Connection& connection) {
        connection.send(message);
        connection.close();
    });
}

}  // namespace instep::server
