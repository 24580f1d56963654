// SPDX-License-Identifier: MIT
#include <instep/server/visitors.h>

#include <instep/net/messages.h>

namespace instep::server {
namespace {

constexpr std::uint16_t left_on_purpose = 1000;  // "normal closure" (RFC 6455, 7.4.1)

class Player final : public Visitor {
public:
    Player(std::shared_ptr<Room> room, Guest guest) : room_(std::move(room)), guest_(guest) {}

    void opened(std::shared_ptr<Line> line) override { line_ = std::move(line); }

    void heard(ByteView message) override {
        if (has_entered_) return room_->deliver(guest_, message);
        const auto hello = net::read_hello(message);
        if (!hello) return refuse(Cause::wrong_hello, "the first message must be a hello of this version");
        if (const std::string why = net::refusal_of(*hello, room_->setup()); !why.empty())
            return refuse(Cause::wrong_hello, why);
        if (hello->name.view().empty())
            return refuse(Cause::wrong_name, "a player needs a name of 1 to 24 bytes");
        has_entered_ = true;
        room_->enter(guest_, line_, *hello);
    }

    void closed(const Parting& parting) override {
        room_->depart(guest_, parting.code == left_on_purpose);
        line_.reset();
    }

private:
    // In our own words too, for those who do not see how a WebSocket was closed.
    void refuse(Cause cause, const std::string& why) {
        Bytes message;
        net::write_refusal(why, message);
        line_->send(message);
        line_->refuse({cause, why});
    }

    std::shared_ptr<Room> room_;
    Guest guest_;
    std::shared_ptr<Line> line_;
    bool has_entered_ = false;
};

}  // namespace

std::unique_ptr<Visitor> make_player(std::shared_ptr<Room> room, Guest guest) {
    return std::make_unique<Player>(std::move(room), guest);
}

}  // namespace instep::server
