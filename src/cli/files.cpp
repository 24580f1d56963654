// SPDX-License-Identifier: MIT
#include <instep/cli/files.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace instep::cli {
namespace {

struct Descriptor {
    int number = -1;

    explicit Descriptor(int opened) : number(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

std::string in_megabytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

std::unexpected<Failure> open_error(const std::string& name, int error) {
    return fail(file_error, name + ": " + std::strerror(error));
}

}  // namespace

Outcome<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes) {
    const std::string name = path.string();
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number < 0) return open_error(name, errno);
    struct stat status{};
    if (::fstat(file.number, &status) != 0) return open_error(name, errno);
    if (S_ISDIR(status.st_mode)) return fail(file_error, name + ": is a directory, expected a file");

    const auto too_large = [&] {
        return fail(bad_input, name + ": is larger than " + in_megabytes(most_bytes) +
                                   ", the limit for files of this kind");
    };
    if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > most_bytes) return too_large();
    std::string text;
    char part[1 << 16];
    for (;;) {
        const ssize_t count = ::read(file.number, part, sizeof part);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return open_error(name, errno);
        if (count == 0) return text;
        text.append(part, static_cast<std::size_t>(count));
        if (text.size() > most_bytes) return too_large();  // fstat gives no size for a pipe or device
    }
}

Outcome<Output> Output::open(const std::string& path) {
    Output output;
    if (path.empty() || path == "-") {
        output.name_ = "stdout";
        output.file_ = stdout;
        return output;
    }
    output.name_ = path;
    output.owned_.reset(std::fopen(path.c_str(), "wb"));
    if (!output.owned_) return open_error(path, errno);
    output.file_ = output.owned_.get();
    return output;
}

bool Output::write(std::string_view text) {
    if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) error_ = errno;
    return error_ == 0;
}

Outcome<void> Output::finish() {
    if (error_ == 0 && std::fflush(file_) != 0) error_ = errno;
    if (owned_ && std::fclose(owned_.release()) != 0 && error_ == 0) error_ = errno;
    if (error_ == 0 || pipe_closed()) return {};
    return open_error(name_, error_);
}

Outcome<void> can_write(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (file.number < 0) return open_error(path, errno);
    return {};
}

Outcome<void> write_file(const std::string& path, std::string_view text) {
    auto output = Output::open(path);
    if (!output) return std::unexpected(output.error());
    output->write(text);
    return output->finish();
}

}  // namespace instep::cli
