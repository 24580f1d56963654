// SPDX-License-Identifier: MIT
// A disk that is slow or full, for slow_disk.sh: preloaded into a server, it delays every call that touches a
// file in one folder, refuses writes beyond a quota with ENOSPC, and notes the calls with their threads.
//
//     DISK_SHIM_FOLDER    the folder
//     DISK_SHIM_CONTROL   a file with "DELAY_MS QUOTA_BYTES", read again at every call
//     DISK_SHIM_USED      bytes of the files that are there at the start
//     DISK_SHIM_LOG       gets a line "CALL THREAD RESULT" for every call
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::array<std::atomic<bool>, 65536> ours{};  // descriptors of files in the folder
// Bytes in them: those at the start and those written, less those of deleted files.
std::atomic<long> used{std::getenv("DISK_SHIM_USED") ? std::atol(std::getenv("DISK_SHIM_USED")) : 0};

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// System calls of its own, which are not intercepted.
std::string content_of(const char* variable) {
    std::array<char, 64> text{};
    const char* path = std::getenv(variable);
    const long file = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0) : -1;
    if (file < 0) return {};
    syscall(SYS_read, file, text.data(), text.size() - 1);
    syscall(SYS_close, file);
    return text.data();
}

void note(const char* call, const char* result) {
    std::array<char, 16> thread{};
    pthread_getname_np(pthread_self(), thread.data(), thread.size());
    const std::string line = std::string(call) + " " + thread.data() + " " + result + "\n";
    const char* path = std::getenv("DISK_SHIM_LOG");
    const long file = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT, 0644) : -1;
    if (file < 0) return;
    syscall(SYS_write, file, line.data(), line.size());
    syscall(SYS_close, file);
}

bool is_ours(const char* path) {
    const char* folder = std::getenv("DISK_SHIM_FOLDER");
    return folder && path && std::strncmp(path, folder, std::strlen(folder)) == 0;
}
bool is_ours(int file) {
    return file >= 0 && file < static_cast<int>(ours.size()) && ours[static_cast<unsigned>(file)];
}

void delay(const char* call) {
    const long ms = std::atol(content_of("DISK_SHIM_CONTROL").c_str());
    note(call, "delayed");
    if (ms > 0) usleep(static_cast<useconds_t>(ms * 1000));
}

// Whether so many more bytes are beyond the quota.
bool is_full(std::size_t more) {
    const std::string control = content_of("DISK_SHIM_CONTROL");
    const std::size_t gap = control.find(' ');
    if (gap == std::string::npos) return false;
    if (used + static_cast<long>(more) <= std::atol(control.c_str() + gap)) return false;
    note("write", "ENOSPC");
    errno = ENOSPC;
    return true;
}

int mark(int file, bool value) {
    if (file >= 0 && file < static_cast<int>(ours.size())) ours[static_cast<unsigned>(file)] = value;
    return file;
}

long size_of(const char* path) {
    struct stat found{};
    return stat(path, &found) == 0 ? found.st_size : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    if (is_ours(path)) delay("open");
    const int file = next<int(const char*, int, mode_t)>("open")(path, flags, mode);
    return mark(file, is_ours(path));
}
int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return open(path, flags, mode);
}
std::FILE* fopen(const char* path, const char* mode) {
    if (is_ours(path)) delay("fopen");
    std::FILE* file = next<std::FILE*(const char*, const char*)>("fopen")(path, mode);
    if (file) mark(fileno(file), is_ours(path));
    return file;
}
std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
int fflush(std::FILE* file) {
    if (file && is_ours(fileno(file))) delay("fflush");
    return next<int(std::FILE*)>("fflush")(file);
}
int fclose(std::FILE* file) {
    if (is_ours(fileno(file))) {
        delay("fclose");
        mark(fileno(file), false);
    }
    return next<int(std::FILE*)>("fclose")(file);
}
std::size_t fread(void* into, std::size_t size, std::size_t count, std::FILE* file) {
    if (is_ours(fileno(file))) delay("fread");
    return next<std::size_t(void*, std::size_t, std::size_t, std::FILE*)>("fread")(into, size, count, file);
}
ssize_t write(int file, const void* from, std::size_t size) {
    if (is_ours(file)) {
        delay("write");
        if (is_full(size)) return -1;
        used += static_cast<long>(size);
    }
    return next<ssize_t(int, const void*, std::size_t)>("write")(file, from, size);
}
ssize_t pread(int file, void* into, std::size_t size, off_t offset) {
    if (is_ours(file)) delay("pread");
    return next<ssize_t(int, void*, std::size_t, off_t)>("pread")(file, into, size, offset);
}
ssize_t pread64(int file, void* into, std::size_t size, off64_t offset) {
    return pread(file, into, size, offset);
}
int ftruncate(int file, off_t size) {
    if (is_ours(file)) delay("ftruncate");
    return next<int(int, off_t)>("ftruncate")(file, size);
}
int close(int file) {
    if (is_ours(file)) {
        delay("close");
        mark(file, false);
    }
    return next<int(int)>("close")(file);
}
int unlink(const char* path) {
    if (is_ours(path)) {
        delay("unlink");
        used -= size_of(path);
    }
    return next<int(const char*)>("unlink")(path);
}
int remove(const char* path) {
    if (is_ours(path)) {
        delay("remove");
        used -= size_of(path);
    }
    return next<int(const char*)>("remove")(path);
}
int rename(const char* from, const char* to) {
    if (is_ours(from)) delay("rename");
    return next<int(const char*, const char*)>("rename")(from, to);
}
DIR* opendir(const char* path) {
    if (is_ours(path)) delay("opendir");
    return next<DIR*(const char*)>("opendir")(path);
}
}
