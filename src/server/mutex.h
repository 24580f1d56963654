// SPDX-License-Identifier: MIT
// A mutex that clang's thread safety analysis (-Wthread-safety) understands: a member marked GUARDED_BY can
// be read or written only while its mutex is held, and a function marked REQUIRES only called then. Otherwise
// the clang build fails.
//
// It inherits priority: threads of ticks have a real-time priority where the system allows it, and threads of
// sockets do not. On a busy machine a thread of sockets may get no processor for hundreds of milliseconds
// while it holds the lock that a tick waits for; so it runs with the tick's priority until it releases it.
#pragma once

#include <pthread.h>

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
    Mutex() {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
        // A kernel without priority inheritance refuses it; the default mutex always works.
        if (pthread_mutex_init(&mutex_, &attributes) != 0) pthread_mutex_init(&mutex_, nullptr);
        pthread_mutexattr_destroy(&attributes);
    }
    ~Mutex() { pthread_mutex_destroy(&mutex_); }
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

    void lock() INSTEP_THREAD_ATTRIBUTE(acquire_capability()) { pthread_mutex_lock(&mutex_); }
    void unlock() INSTEP_THREAD_ATTRIBUTE(release_capability()) { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_;
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
