// SPDX-License-Identifier: MIT
// The compilers vectorise loops over arrays: every lane does the operations of the scalar code in the same
// order, so the bits are the same at any width. On x86-64, where a program may assume only SSE2, a function
// marked INSTEP_WIDE is compiled twice and the loader selects one at start; the wider copy has AVX2 and no
// FMA. INSTEP_WIDE_COPY is only for functions that copy bytes and compute nothing: with AVX-512, which has
// FMA, g++ might fuse.
#pragma once

// The selection runs before a sanitizer is initialised, so instrumented builds do without it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTEP_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTEP_SANITIZED
#endif
#endif

#if defined(__x86_64__) && !defined(__AVX2__) && defined(__gnu_linux__) && !defined(INSTEP_SANITIZED)
#define INSTEP_WIDE __attribute__((target_clones("default", "avx2")))
#define INSTEP_WIDE_COPY __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define INSTEP_WIDE
#define INSTEP_WIDE_COPY
#endif
