// SPDX-License-Identifier: MIT
// The two ends of a connection, over a transport of your own: net::Host on the server, net::Client with each
// player. They make and take messages; the caller carries the bytes.
#pragma once

#include <instep/match.h>
#include <instep/net/client.h>
#include <instep/net/host.h>
