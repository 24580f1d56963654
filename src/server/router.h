// SPDX-License-Identifier: MIT
// Finds the row of a table of routes that a request belongs to. A route is a method, a pattern and a
// function.
//
//     "/api/rooms"                     this path
//     "/api/levels/{world}/{level}"    {world} is one segment; {level}, at the end, is the rest of the path
//                                      and may be empty or contain slashes
//
// Rows are tried in order. HEAD requests use the rows of GET.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace instep::server {

using PathArguments = std::vector<std::string>;  // the values of a pattern's parameters, in order

// Empty: the path does not match.
std::optional<PathArguments> match_path(std::string_view pattern, std::string_view path);

// A Route has the members `method` and `pattern`.
template <class Route>
struct RouteMatch {
    const Route* route;
    PathArguments arguments;
};

template <class Route>
std::optional<RouteMatch<Route>> find_route(std::span<const Route> routes, std::string_view method,
                                            std::string_view path) {
    for (const Route& route : routes) {
        if (route.method != (method == "HEAD" ? "GET" : method)) continue;
        if (auto arguments = match_path(route.pattern, path))
            return RouteMatch<Route>{&route, std::move(*arguments)};
    }
    return {};
}

}  // namespace instep::server
