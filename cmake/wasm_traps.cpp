// SPDX-License-Identifier: MIT
// What libc++ calls when it gives up. Its own versions print, which would draw stdio into every module and
// with it imports from a host that a browser is not; a trap says as much and costs nothing.
#include <cstdarg>
#include <version>

extern "C" [[noreturn]] void abort_message(const char*, ...) { __builtin_trap(); }

extern "C" [[noreturn]] void __abort_message(const char*, ...) { __builtin_trap(); }

_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
