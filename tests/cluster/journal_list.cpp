// SPDX-License-Identifier: MIT
// What is in a journal, for tests/cluster/chaos.py. Reads lines "entry HEX" and "image HEX"; writes for each
// the first tick, the last one and the hash of the state after it, or "refused" and why.
#include <cstdio>
#include <iostream>
#include <string>

#include <instep/server/journal_entry.h>

namespace {

using namespace instep;

codec::Bytes bytes_of(std::string_view hex) {
    codec::Bytes bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
    return bytes;
}

void print(std::uint64_t first, std::uint64_t last, std::uint64_t hash) {
    std::cout << first << ' ' << last << ' ' << state::hash_text(hash) << '\n';
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string kind, hex; std::cin >> kind >> hex;) {
        const codec::Bytes bytes = bytes_of(hex);
        if (kind == "entry") {
            const auto entry = server::read_head(bytes);
            if (entry)
                print(entry->first, entry->last, entry->hash);
            else
                std::cout << "refused " << entry.error().text() << '\n';
        } else {
            const auto image = server::read_room_image(bytes);
            if (image)
                print(image->host.match.tick, image->host.match.tick, image->host.match.hash);
            else
                std::cout << "refused " << image.error().text() << '\n';
        }
    }
    return 0;
}
