// SPDX-License-Identifier: MIT
#include <instep/net/messages.h>

#include <tests/net/logged_match.h>
#include <tests/support/property.h>

#include <instep/match/random_input.h>

using namespace instep;
using namespace instep::net;

namespace {

InputMessage random_message(const state::StructInfo& info, math::Random& random) {
    InputMessage message;
    message.acknowledged = static_cast<std::uint32_t>(random.next());
    message.decode_failed = random.below(2) == 0;
    message.count = random.below(max_repeated_inputs + 1);
    if (message.count > 0) {
        message.first_tick = static_cast<std::uint32_t>(random.next());
        message.first_sequence = static_cast<std::uint32_t>(random.next());
        message.inputs.resize(message.count * info.size);
        for (std::uint32_t i = 0; i < message.count; ++i) {
            match::random_input(info, random, message.inputs.data() + i * info.size);
            codec::quantise_struct(info, message.inputs.data() + i * info.size);
        }
    }
    if (random.below(2) == 0) message.predicted_hash = static_cast<std::uint32_t>(random.next());
    if (random.below(2) == 0) message.probe = static_cast<std::uint8_t>(random.next());
    return message;
}

}  // namespace

TEST_CASE("messages: quantised inputs are read as they were written") {
    test::for_each_level([](const match::SharedSetup& setup) {
        const state::StructInfo& info = *setup->world->input;
        test::for_each_seed(100, [&](math::Random& random) {
            const InputMessage sent = random_message(info, random);
            codec::Bytes bytes;
            write(sent, info, bytes);
            REQUIRE(kind_of(bytes) == MessageKind::inputs);
            const auto got = read_inputs(bytes, info);
            REQUIRE(got);
            CHECK(got->acknowledged == sent.acknowledged);
            CHECK(got->decode_failed == sent.decode_failed);
            CHECK(got->count == sent.count);
            CHECK(got->first_tick == sent.first_tick);
            CHECK(got->first_sequence == sent.first_sequence);
            CHECK(got->predicted_hash == sent.predicted_hash);
            CHECK(got->probe == sent.probe);
            state::Hasher a;
            state::Hasher b;
            for (std::uint32_t i = 0; i < sent.count; ++i) {
                for (const state::Field& field : info.fields) {
                    if (field.kind == state::FieldKind::reserved) continue;
                    a.add(state::hash_field(field, sent.inputs.data() + i * info.size, info.size, 1));
                    b.add(state::hash_field(field, got->inputs.data() + i * info.size, info.size, 1));
                }
            }
            CHECK(a.finish() == b.finish());
        });
    });
}

TEST_CASE("messages: a hello is read as it was written, and a refusal of it says what to do") {
    const match::SharedSetup setup = test::level("bounce", "box");
    codec::Bytes bytes;
    write(Hello{.fingerprint = setup->fingerprint, .name = contract::PlayerName::of("Ann")}, bytes);
    const auto hello = read_hello(bytes);
    REQUIRE(hello);
    CHECK(hello->name.view() == "Ann");
    CHECK(refusal_of(*hello, *setup).empty());
    CHECK(refusal_of({.fingerprint = setup->fingerprint + 1}, *setup).find("reload") != std::string::npos);
    CHECK(refusal_of({.version = 99, .fingerprint = setup->fingerprint}, *setup).find("version 99") !=
          std::string::npos);
}

TEST_CASE("messages: a received name loses control characters and malformed UTF-8") {
    codec::Bytes bytes;
    Hello hello;
    hello.name.bytes = {'A', '\x1b', 'b', '\xff'};
    write(hello, bytes);
    const auto got = read_hello(bytes);
    REQUIRE(got);
    CHECK(got->name.view() == "Ab");
}

TEST_CASE("messages: the parts of a snapshot are read as they were written") {
    test::for_each_seed(300, [](math::Random& random) {
        OwnPlayerPart part;
        part.acknowledged = static_cast<std::uint8_t>(random.next());
        part.own = static_cast<OwnState>(random.below(3));
        if (random.below(2) == 0)
            part.margin = {static_cast<std::uint8_t>(random.next()),
                           static_cast<std::int16_t>(random.next())};
        if (random.below(2) == 0)
            part.pong = {static_cast<std::uint8_t>(random.next()), random.next() >> 16,
                         static_cast<std::uint32_t>(random.next() >> 40)};
        const Welcome welcome{.fingerprint = random.next(),
                              .slot = 5,
                              .mode = ReplicationMode::relay,
                              .ticket = TicketText::of(std::string(random.below(max_ticket + 1), 't'))};
        const bool first = random.below(2) == 0;
        codec::Bytes delta(random.below(600));
        for (std::byte& byte : delta) byte = static_cast<std::byte>(random.next());
        const std::uint32_t exact = random.below(500);
        codec::Bytes bytes;
        SnapshotWriter(bytes).write(first ? &welcome : nullptr, part, delta, [&](codec::Writer& writer) {
            for (std::uint64_t i = 0; i < exact; ++i) {
                std::uint64_t value = i & 255;
                writer.raw(value, 8);
            }
        });
        auto got = read_snapshot(bytes);
        REQUIRE(got);
        REQUIRE(got->welcome.has_value() == first);
        if (first) {
            CHECK(got->welcome->fingerprint == welcome.fingerprint);
            CHECK(got->welcome->slot == 5);
            CHECK(got->welcome->mode == ReplicationMode::relay);
            CHECK(got->welcome->ticket == welcome.ticket);
        }
        CHECK(got->part.acknowledged == part.acknowledged);
        CHECK(got->part.own == part.own);
        REQUIRE(got->part.margin.has_value() == part.margin.has_value());
        if (part.margin) CHECK(got->part.margin->margin == part.margin->margin);
        REQUIRE(got->part.pong.has_value() == part.pong.has_value());
        if (part.pong) CHECK(got->part.pong->microseconds == part.pong->microseconds);
        if (part.pong) CHECK(got->part.pong->held == part.pong->held);
        if (part.own == OwnState::exact)
            for (std::uint64_t i = 0; i < exact; ++i) {
                std::uint64_t value = 0;
                got->own.raw(value, 8);
                REQUIRE(value == (i & 255));
            }
        CHECK(std::equal(delta.begin(), delta.end(), got->world_delta.begin(), got->world_delta.end()));
    });
}

TEST_CASE("messages: reports, verdicts and refusals are read as they were written") {
    Report report;
    report.states = {{7, {1, 2, 3}}, {8, {4, 5, 65535}}};
    report.exact = {8, {6, 7, 8}};
    codec::Bytes bytes;
    write(report, bytes);
    const auto got = read_report(bytes, 3);
    REQUIRE(got);
    REQUIRE(got->states.size() == 2);
    CHECK(got->states[1].number == 8);
    CHECK(got->states[1].fields == report.states[1].fields);
    REQUIRE(got->exact);
    CHECK(got->exact->number == 8);
    CHECK(got->exact->fields == report.exact->fields);
    bytes.clear();
    write(Verdict{.found = true, .is_own = true, .number = 12, .field = 34}, bytes);
    const auto verdict = read_verdict(bytes);
    REQUIRE(verdict);
    CHECK((verdict->found && verdict->is_own && verdict->number == 12 && verdict->field == 34));
    bytes.clear();
    write_refusal("the room is full", bytes);
    CHECK(read_refusal(bytes) == "the room is full");
    CHECK(!read_verdict(bytes));
}

TEST_CASE("messages: chat is read as it was written, and is either a line or an emote") {
    const Say line{.text = decltype(Say::text)::of("well played – 良い")};
    codec::Bytes bytes;
    write(line, bytes);
    CHECK(read_say(bytes) == line);
    CHECK(!read_said(bytes));
    bytes.clear();
    const Said said{.slot = 7, .what = {.emote = Emote::cheer, .text = {}}};
    write(said, bytes);
    CHECK(read_said(bytes) == said);
    const auto is_read = [](std::uint64_t slot, std::uint64_t emote, std::string_view text) {
        // As a modified client or server writes it: nothing is checked or cleaned.
        codec::Bytes forged{static_cast<std::byte>(MessageKind::said)};
        codec::Writer writer(forged);
        std::uint64_t length = text.size();
        writer.raw(slot, 8);
        writer.raw(emote, 3);
        writer.raw(length, 8);
        for (const char letter : text) {
            std::uint64_t byte = static_cast<unsigned char>(letter);
            writer.raw(byte, 8);
        }
        writer.finish();
        return read_said(forged).has_value();
    };
    CHECK(is_read(0, 0, "hello"));
    CHECK(is_read(0, 0, std::string(max_chat_text, 'a')));
    CHECK(!is_read(0, 0, std::string(max_chat_text + 1, 'a')));
    CHECK(!is_read(contract::most_slots, 0, "hello"));
    CHECK(!is_read(0, 0, ""));
    CHECK(!is_read(0, 1, "hello"));
    CHECK(!is_read(0, 6, ""));
    CHECK(!is_read(0, 0, "line\nline"));
    CHECK(!is_read(0, 0, "\xff"));
}

TEST_CASE("messages: a notice is read as it was written, and is one line of text") {
    const Notice notice{decltype(Notice::text)::of("the room stands still – 良い")};
    codec::Bytes bytes;
    write(notice, bytes);
    CHECK(read_notice(bytes) == notice);
    CHECK(!read_said(bytes));
    const auto is_read = [](std::string_view text) {
        codec::Bytes forged{static_cast<std::byte>(MessageKind::notice)};
        codec::Writer writer(forged);
        std::uint64_t length = text.size();
        writer.raw(length, 8);
        for (const char letter : text) {
            std::uint64_t byte = static_cast<unsigned char>(letter);
            writer.raw(byte, 8);
        }
        writer.finish();
        return read_notice(forged).has_value();
    };
    CHECK(is_read(std::string(max_notice_text, 'a')));
    CHECK(!is_read(std::string(max_notice_text + 1, 'a')));
    CHECK(!is_read(""));
    CHECK(!is_read("line\nline"));
    CHECK(!is_read("\xff"));
}

TEST_CASE("messages: a move is read as it was written, and only one to a server and a room") {
    codec::Bytes bytes;
    const Moved moved = Moved::to("wss://game.example:8443", "arena-1");
    write(moved, bytes);
    CHECK(read_moved(bytes) == moved);
    const auto is_read = [](std::string_view address, std::string_view room) {
        // As a modified server writes it: nothing is checked or cleaned.
        codec::Bytes forged{static_cast<std::byte>(MessageKind::moved)};
        codec::Writer writer(forged);
        for (const std::string_view text : {address, room}) {
            std::uint64_t length = text.size();
            writer.raw(length, 8);
            for (const char letter : text) {
                std::uint64_t byte = static_cast<unsigned char>(letter);
                writer.raw(byte, 8);
            }
        }
        writer.finish();
        return read_moved(forged).has_value();
    };
    CHECK(is_read("ws://game.example", "ours"));
    CHECK(!is_read("http://game.example", "ours"));
    CHECK(!is_read("ws://game\x01.example", "ours"));
    CHECK(!is_read("ws://game.example/path", "ours"));
    CHECK(!is_read("ws://game.example", ""));
    CHECK(!is_read("ws://game.example", "our room"));
    CHECK(!is_read("ws://game.example", std::string(max_room_name + 1, 'r')));
    CHECK(!is_read("ws://" + std::string(max_server_address, 'a'), "ours"));
}

TEST_CASE("messages: any bytes are read or refused, without a crash") {
    const state::StructInfo& info = *test::level("flail", "pit")->world->input;
    test::for_each_seed(3000, [&](math::Random& random) {
        codec::Bytes bytes(random.below(120));
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
        if (!bytes.empty() && random.below(4) != 0) bytes[0] = static_cast<std::byte>(random.below(12));
        kind_of(bytes);
        read_hello(bytes);
        if (const auto inputs = read_inputs(bytes, info)) {
            REQUIRE(inputs->count <= max_repeated_inputs);
            REQUIRE(inputs->inputs.size() == inputs->count * info.size);
        }
        read_snapshot(bytes);
        read_refusal(bytes);
        read_report(bytes, 50);
        read_verdict(bytes);
        if (const auto moved = read_moved(bytes)) REQUIRE(is_server_address(moved->address.view()));
    });
}
