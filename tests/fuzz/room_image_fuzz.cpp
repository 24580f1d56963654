// SPDX-License-Identifier: MIT
// Any bytes are refused as the image of a room, or a host goes on from it and its match stays legal. The
// magic number and the hash at the end are always corrected, so that the fuzzer gets beyond them.
#include <instep/net/host.h>
#include <instep/server/room_image.h>

#include <tests/fuzz/require.h>

using namespace instep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const match::SharedSetup box = *match::load_builtin_setup("bounce", "box");
    constexpr int ticks = 20;
    codec::Bytes bytes;
    record::begin_image("INSTEPI1", bytes);
    bytes.insert(bytes.end(), reinterpret_cast<const std::byte*>(data),
                 reinterpret_cast<const std::byte*>(data) + size);
    record::end_image(bytes);
    auto image = server::read_room_image(bytes);
    if (!image) {
        REQUIRE(!image.error().what.empty());
        return 0;
    }
    codec::Bytes written;
    write(*image, written);
    REQUIRE(server::read_room_image(written).has_value());
    // Its level is not loaded: levels have a fuzzer of their own.
    net::Host host(box, 1, image->host.mode);
    const auto loaded = host.load(image->host);
    if (!loaded) {
        REQUIRE(!loaded.error().what.empty());
        return 0;
    }
    for (int i = 0; i < ticks; ++i) host.step();
    REQUIRE(box->world->validate(box->value.get(), box->layout, host.match().state()).has_value());
    return 0;
}
