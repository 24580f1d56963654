// SPDX-License-Identifier: MIT
// The description of a state from which a page reads it: every field, once, where it is.
#include <algorithm>
#include <map>
#include <string>

#include <instep/browser/describe.h>
#include <instep/contract/draw_list.h>
#include <instep/state/raw_pool.h>
#include <tests/match/levels.h>

using namespace instep;
using namespace instep::browser;
using state::Json;

namespace {

std::size_t whole(const Json& object, const char* key) {
    return static_cast<std::size_t>(object.find(key)->number());
}

// The leaves of a described struct by path, as a page finds them.
void collect(const Json& layout, std::size_t number, const std::string& path, std::size_t offset,
             std::map<std::string, std::pair<std::size_t, std::size_t>>& leaves) {
    const Json& info = (*layout.find("structs")->array())[number];
    for (const Json& member : *info.find("members")->array()) {
        const bool is_array = member.find("count") != nullptr;
        for (std::size_t i = 0; i < (is_array ? whole(member, "count") : 1); ++i) {
            const std::string name = (path.empty() ? "" : path + ".") + *member.find("name")->string() +
                                     (is_array ? "[" + std::to_string(i) + "]" : "");
            const std::size_t at = offset + whole(member, "offset") + i * whole(member, "stride");
            if (member.find("struct"))
                collect(layout, whole(member, "struct"), name, at, leaves);
            else
                leaves[name] = {at, whole(member, "kind")};
        }
    }
}

void check_struct(const Json& layout, std::size_t number, const state::StructInfo& info) {
    std::map<std::string, std::pair<std::size_t, std::size_t>> leaves;
    collect(layout, number, "", 0, leaves);
    std::size_t described = 0;
    for (const state::Field& field : info.fields) {
        if (field.kind == state::FieldKind::reserved) continue;
        ++described;
        INFO(info.name << "." << field.path);
        REQUIRE(leaves.contains(field.path));
        CHECK(leaves[field.path] ==
              std::pair<std::size_t, std::size_t>(field.offset, static_cast<std::size_t>(field.kind)));
    }
    CHECK(leaves.size() == described);
}

}  // namespace

TEST_CASE("description: a page finds every field of every world where it is") {
    test::for_each_level([](const match::SharedSetup& setup) {
        const Json layout = describe_layout(*setup);
        CHECK(whole(layout, "headers") == setup->layout.headers_offset);
        check_struct(layout, whole(layout, "head"), *setup->layout.head);
        check_struct(layout, whole(layout, "event"), *setup->world->event);
        check_struct(layout, whole(layout, "input"), *setup->world->input);
        const Json::Array& pools = *layout.find("pools")->array();
        REQUIRE(pools.size() == setup->layout.pools.size());
        for (std::size_t i = 0; i < pools.size(); ++i) {
            const state::PoolLayout& pool = setup->layout.pools[i];
            CHECK(*pools[i].find("name")->string() == pool.name);
            CHECK(whole(pools[i], "index") == pool.index_offset);
            CHECK(whole(pools[i], "elements") == pool.elements_offset);
            check_struct(layout, whole(pools[i], "struct"), *pool.element);
        }
    });
}

TEST_CASE("draw list: shapes carry the handle and the angle of their element") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LocalStage stage(setup, 3, 5);
        for (int frame = 0; frame <= 30; ++frame) stage.advance(frame / 30.0);
        contract::DrawList list;
        stage.draw(list);
        std::size_t of_elements = 0;
        for (const contract::Shape& shape : list.shapes) {
            if (shape.pool == contract::Shape::no_pool) continue;
            ++of_elements;
            REQUIRE(shape.pool < setup->layout.pools.size());
            const auto pool = state::RawPool::looking_at(setup->layout, shape.pool, stage.shown());
            const std::byte* element = pool.find(shape.entity);
            REQUIRE(element);
            const auto angle =
                std::ranges::find_if(pool.element_info().fields, [](const state::Field& field) {
                    return field.rules.blend == state::Blend::angle || field.path.ends_with("angle");
                });
            const bool has_angle = angle != pool.element_info().fields.end();
            CHECK(shape.angle == (has_angle ? state::number_at(*angle, element) : 0));
        }
        CHECK(of_elements > 0);
    });
}
