// SPDX-License-Identifier: MIT
// The laws of the codec, for every world on every level.
#include <instep/codec/state_codec.h>

#include <tests/net/logged_match.h>
#include <tests/support/property.h>

using namespace instep;
using match::Match;
using match::RandomScript;
using match::SharedSetup;
using test::for_each_level;

namespace {

// One end of a link: the state that both ends share, the prediction from it and the adaptive model.
struct End {
    const match::Setup& setup;
    state::Block replicated{setup.layout};
    state::Block predicted{setup.layout};
    codec::StateModel model{setup.layout};
    std::vector<std::uint64_t> rows =
        std::vector<std::uint64_t>(setup.facts.most_players * setup.world->input->size / 8 + 1);
    std::vector<std::byte> event_buffer =
        std::vector<std::byte>(std::size_t{setup.facts.most_events} * setup.world->event->size);

    void predict(std::uint32_t ticks) {
        std::memcpy(predicted.data(), replicated.data(), setup.layout.size);
        const std::span<std::byte> inputs{reinterpret_cast<std::byte*>(rows.data()),
                                          setup.facts.most_players * setup.world->input->size};
        setup.world->held_inputs(setup.layout, predicted.data(), inputs.data());
        for (std::uint32_t i = 0; i < ticks; ++i) {
            match::EventBytes events{event_buffer};
            setup.world->step(setup.value.get(), setup.layout, predicted.data(), {{}, {}, inputs}, events);
        }
        codec::quantise(setup.layout, predicted.data());
    }
};

}  // namespace

TEST_CASE("state codec: quantising is idempotent and moves no field by more than half a step") {
    for_each_level([](const SharedSetup& setup) {
        Match match(setup, 3);
        RandomScript script(match, 4);
        for (int i = 0; i < 400; ++i) match.step(script.next());
        state::Block once(setup->layout);
        std::memcpy(once.data(), match.state(), setup->layout.size);
        codec::quantise(setup->layout, once.data());
        const std::uint64_t hash = state::hash(setup->layout, once.data());
        codec::quantise(setup->layout, once.data());
        CHECK(state::hash(setup->layout, once.data()) == hash);
        for (std::size_t p = 0; p < setup->layout.pools.size(); ++p) {
            const state::PoolLayout& pool = setup->layout.pools[p];
            for (std::uint32_t k = 0; k < setup->layout.header(p, match.state()).count; ++k) {
                const std::size_t at = pool.elements_offset + k * pool.element->size;
                for (const state::Field& field : pool.element->fields) {
                    if (field.rules.precision == 0) continue;
                    const double before = number_at(field, match.state() + at);
                    const double after = number_at(field, once.data() + at);
                    CHECK(std::abs(after - before) <= field.rules.precision * 0.500001);
                }
            }
        }
    });
}

TEST_CASE("state codec: the decoded state and the model equal the encoder's, to the bit") {
    for_each_level([](const SharedSetup& setup) {
        test::for_each_seed(3, [&](math::Random& random) {
            Match match(setup, random.next());
            RandomScript script(match, random.next());
            End server{*setup};
            End client{*setup};
            std::memcpy(server.replicated.data(), match.state(), setup->layout.size);
            std::memcpy(client.replicated.data(), match.state(), setup->layout.size);
            for (int snapshot = 0; snapshot < 150; ++snapshot) {
                const std::uint32_t ticks = 1 + random.below(5);
                for (std::uint32_t i = 0; i < ticks; ++i) match.step(script.next());

                server.predict(ticks);
                codec::quantise_against(setup->layout, server.predicted.data(), match.state(),
                                        server.replicated.data());
                std::vector<std::byte> message;
                codec::Writer writer(message);
                codec::encode_state(writer, setup->layout, server.model, server.predicted.data(),
                                    server.replicated.data());
                writer.finish();

                client.predict(ticks);
                codec::Reader reader(message);
                REQUIRE(codec::decode_state(reader, setup->layout, client.model, client.predicted.data(),
                                            client.replicated.data()));
                reader.finish();
                REQUIRE(reader.ok());
                REQUIRE(state::hash(setup->layout, client.replicated.data()) ==
                        state::hash(setup->layout, server.replicated.data()));
                REQUIRE(client.model == server.model);
                const auto legal =
                    setup->world->validate(setup->value.get(), setup->layout, client.replicated.data());
                REQUIRE_MESSAGE(legal, legal.error().text());
            }
        });
    });
}

TEST_CASE("state codec: a replicated field is off by at most the tolerance, except in event pools") {
    for_each_level([](const SharedSetup& setup) {
        Match match(setup, 13);
        RandomScript script(match, 14);
        End server{*setup};
        std::memcpy(server.replicated.data(), match.state(), setup->layout.size);
        for (int snapshot = 0; snapshot < 200; ++snapshot) {
            for (int i = 0; i < 3; ++i) match.step(script.next());
            server.predict(3);
            codec::quantise_against(setup->layout, server.predicted.data(), match.state(),
                                    server.replicated.data());
            for (std::size_t p = 0; p < setup->layout.pools.size(); ++p) {
                const state::PoolLayout& pool = setup->layout.pools[p];
                REQUIRE(setup->layout.header(p, match.state()).count ==
                        setup->layout.header(p, server.replicated.data()).count);
                if (pool.kind.replication == state::Replication::events) continue;
                for (std::uint32_t k = 0; k < setup->layout.header(p, match.state()).count; ++k) {
                    const std::size_t at = pool.elements_offset + k * pool.element->size;
                    for (const state::Field& field : pool.element->fields) {
                        const double actual = number_at(field, match.state() + at);
                        const double sent = number_at(field, server.replicated.data() + at);
                        CHECK(std::abs(sent - actual) <= field.rules.precision * 1.500001);
                    }
                }
            }
        }
    });
}

TEST_CASE("state codec: any bytes are decoded or refused, without a crash") {
    for_each_level([](const SharedSetup& setup) {
        Match match(setup, 23);
        RandomScript script(match, 24);
        for (int i = 0; i < 300; ++i) match.step(script.next());
        End client{*setup};
        std::memcpy(client.replicated.data(), match.state(), setup->layout.size);
        client.predict(3);
        test::for_each_seed(300, [&](math::Random& random) {
            std::vector<std::byte> message(random.below(200));
            for (std::byte& byte : message) byte = static_cast<std::byte>(random.next());
            codec::StateModel model(setup->layout);
            state::Block replicated(setup->layout);
            codec::Reader reader(message);
            codec::decode_state(reader, setup->layout, model, client.predicted.data(), replicated.data());
        });
    });
}
