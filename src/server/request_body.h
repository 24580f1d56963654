// SPDX-License-Identifier: MIT
// The body of a request to the admin port: an object like {"room": "ours", "slot": 3}, in which only some
// keys are known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <instep/server/http.h>
#include <instep/state/json.h>
#include <instep/state/utf8.h>

namespace instep::server {

class RequestBody {
public:
    static constexpr std::size_t most_message = 80;  // bytes, so that it fits into a close frame

    static std::expected<RequestBody, Refusal> parse(const Request& request,
                                                     std::initializer_list<std::string_view> known) {
        constexpr state::JsonLimits limits{.bytes = 4096, .values = 16, .depth = 2};
        const auto json = state::parse_json(request.body, "the request's body", limits);
        if (!json) return refuse(RefusalReason::bad_request, json.error().text());
        if (!json->object()) return refuse(RefusalReason::bad_request, "expected a JSON object as the body");
        for (const auto& [key, value] : *json->object())
            if (std::find(known.begin(), known.end(), key) == known.end())
                return refuse(RefusalReason::bad_request,
                              state::refuse_key("", key, {known.begin(), known.size()}).error().text());
        return RequestBody(*json);
    }

    bool has(std::string_view key) const { return json_.find(key); }
    std::expected<std::string, Refusal> text(std::string_view key) const {
        const state::Json* found = json_.find(key);
        if (!found || !found->string() || !state::is_plain_text(*found->string()))
            return refuse(RefusalReason::bad_request, std::string(key) + ": expected a text");
        return *found->string();
    }
    std::expected<std::uint64_t, Refusal> number(std::string_view key, std::uint64_t low,
                                                 std::uint64_t high) const {
        const state::Json* found = json_.find(key);
        std::uint64_t value = 0;
        if (!found || !found->is_number() || !found->to_integer(value) || value < low || value > high)
            return refuse(RefusalReason::bad_request, std::string(key) + ": expected a whole number from " +
                                                          std::to_string(low) + " to " +
                                                          std::to_string(high));
        return value;
    }
    // What those concerned are told.
    std::expected<std::string, Refusal> message(std::string otherwise) const {
        if (!has("message")) return otherwise;
        auto text = this->text("message");
        if (text && text->size() > most_message)
            return refuse(RefusalReason::bad_request,
                          "message: expected at most " + std::to_string(most_message) + " bytes");
        return text;
    }

private:
    explicit RequestBody(state::Json json) : json_(std::move(json)) {}
    state::Json json_;
};

}  // namespace instep::server
