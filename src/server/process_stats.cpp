// SPDX-License-Identifier: MIT
#include <instep/server/process_stats.h>

#include <cstdlib>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace instep::server {
namespace {

constexpr std::chrono::seconds most_age{1};

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

ProcessStats::ProcessStats()
    : statm_(open("/proc/self/statm", O_RDONLY | O_CLOEXEC)), descriptors_(opendir("/proc/self/fd")) {}

ProcessStats::~ProcessStats() {
    if (statm_ >= 0) close(statm_);
    if (descriptors_) closedir(descriptors_);
}

ProcessStats::Sample ProcessStats::sample(Time now) {
    const LockGuard lock(mutex_);
    if (sampled_at_ != Time::min() && now - sampled_at_ < most_age) return sample_;
    sampled_at_ = now;
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    sample_ = {.resident_bytes = read_resident_bytes(),
               .descriptors = count_descriptors(),
               .most_descriptors = limit.rlim_cur,
               .processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)};
    return sample_;
}

// The second number of proc_pid_statm(5) is the resident set, in pages.
std::uint64_t ProcessStats::read_resident_bytes() const {
    char text[128] = {};
    if (statm_ < 0 || pread(statm_, text, sizeof text - 1, 0) <= 0) return 0;
    char* rest = nullptr;
    std::strtoull(text, &rest, 10);
    return std::strtoull(rest, nullptr, 10) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t ProcessStats::count_descriptors() const {
    if (!descriptors_) return 0;
    rewinddir(descriptors_);
    std::uint64_t entries = 0;
    while (readdir(descriptors_)) ++entries;  // NOLINT(concurrency-mt-unsafe): guarded by the mutex
    return entries < 2 ? 0 : entries - 2;     // without . and ..
}

}  // namespace instep::server
