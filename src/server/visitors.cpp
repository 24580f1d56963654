// SPDX-License-Identifier: MIT
#include <instep/server/visitors.h>

#include <instep/net/messages.h>

namespace instep::server {
namespace {

constexpr std::uint16_t left_on_purpose = 1000;  // "normal closure" (RFC 6455, 7.4.1)

// Holds neither its room nor its line: the room holds the line, and the line holds this.
class Player final : public Visitor {
public:
    Player(const std::shared_ptr<Room>& room, Guest guest) : room_(room), guest_(guest) {}

    void opened(std::shared_ptr<Line> line) override { line_ = line; }

    void heard(codec::ByteView message) override {
        const std::shared_ptr<Room> room = room_.lock();
        if (!room) return line_.lock()->refuse({Cause::room_ended, "the room has been closed"});
        if (has_entered_) return room->deliver(guest_, message);
        const auto hello = net::read_hello(message);
        if (!hello) return refuse(Cause::wrong_hello, "the first message must be a hello of this version");
        if (const std::string why = net::refusal_of(*hello, room->setup()); !why.empty())
            return refuse(Cause::wrong_hello, why);
        if (hello->name.view().empty())
            return refuse(Cause::wrong_name, "a player needs a name of 1 to 24 bytes");
        has_entered_ = true;
        room->enter(guest_, line_.lock(), *hello);
    }

    void closed(const Parting& parting) override {
        if (const auto room = room_.lock()) room->depart(guest_, parting.code == left_on_purpose);
    }

private:
    // In our own words too, for those who do not see how a WebSocket was closed.
    void refuse(Cause cause, const std::string& why) {
        codec::Bytes message;
        net::write_refusal(why, message);
        const std::shared_ptr<Line> line = line_.lock();
        line->send(message);
        line->refuse({cause, why});
    }

    std::weak_ptr<Room> room_;
    Guest guest_;
    std::weak_ptr<Line> line_;  // there whenever it calls
    bool has_entered_ = false;
};

}  // namespace

std::unique_ptr<Visitor> make_player(const std::shared_ptr<Room>& room, Guest guest) {
    return std::make_unique<Player>(room, guest);
}

}  // namespace instep::server
