// SPDX-License-Identifier: MIT
#include <instep/contract/draw_list.h>

#include <functional>

#include <instep/state/raw_pool.h>

namespace instep::contract {
namespace {

// The first field that is blended as an angle, or is named so: how a picture of the element is turned.
double angle_of(const state::StructInfo& info, const std::byte* element) {
    for (const state::Field& field : info.fields)
        if (field.rules.blend == state::Blend::angle || field.path.ends_with("angle"))
            return state::number_at(field, element);
    return 0;
}

}  // namespace

void DrawList::clear(const state::Layout* layout, const std::byte* block) {
    shapes.clear();
    points.clear();
    letters.clear();
    layout_ = layout;
    block_ = block;
    subject_ = {};
}

Shape& DrawList::add(ShapeKind kind, std::span<const math::Vec2> at, double size, Color color) {
    Shape& shape = shapes.emplace_back(subject_);
    shape.kind = kind;
    shape.color = color;
    shape.first_point = static_cast<std::uint32_t>(points.size());
    shape.point_count = static_cast<std::uint32_t>(at.size());
    shape.size = size;
    points.insert(points.end(), at.begin(), at.end());
    return shape;
}

void DrawList::label(math::Vec2 at, double height, std::string_view text, Color color) {
    Shape& shape = add(ShapeKind::label, {&at, 1}, height, color);
    shape.first_letter = static_cast<std::uint32_t>(letters.size());
    shape.letter_count = static_cast<std::uint32_t>(text.size());
    letters += text;
}

void DrawList::belongs_to(const void* element) {
    subject_ = {};
    if (!element || !layout_) return;
    const auto* bytes = static_cast<const std::byte*>(element);
    for (std::size_t i = 0; i < layout_->pools.size(); ++i) {
        const state::RawPool pool = state::RawPool::looking_at(*layout_, i, block_);
        const std::byte* first = pool.element(0);
        // std::less: the order of pointers into different objects
        if (std::less<>()(bytes, first) || !std::less<>()(bytes, pool.element(pool.size()))) continue;
        const auto index = static_cast<std::uint32_t>((bytes - first) / pool.element_info().size);
        subject_.pool = static_cast<std::uint32_t>(i);
        subject_.entity = pool.handle_at(index);
        subject_.angle = angle_of(pool.element_info(), bytes);
    }
}

}  // namespace instep::contract
