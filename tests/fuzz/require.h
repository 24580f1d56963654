// SPDX-License-Identifier: MIT
// A law in a fuzzer: a violation ends the run, and the fuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>

#define REQUIRE(law)                                                               \
    do {                                                                           \
        if (!(law)) {                                                              \
            std::fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #law); \
            std::abort();                                                          \
        }                                                                          \
    } while (false)
