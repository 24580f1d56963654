// SPDX-License-Identifier: MIT
// Any bytes from Redis are replies, or an error; how they are cut into pieces changes nothing, and the
// objects are not larger than the bytes allow.
#include <cstdint>
#include <string>
#include <vector>

#include <instep/cluster/redis_reply.h>

#include <tests/fuzz/require.h>

using namespace instep::cluster;

namespace {

std::size_t count_items(const Reply& reply) {
    std::size_t items = 1;
    for (const Reply& item : reply.items) items += count_items(item);
    return items;
}

void describe(const Reply& reply, std::string& out) {
    out += std::to_string(static_cast<int>(reply.kind)) + ":" + std::to_string(reply.integer) + ":" +
           reply.text + "(";
    for (const Reply& item : reply.items) describe(item, out);
    out += ")";
}

std::string read_all(std::string_view bytes, std::size_t piece) {
    ReplyParser parser;
    std::string read;
    std::size_t items = 0;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        parser.feed(bytes.substr(at, piece));
        Reply reply;
        auto next = parser.next(reply);
        for (; next && *next; next = parser.next(reply)) {
            items += count_items(reply);
            describe(reply, read);
        }
        if (!next) {
            REQUIRE(!next.error().text().empty());
            return read + "error";
        }
    }
    REQUIRE(items <= bytes.size());
    return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    REQUIRE(read_all(bytes, 1 + data[0] % 16) == read_all(bytes, bytes.size() + 1));
    return 0;
}
