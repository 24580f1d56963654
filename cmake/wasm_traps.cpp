// SPDX-License-Identifier: MIT
// The functions that libc++ calls to abort. Its versions print, which would add stdio and its imports to
// every module; a trap needs neither.
#include <cstdarg>
#include <version>

extern "C" [[noreturn]] void abort_message(const char*, ...) { __builtin_trap(); }

extern "C" [[noreturn]] void __abort_message(const char*, ...) { __builtin_trap(); }

_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
