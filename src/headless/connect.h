// SPDX-License-Identifier: MIT
// The other end of the wire: a WebSocket to a server, for bots and for tests of the server.
#pragma once

#include <memory>

#include <instep/headless/url.h>
#include <instep/server/wire.h>

namespace instep::headless {

// The visitor is told what becomes of it: opened, or closed at once. A certificate is taken as it is unless
// `check_certificate`.
void connect(server::Loop& loop, const Url& url, std::unique_ptr<server::Visitor> visitor,
             bool check_certificate = false);

}  // namespace instep::headless
