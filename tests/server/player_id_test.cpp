// SPDX-License-Identifier: MIT
#include <instep/server/player_id.h>

#include <set>

#include <doctest/doctest.h>

using instep::server::PlayerId;

TEST_CASE("player id: identities of one kind are equal if their texts are") {
    CHECK(PlayerId::resume_key("0123456789abcdef") == PlayerId::resume_key("0123456789abcdef"));
    CHECK(PlayerId::resume_key("0123456789abcdef") != PlayerId::resume_key("0123456789abcdeF"));
    CHECK(PlayerId::token("player-0123456789") == PlayerId::token("player-0123456789"));
    CHECK(PlayerId::token("player-0123456789") != PlayerId::token("player-0123456788"));
}

TEST_CASE("player id: a key never equals a token's player or an anonymous player") {
    for (const char* text : {"", "@", "1", "#1", "player-0123456789"}) {
        CAPTURE(text);
        CHECK(PlayerId::resume_key(text) != PlayerId::token(text));
        CHECK(PlayerId::resume_key(text) != PlayerId::anonymous());
        CHECK(PlayerId::token(text) != PlayerId::anonymous());
    }
}

TEST_CASE("player id: an anonymous player equals itself alone and cannot resume") {
    const PlayerId first = PlayerId::anonymous();
    CHECK(first == PlayerId(first));
    CHECK(first != PlayerId::anonymous());
    CHECK(!first.can_resume());
    CHECK(PlayerId::resume_key("0123456789abcdef").can_resume());
    CHECK(PlayerId::token("player-0123456789").can_resume());
}

TEST_CASE("player id: the order is total, as a map needs it") {
    std::set<PlayerId> ids;
    for (const char* text : {"a", "b", "c"}) {
        ids.insert(PlayerId::resume_key(text));
        ids.insert(PlayerId::token(text));
        ids.insert(PlayerId::anonymous());
    }
    CHECK(ids.size() == 9);
    CHECK(ids.contains(PlayerId::resume_key("b")));
    CHECK(ids.contains(PlayerId::token("c")));
    CHECK(!ids.contains(PlayerId::token("d")));
    for (auto at = ids.begin(); std::next(at) != ids.end(); ++at) CHECK(*at < *std::next(at));
}
