// SPDX-License-Identifier: MIT
#include <instep/state/layout.h>

#include <tests/state/sample.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::test;
using state::bind;
using state::Block;
using state::Layout;

namespace {

using Image = std::vector<std::byte>;

const Layout& layout() {
    static const Layout made = state::make_layout<State>(Setup{});
    return made;
}

Image image_of(const Block& block) {
    Image image(state::image_size(layout(), block.data()));
    CHECK(state::save(layout(), block.data(), image) == image.size());
    return image;
}

Block random_block(Random& random) {
    Block block(layout());
    State state = bind<State>(layout(), block.data());
    change_randomly(state, random, static_cast<int>(random.below(40)));
    return block;
}

bool hashes_agree(const Block& a, const Block& b) {
    return state::hash(layout(), a.data()) == state::hash(layout(), b.data());
}

bool field_hashes_agree(const Block& a, const Block& b) {
    const auto left = state::hash_fields(layout(), a.data());
    const auto right = state::hash_fields(layout(), b.data());
    REQUIRE(left.size() == right.size());
    bool same = true;
    for (std::size_t i = 0; i < left.size(); ++i) {
        CHECK(left[i].path == right[i].path);
        same = same && left[i].hash == right[i].hash;
    }
    return same;
}

std::string refusal_of(const Image& image) {
    Block block(layout());
    const auto loaded = state::load(layout(), image, block.data());
    return loaded ? "" : loaded.error().text();
}

state::PoolHeader& header(Image& image, std::size_t pool) {
    return reinterpret_cast<state::PoolHeader*>(image.data() + layout().headers_offset)[pool];
}

state::PoolIndex& row(Image& image, std::size_t id) {
    return reinterpret_cast<state::PoolIndex*>(image.data() + layout().pools[0].index_offset)[id];
}

// An image with three things, of which the second was removed, and one grip.
Image small_image() {
    Block block(layout());
    State state = bind<State>(layout(), block.data());
    for (int i = 0; i < 3; ++i) state.things.add();
    state.things.remove_at(1);
    state.grips.add();
    return image_of(block);
}

}  // namespace

TEST_CASE("layout: the parts of a block follow each other at multiples of eight") {
    std::uint32_t end = layout().head->size;
    CHECK(layout().headers_offset == end);
    end += 2 * sizeof(state::PoolHeader);
    for (const state::PoolLayout& pool : layout().pools) {
        CHECK(pool.index_offset == end);
        CHECK(pool.elements_offset >= pool.index_offset + pool.capacity * sizeof(state::PoolIndex));
        CHECK(pool.elements_offset % 8 == 0);
        end = pool.elements_offset + pool.capacity * pool.element->size;
    }
    CHECK(layout().size == end);
    CHECK(reinterpret_cast<std::uintptr_t>(Block(layout()).data()) % 8 == 0);
}

TEST_CASE("layout: save and restore give the same state, whatever was in the block before") {
    for_each_seed(400, [](Random& random) {
        const Block original = random_block(random);
        const Image image = image_of(original);
        Block restored = random_block(random);
        state::restore(layout(), image, restored.data());
        CHECK(image_of(restored) == image);
        CHECK(hashes_agree(original, restored));
        CHECK(field_hashes_agree(original, restored));

        const State before = bind<State>(layout(), original.data());
        const State after = bind<State>(layout(), restored.data());
        CHECK(same_fields(*before.head, *after.head));
        REQUIRE(before.things.size() == after.things.size());
        for (std::uint32_t i = 0; i < before.things.size(); ++i) {
            CHECK(same_fields(before.things[i], after.things[i]));
            CHECK(before.things.handle_at(i) == after.things.handle_at(i));
        }
    });
}

TEST_CASE("layout: a restored or copied state evolves like the original, to the last byte") {
    for_each_seed(400, [](Random& random) {
        Block original = random_block(random);
        Block restored = random_block(random);
        Block copied = random_block(random);
        state::restore(layout(), image_of(original), restored.data());
        state::copy(layout(), original.data(), copied.data());
        CHECK(image_of(copied) == image_of(original));
        const Random chance = random;
        for (Block* block : {&original, &restored, &copied}) {
            State state = bind<State>(layout(), block->data());
            random = chance;
            change_randomly(state, random, 20);
        }
        CHECK(image_of(original) == image_of(restored));
        CHECK(image_of(original) == image_of(copied));
    });
}

TEST_CASE("layout: an image holds live elements and nothing else") {
    Block block(layout());
    State state = bind<State>(layout(), block.data());
    const std::uint32_t empty = state::image_size(layout(), block.data());
    CHECK(empty == layout().head->size + 2 * sizeof(state::PoolHeader));

    std::uint32_t size = empty;
    while (state.things.add()) {
        const std::uint32_t grown = state::image_size(layout(), block.data());
        CHECK(grown >= size + sizeof(Everything) + 8);  // 12-byte rows, in whole words
        CHECK(grown <= size + sizeof(Everything) + 16);
        size = grown;
    }
    while (state.grips.add()) continue;
    CHECK(state::image_size(layout(), block.data()) == layout().max_image_size);

    state.grips.remove_if([](const Grip&) { return true; });
    CHECK(state::image_size(layout(), block.data()) == size);
    state.things.remove_at(0);  // the last id stays in use, so the rows stay too
    CHECK(state::image_size(layout(), block.data()) == size - sizeof(Everything));
    state.things.remove_if([](const Everything&) { return true; });
    CHECK(state::image_size(layout(), block.data()) == empty);
}

TEST_CASE("load: accepts every image that save writes") {
    for_each_seed(400, [](Random& random) {
        const Image image = image_of(random_block(random));
        Block block = random_block(random);
        const auto loaded = state::load(layout(), image, block.data());
        CHECK_MESSAGE(loaded, refusal_of(image));
        CHECK(image_of(block) == image);
    });
}

TEST_CASE("load: accepts an image at any address") {
    auto random = Random::from_seed(4);
    const Image image = image_of(random_block(random));
    for (std::size_t shift = 1; shift < 8; ++shift) {
        Image shifted(shift);
        shifted.insert(shifted.end(), image.begin(), image.end());
        Block block(layout());
        REQUIRE(state::load(layout(), std::span(shifted).subspan(shift), block.data()));
        CHECK(image_of(block) == image);
    }
}

TEST_CASE("load: refuses an image shorter or longer than its counts say") {
    for_each_seed(30, [](Random& random) {
        const Image image = image_of(random_block(random));
        for (std::size_t size = 0; size < image.size(); ++size)
            CHECK_FALSE(
                refusal_of(Image(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size))).empty());
        for (const std::size_t more : {1u, 4u, 8u, 24u, 1000u}) {
            Image longer = image;
            longer.insert(longer.end(), more, std::byte{0});
            CHECK_FALSE(refusal_of(longer).empty());
        }
    });
}

TEST_CASE("load: a corrupted image is refused without a change, or is one that save could write") {
    int taken = 0;
    int refused = 0;
    for_each_seed(3000, [&](Random& random) {
        Image image = image_of(random_block(random));
        for (std::uint32_t hits = 1 + random.below(4); hits > 0; --hits) {
            // Half of the changes go to the head and the headers, where they matter most.
            const std::size_t front = layout().head->size + 2 * sizeof(state::PoolHeader);
            const auto limit = static_cast<std::uint32_t>(random.below(2) == 0 ? front : image.size());
            std::byte& byte = image[random.below(limit)];
            byte = random.below(2) == 0 ? static_cast<std::byte>(random.next())
                                        : byte ^ (std::byte{1} << random.below(8));
        }
        Block block = random_block(random);
        const Image before = image_of(block);
        if (state::load(layout(), image, block.data())) {
            ++taken;
            CHECK(image_of(block) == image);
            State state = bind<State>(layout(), block.data());
            change_randomly(state, random, 20);  // assertions and sanitizers check
            CHECK(refusal_of(image_of(block)).empty());
        } else {
            ++refused;
            CHECK(image_of(block) == before);
        }
    });
    CHECK(taken > 100);
    CHECK(refused > 100);
}

TEST_CASE("load: an error says what is wrong and where") {
    CHECK(refusal_of(small_image()) == "");
    CHECK(refusal_of({}) == "state image: has 0 bytes, expected from " +
                                std::to_string(layout().head->size + 32) + " to " +
                                std::to_string(layout().max_image_size));

    Image image = small_image();
    image[offsetof(Head, open)] = std::byte{2};
    CHECK(refusal_of(image) == "state image: head: has a boolean, enum or text that its type does not allow");

    image = small_image();
    header(image, 0).count = 10;
    CHECK(refusal_of(image) ==
          "state image: things: claims 10 elements with ids below 3, but the capacity is 9");

    image = small_image();
    header(image, 0).count = 4;
    CHECK(refusal_of(image) ==
          "state image: things: claims 4 elements with ids below 3, but the capacity is 9");

    image = small_image();
    header(image, 1).count = header(image, 1).id_count = 2;
    CHECK(refusal_of(image) == "state image: grips: is cut off");

    image = small_image();
    image[image.size() - sizeof(Grip) + offsetof(Grip, mood)] = std::byte{3};
    CHECK(refusal_of(image) ==
          "state image: grips[0]: has a boolean, enum or text that its type does not allow");

    image = small_image();
    image.insert(image.end(), 8, std::byte{0});
    CHECK(refusal_of(image) == "state image: 8 bytes too many at the end");
}

TEST_CASE("load: refuses an index that is inconsistent or not written as save writes it") {
    // Ids 0 and 2 are live, at indices 0 and 1; id 1 is free. The next generation is 3.
    const auto refused_with = [](auto change) {
        Image image = small_image();
        change(image);
        return refusal_of(image) == "state image: things: has an inconsistent index";
    };
    CHECK(refused_with([](Image& image) { header(image, 0).lowest_free_id = 0; }));
    CHECK(refused_with([](Image& image) { header(image, 0).lowest_free_id = 3; }));
    CHECK(refused_with([](Image& image) { row(image, 0).index_of = 1; }));
    CHECK(refused_with([](Image& image) { row(image, 0).index_of = 7; }));
    CHECK(refused_with([](Image& image) { row(image, 0).id_at = 1; }));
    CHECK(refused_with([](Image& image) { row(image, 1).index_of = 0; }));
    CHECK(refused_with([](Image& image) { row(image, 2).index_of = state::PoolIndex::no_index; }));
    CHECK(refused_with([](Image& image) { row(image, 0).generation_of = 3; }));  // a future generation
    CHECK(refused_with([](Image& image) { row(image, 0).generation_of = 2; }));  // of another element
    CHECK(refused_with([](Image& image) { row(image, 1).generation_of = 1; }));  // of a free id
    CHECK(refused_with([](Image& image) { row(image, 2).id_at = 1; }));  // of an element that does not exist
    CHECK(refused_with([](Image& image) { row(image, 3).id_at = 1; }));  // padding of the last word
}

TEST_CASE("layout: the hash and the field hashes distinguish the same states") {
    int different = 0;
    for_each_seed(2000, [&](Random& random) {
        const Block original = random_block(random);
        Block changed = original;
        State state = bind<State>(layout(), changed.data());
        switch (random.below(6)) {
            case 0: state.head->tick ^= random.below(2); break;
            case 1:
                if (!state.things.empty())
                    state.things[0].turns ^= static_cast<std::int32_t>(random.below(2));
                break;
            case 2:  // the same elements, but a handle became invalid
                if (!state.grips.empty()) {
                    const Grip last = state.grips[state.grips.size() - 1];
                    state.grips.remove_at(state.grips.size() - 1);
                    state.grips.add(last);
                }
                break;
            case 3:  // the same elements, but another next generation
                if (state.things.add()) state.things.remove_at(state.things.size() - 1);
                break;
            case 4: change_randomly(state, random, 1); break;
            default: break;
        }
        different += hashes_agree(original, changed) ? 0 : 1;
        CHECK(hashes_agree(original, changed) == field_hashes_agree(original, changed));
    });
    CHECK(different > 500);
}

TEST_CASE("layout: states that differ only in which handles are valid are different") {
    Block a(layout());
    Block b(layout());
    State first_stays = bind<State>(layout(), a.data());
    State first_goes = bind<State>(layout(), b.data());
    first_stays.grips.add();  // generation 0 with id 0
    first_stays.grips.add();
    first_stays.grips.remove_at(1);
    first_goes.grips.add();
    first_goes.grips.remove_at(0);
    first_goes.grips.add();  // generation 1 with id 0
    first_stays.grips.add();
    first_goes.grips.add();  // both: generation 2 with id 1
    CHECK_FALSE(hashes_agree(a, b));
    CHECK_FALSE(field_hashes_agree(a, b));
}

TEST_CASE("layout: the field hashes name the field that differs, and no other") {
    Block a(layout());
    State state = bind<State>(layout(), a.data());
    state.things.add();
    state.grips.add();
    Block b = a;
    bind<State>(layout(), b.data()).things[0].grips[1].at.y = 5;
    const auto left = state::hash_fields(layout(), a.data());
    const auto right = state::hash_fields(layout(), b.data());
    std::vector<std::string> differing;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (left[i].hash != right[i].hash) differing.push_back(left[i].path);
    CHECK(differing == std::vector<std::string>{"things.grips[1].at.y"});
}

TEST_CASE("layout: reserved bytes are in the image and not in the hash") {
    Block a(layout());
    bind<State>(layout(), a.data()).grips.add();
    Block b = a;
    bind<State>(layout(), b.data()).grips[0].unused.bytes[0] = std::byte{1};
    CHECK(hashes_agree(a, b));
    CHECK(image_of(a) != image_of(b));
}

TEST_CASE("layout: the fingerprint changes with the capacities and the fields") {
    const Layout same = state::make_layout<State>(Setup{});
    const Layout larger = state::make_layout<State>(Setup{.most_things = 10});
    CHECK(layout().fingerprint() == same.fingerprint());
    CHECK(layout().fingerprint() != larger.fingerprint());

    const auto differs_with = [](auto change) {
        state::StructInfo changed = *layout().head;
        change(changed.fields[0]);
        Layout other = layout();
        other.head = &changed;
        return layout().fingerprint() != other.fingerprint();
    };
    static constexpr std::string_view labels[] = {"off", "on"};
    CHECK(!differs_with([](state::Field&) {}));
    CHECK(differs_with([](state::Field& field) { field.path = "time"; }));
    CHECK(differs_with([](state::Field& field) { field.kind = state::FieldKind::i64; }));
    CHECK(differs_with([](state::Field& field) { field.offset += 8; }));
    CHECK(differs_with([](state::Field& field) { field.rules.low = 1; }));
    CHECK(differs_with([](state::Field& field) { field.rules.high = 1; }));
    CHECK(differs_with([](state::Field& field) { field.rules.precision = 1; }));
    CHECK(differs_with([](state::Field& field) { field.rules.blend = state::Blend::angle; }));
    CHECK(differs_with([](state::Field& field) { field.rules.labels = labels; }));
    CHECK(!differs_with([](state::Field& field) { field.rules.control = state::Control::first; }));

    Layout owned = layout();
    owned.pools[0].kind.owner = "mark";
    CHECK(layout().fingerprint() != owned.fingerprint());
}

TEST_CASE("layout: a const state shows the same elements") {
    Block block(layout());
    bind<State>(layout(), block.data()).things.add({.whole = 3});
    const Block& constant = block;
    const State seen = bind<State>(layout(), constant.data());
    CHECK(seen.things[0].whole == 3);
    static_assert(std::is_same_v<decltype(seen.things[0]), const Everything&>);
    static_assert(std::is_same_v<decltype(*seen.head), const Head&>);
}
