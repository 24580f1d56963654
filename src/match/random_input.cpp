// SPDX-License-Identifier: MIT
#include <instep/match/random_input.h>

#include <cstring>

namespace instep::match {
namespace {

constexpr double widest = 1e6;  // where a list gives no bound

double bounded(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// A draw within the field's range; now and then one of its ends, where rules like to break.
double draw_real(const state::Rules& rules, math::Random& random) {
    const double low = bounded(rules.low, -widest, widest);
    const double high = bounded(rules.high, -widest, widest);
    switch (random.below(8)) {
        case 0: return low;
        case 1: return high;
        case 2: return bounded(0, low, high);
        default: return random.uniform(low, high);
    }
}

std::uint64_t draw_whole(const state::Field& field, math::Random& random) {
    const state::Rules& rules = field.rules;
    if (field.kind == state::FieldKind::boolean) return random.below(2);
    if (!rules.labels.empty()) return random.below(static_cast<std::uint32_t>(rules.labels.size()));
    const bool is_bounded = rules.low > -widest && rules.high < widest;
    if (!is_bounded) return random.next();
    const auto low = static_cast<std::int64_t>(rules.low);
    const auto span = static_cast<std::uint32_t>(static_cast<std::int64_t>(rules.high) - low + 1);
    return static_cast<std::uint64_t>(low + random.below(span));
}

}  // namespace

void random_input(const state::StructInfo& info, math::Random& random, std::byte* input) {
    for (const state::Field& field : info.fields) {
        std::byte* at = input + field.offset;
        if (state::is_real(field.kind)) {
            state::set_real(field, draw_real(field.rules, random), input);
        } else if (field.kind == state::FieldKind::text || field.kind == state::FieldKind::reserved) {
            std::memset(at, 0, field.size);
        } else {
            const std::uint64_t value = draw_whole(field, random);
            std::memcpy(at, &value, field.size);  // little-endian: the low bytes
        }
    }
}

}  // namespace instep::match
