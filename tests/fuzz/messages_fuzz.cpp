// SPDX-License-Identifier: MIT
// Any bytes are a message or none, for each kind of message and both kinds of rooms. The first byte says who
// reads the rest. What a client hears leaves it with a legal state, whether it was told something or not.
#include <instep/match/random_script.h>
#include <instep/net/client.h>
#include <instep/net/host.h>
#include <instep/net/own_entities.h>

#include <tests/fuzz/require.h>

using namespace instep;
using namespace instep::net;

namespace {

// A room of bounce that has been played for a while, and what a newcomer is told of it.
struct Room {
    match::SharedSetup setup = *match::load_builtin_setup("bounce", "box");
    Bytes whole[2];

    Room() {
        for (const RoomKind kind : {RoomKind::snapshots, RoomKind::relay}) {
            match::Match match(setup, 1);
            match::RandomScript script(match, 2);
            while (match.tick() < 600) match.step(script.next());
            Teller teller(*setup, kind, LinkKind::ordered);
            const TickLog log(*setup, 1);
            teller.tell(static_cast<std::uint32_t>(match.tick() / setup->facts.snapshot_every), match.state(),
                        log);
            teller.write_whole(whole[static_cast<std::size_t>(kind)]);
        }
    }
};

void hear(const Room& room, RoomKind kind, ByteView bytes) {
    Listener listener(*room.setup, kind);
    REQUIRE(listener.hear(room.whole[static_cast<std::size_t>(kind)]) == Heard::told);
    listener.hear(bytes);
    REQUIRE(room.setup->world->validate(room.setup->value.get(), room.setup->layout, listener.told()));
    state::Block block(room.setup->layout);
    std::memcpy(block.data(), listener.told(), room.setup->layout.size);
    Reader reader(bytes);
    decode_own(reader, room.setup->layout, block.data(), 0);
}

void serve(const Room& room, ByteView bytes) {
    Host host(room.setup, 1, RoomKind::snapshots);
    REQUIRE(host.join("fuzz", LinkKind::datagram));
    for (int i = 0; i < 4; ++i) {
        host.step();
        host.receive(0, bytes, 0.02 * i);
        Bytes out;
        host.write_message(0, true, 0.02 * i, out);
    }
    REQUIRE(room.setup->world->validate(room.setup->value.get(), room.setup->layout, host.match().state()));
}

void play(const Room& room, ByteView bytes) {
    Client client(room.setup, LinkKind::ordered);
    client.receive(bytes, 1);
    Bytes out;
    client.write_message(1, out);
    state::Block block(room.setup->layout);
    client.draw(1, block.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Room room;
    if (size == 0) return 0;
    const ByteView bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    switch (data[0] % 4) {
        case 0: hear(room, RoomKind::snapshots, bytes); break;
        case 1: hear(room, RoomKind::relay, bytes); break;
        case 2: serve(room, bytes); break;
        default: play(room, bytes); break;
    }
    return 0;
}
