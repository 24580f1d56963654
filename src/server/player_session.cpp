// SPDX-License-Identifier: MIT
#include <instep/server/player_session.h>

#include <instep/net/messages.h>
#include <instep/server/player_name.h>

namespace instep::server {
namespace {

constexpr std::uint16_t normal_closure = 1000;  // RFC 6455, 7.4.1: the client left on purpose

}  // namespace

void PlayerSession::received(codec::ByteView message) {
    const std::shared_ptr<Room> room = room_.lock();
    if (!room) return turn_away();
    if (!has_entered_ && protocol_ == Protocol::instep) return enter(*room, message);
    if (has_entered_ || enter(*room, net::Hello{})) room->inbox().deliver(id_, message);
}

void PlayerSession::enter(Room& room, codec::ByteView message) {
    const auto hello = net::read_hello(message);
    if (!hello)
        return refuse(RefusalReason::wrong_hello, "the first message must be a hello of this version");
    if (const std::string why = net::refusal_of(*hello, room.setup()); !why.empty())
        return refuse(RefusalReason::wrong_hello, why);
    if (const std::string_view objection = objection_to_name(hello->name.view()); !objection.empty())
        return refuse(RefusalReason::wrong_name, std::string(objection));
    enter(room, *hello);
}

bool PlayerSession::enter(Room& room, const net::Hello& hello) {
    if (token_)
        if (const auto spent = token_->spend(); !spent) {
            refuse(spent.error().reason, spent.error().message);
            return false;
        }
    has_entered_ = true;
    const bool is_open = room.inbox().enter(id_, connection_.lock(), hello, ticket_, protocol_);
    if (is_open) return true;
    if (token_) token_->give_back();
    turn_away();
    return false;
}

// The room ended before the hello came.
void PlayerSession::turn_away() {
    const std::shared_ptr<Connection> connection = connection_.lock();
    const auto moved = protocol_ == Protocol::instep ? find_move_() : std::nullopt;
    if (!moved) return connection->refuse({RefusalReason::room_ended, "the room has just been closed"});
    codec::Bytes message;
    net::write(*moved, message);
    connection->send(message);
    connection->close();
}

void PlayerSession::closed(const CloseReason& reason) {
    if (const auto room = room_.lock()) room->inbox().leave(id_, reason.code == normal_closure);
}

// Also as a message, for clients of ours that do not see the reason of a WebSocket's close.
void PlayerSession::refuse(RefusalReason reason, const std::string& why) {
    const std::shared_ptr<Connection> connection = connection_.lock();
    if (protocol_ == Protocol::instep) {
        codec::Bytes message;
        net::write_refusal(why, message);
        connection->send(message);
    }
    connection->refuse({reason, why});
}

}  // namespace instep::server
