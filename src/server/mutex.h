// SPDX-License-Identifier: MIT
// A mutex that clang's thread safety analysis (-Wthread-safety) understands: a member marked GUARDED_BY can
// be read or written only while its mutex is held, and a function marked REQUIRES only called then. Otherwise
// the clang build fails. Other compilers see plain std::mutex.
#pragma once

#include <mutex>

// NOLINTBEGIN(cppcoreguidelines-macro-usage,bugprone-macro-parentheses): attributes have no other form
#ifdef __clang__
#define INSTEP_THREAD_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define INSTEP_THREAD_ATTRIBUTE(attribute)
#endif
#define GUARDED_BY(mutex) INSTEP_THREAD_ATTRIBUTE(guarded_by(mutex))
#define REQUIRES(mutex) INSTEP_THREAD_ATTRIBUTE(requires_capability(mutex))
#define EXCLUDES(mutex) INSTEP_THREAD_ATTRIBUTE(locks_excluded(mutex))
#define ACQUIRED_BEFORE(mutex) INSTEP_THREAD_ATTRIBUTE(acquired_before(mutex))
// NOLINTEND(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)

namespace instep::server {

class INSTEP_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
public:
    void lock() INSTEP_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
    void unlock() INSTEP_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

private:
    std::mutex mutex_;
};

// Holds the mutex until the end of the scope.
class INSTEP_THREAD_ATTRIBUTE(scoped_lockable) LockGuard {
public:
    explicit LockGuard(Mutex& mutex) INSTEP_THREAD_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) {
        mutex_.lock();
    }
    ~LockGuard() INSTEP_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
    LockGuard(const LockGuard&) = delete;
    LockGuard& operator=(const LockGuard&) = delete;

private:
    Mutex& mutex_;
};

}  // namespace instep::server
