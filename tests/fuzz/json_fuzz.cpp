// SPDX-License-Identifier: MIT
// Any bytes are read as JSON or refused with a position and a reason. Read JSON is written and read again as
// the same text. A struct read from it is legal, and is written and read again as the same bits.
#include <instep/state/json.h>

#include <tests/fuzz/require.h>
#include <tests/state/sample.h>

using namespace instep;
using test::Everything;

namespace {

void check_struct(const state::Json& json) {
    Everything value;
    const auto read = state::read_struct(json, value, "fuzz");
    REQUIRE(state::fields_are_legal(state::describe<Everything>(), test::bytes_of(value)));
    if (!read) {
        REQUIRE(read.error().where.starts_with("fuzz") && !read.error().what.empty());
        return;
    }
    if (value.width < 10) value.width = 10;  // the default is below the minimum for JSON
    Everything again;
    REQUIRE(state::read_struct(state::struct_to_json(value), again, "fuzz", state::Missing::is_an_error));
    REQUIRE(test::same_fields(value, again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto json = state::parse_json(text, "fuzz");
    if (!json) {
        REQUIRE(json.error().where.starts_with("fuzz: line ") && !json.error().what.empty());
        return 0;
    }
    const std::string written = state::write_json(*json);
    const auto again = state::parse_json(written, "again");
    REQUIRE(again && state::write_json(*again) == written);
    check_struct(*json);
    return 0;
}
