// SPDX-License-Identifier: MIT
// Opens a WebSocket to a server, for bots and for tests of the server.
#pragma once

#include <memory>

#include <instep/headless/url.h>
#include <instep/server/connection.h>
#include <instep/server/loop.h>

namespace instep::headless {

// The handler is called with opened(), or with closed() if the connection fails. Any certificate is accepted
// unless `check_certificate` is set.
void connect(server::Loop& loop, const Url& url, std::unique_ptr<server::SessionHandler> handler,
             bool check_certificate = false);

}  // namespace instep::headless
