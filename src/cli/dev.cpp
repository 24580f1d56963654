// SPDX-License-Identifier: MIT
// `NAME dev`: a game that is played while it is edited. Each saved change is built, natively and for the page
// at the same time; then a new server takes the rooms of the old one over, and pages load the new module.
// What does not compile, or does not start, is said here and in the page, and the game goes on as it was.
//
//     save ─► build ─► a server starts ─► it takes the rooms ─► the old server ends
//               └► error                └► error
//
// All servers accept on one socket, which this process opens; so the address stays the same, and no
// connection is refused between two of them. Two admin sockets, used in turn, are where a server hands its
// rooms to the next.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <instep/cli/build_log.h>
#include <instep/cli/child_process.h>
#include <instep/cli/commands.h>
#include <instep/cli/game.h>
#include <instep/cli/source_watch.h>
#include <instep/server/build_status.h>
#include <instep/server/http_post.h>
#include <instep/state/hash.h>
#include <instep/state/utf8.h>

namespace instep::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto settle = 60ms;       // an editor may write several files, or one in several steps
constexpr auto most_leaving = 10s;  // of a server that has handed its rooms over
constexpr auto crash_loop = 2s;     // a server that ends sooner is not started again by itself
constexpr auto most_ending = 5s;
constexpr auto most_interrupting = 1s;  // ninja removes what is half written

double seconds_since(Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
}

// A socket that listens, and its port.
struct ListeningSocket {
    int descriptor = -1;
    std::uint16_t port = 0;
};

Outcome<ListeningSocket> listen_at(const std::string& address, std::uint16_t port) {
    const std::string where = address + ":" + std::to_string(port);
    const auto failed = [&where](int descriptor) {
        const std::string why = std::strerror(errno);
        if (descriptor >= 0) close(descriptor);
        return fail(file_error, where + ": cannot listen there: " + why);
    };
    sockaddr_storage storage{};
    auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
    auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
    socklen_t size = 0;
    if (inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
        size = sizeof v4;
    } else if (inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
        size = sizeof v6;
    } else {
        return fail(bad_input,
                    "--address: expected one like 127.0.0.1, 0.0.0.0 or ::, got \"" + address + "\"");
    }
    const int descriptor = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    auto* const generic = reinterpret_cast<sockaddr*>(&storage);
    if (descriptor < 0 || setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(descriptor, generic, size) != 0 || listen(descriptor, SOMAXCONN) != 0 ||
        getsockname(descriptor, generic, &size) != 0)
        return failed(descriptor);
    return ListeningSocket{descriptor, ntohs(storage.ss_family == AF_INET ? v4.sin_port : v6.sin6_port)};
}

// This machine's first IPv4 address that others can reach, or empty.
std::string find_own_address() {
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return {};
    std::string found;
    for (const ifaddrs* each = all; each && found.empty(); each = each->ifa_next) {
        if (!each->ifa_addr || each->ifa_addr->sa_family != AF_INET) continue;
        if ((each->ifa_flags & IFF_LOOPBACK) || !(each->ifa_flags & IFF_UP)) continue;
        char text[INET_ADDRSTRLEN];
        const auto* address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
        if (inet_ntop(AF_INET, &address->sin_addr, text, sizeof text)) found = text;
    }
    freeifaddrs(all);
    return found;
}

// Of the program and the page: equal if a build changed nothing.
std::string hash_of_build(const fs::path& program, const fs::path& page) {
    state::Hasher hasher;
    for (const fs::path& path : {program, page / "game.json"}) {
        std::ifstream file(path, std::ios::binary);
        hasher.add(std::string(std::istreambuf_iterator<char>(file), {}));
    }
    return state::hash_text(hasher.finish());
}

// What the page shows: well-formed, and no more than the server takes.
std::string readable(std::string_view text) {
    std::string clean;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(state::utf8_length(text), 1);
        if (clean.size() + length > server::BuildStatus::most_message) break;
        const bool is_shown =
            state::utf8_length(text) > 0 && (text[0] == '\n' || !state::is_control(text[0]));
        clean += is_shown ? text.substr(0, length) : " ";
        text.remove_prefix(length);
    }
    return clean;
}

// Asks it to end, and waits for that; what does not is killed with its object.
void end_in_time(ChildProcess& child, std::chrono::milliseconds patience) {
    child.signal(SIGINT);
    const auto until = Clock::now() + patience;
    while (!child.status() && Clock::now() < until) usleep(5000);
}

class EditLoop {
public:
    explicit EditLoop(DevOptions options) : options_(std::move(options)) {}

    Outcome<void> open() {
        const fs::path build(game().build);
        std::error_code error;
        if (game().build.empty() || !fs::is_directory(build, error) ||
            !fs::is_directory(game().source, error))
            return fail(file_error, std::string(game().build.empty() ? "its build folder" : game().build) +
                                        ": is not there; `dev` works where the game was built");
        program_ = build / game().name;
        auto watch = SourceWatch::open(game().source, build);
        if (!watch) return std::unexpected(watch.error());
        watch_.emplace(std::move(*watch));
        auto listening = listen_at(options_.address, options_.port.value_or(8080));
        if (!listening) return std::unexpected(listening.error());
        public_ = *listening;
        for (ListeningSocket& admin : admin_) {
            auto opened = listen_at("127.0.0.1", 0);
            if (!opened) return std::unexpected(opened.error());
            admin = *opened;
        }
        name_address();
        sigset_t set;
        sigemptyset(&set);
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, number);
        pthread_sigmask(SIG_BLOCK, &set, nullptr);  // before the loop has threads
        signals_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
        if (signals_ < 0) return fail(file_error, std::string("no signals: ") + std::strerror(errno));
        posts_.emplace(1);
        return {};
    }

    int run() {
        std::printf("%s\n", url_.c_str());
        if (!lan_url_.empty()) std::printf("%s     for others in this network\n", lan_url_.c_str());
        std::fflush(stdout);
        changed_at_ = Clock::now();
        start_server();
        begin_build();
        while (!ends_) {
            wait();
            if (settled_ && Clock::now() >= *settled_) begin_build();
            if (build_) look_at_build();
            look_at_servers();
        }
        return end();
    }

private:
    struct Server {
        ChildProcess process;
        std::string build;
        std::size_t admin = 0;  // index
        Clock::time_point started = Clock::now();
        Clock::time_point leaves_until{};
        std::string line = {};  // the last one of its output, if it has no end yet
    };

    void name_address() {
        const bool is_any = options_.address == "0.0.0.0" || options_.address == "::";
        const bool is_v6 = options_.address.find(':') != std::string::npos;
        const std::string port = ":" + std::to_string(public_.port);
        const std::string host = is_any  ? "127.0.0.1"
                                 : is_v6 ? "[" + options_.address + "]"
                                         : options_.address;
        url_ = "http://" + host + port;
        addresses_ = {"ws://" + host + port};
        const std::string own = is_any ? find_own_address() : "";
        if (own.empty()) return;
        lan_url_ = "http://" + own + port;
        addresses_.insert(addresses_.begin(), "ws://" + own + port);
    }

    // --- Waiting

    void wait() {
        std::vector<pollfd> sources{{watch_->descriptor(), POLLIN, 0}, {signals_, POLLIN, 0}};
        const auto add = [&sources](int descriptor) {
            if (descriptor >= 0) sources.push_back({descriptor, POLLIN, 0});
        };
        if (build_) add(build_->descriptor());
        for (const auto* server : {&playing_, &starting_, &leaving_})
            if (*server) add((*server)->process.descriptor());
        const int timeout = settled_ || leaving_ ? static_cast<int>(settle / 1ms) : -1;
        poll(sources.data(), sources.size(), timeout);
        signalfd_siginfo signal{};
        while (read(signals_, &signal, sizeof signal) == sizeof signal)
            if (signal.ssi_signo != SIGCHLD) ends_ = true;
        if (!watch_->take_changes()) return;
        if (!settled_ && !build_) changed_at_ = Clock::now();
        settled_ = Clock::now() + settle;
    }

    // --- Building

    void begin_build() {
        if (build_) end_in_time(*build_, most_interrupting);  // what it builds is out of date
        build_.reset();
        settled_.reset();
        std::vector<std::string> words{std::string(game().cmake), "--build", std::string(game().build),
                                       "--target"};
        for (std::string_view targets = game().targets; !targets.empty();) {
            const std::size_t end = std::min(targets.find(' '), targets.size());
            words.emplace_back(targets.substr(0, end));
            targets.remove_prefix(std::min(end + 1, targets.size()));
        }
        auto started = ChildProcess::start(words);
        if (!started) return say_wrong(started.error().message);
        build_.emplace(std::move(*started));
        build_began_ = Clock::now();
    }

    void look_at_build() {
        build_->read();
        const auto status = build_->status();
        if (!status) return;
        build_->read();
        const std::string text = clean_build_log(build_->output());
        build_.reset();
        if (*status != 0)
            return say_wrong(text.empty() ? "the build ended with " + describe_status(*status) : text);
        if (!text.empty()) std::fprintf(stderr, "%s\n", text.c_str());  // warnings
        build_seconds_ = seconds_since(build_began_);
        if (is_wrong_) std::fprintf(stderr, "it compiles again\n");
        is_wrong_ = false;
        tell("");
        wants_server_ = true;
    }

    // --- Servers

    void start_server() {
        wants_server_ = false;
        const std::string page = page_folder("");
        const std::string id = hash_of_build(program_, page);
        if (playing_ && playing_->build == id) return;
        const std::size_t admin = playing_ ? 1 - playing_->admin : 0;
        std::vector<std::string> words{
            program_.string(),  "serve",
            "--address",        options_.address,
            "--port",           std::to_string(public_.port),
            "--socket",         std::to_string(ChildProcess::first_socket),
            "--admin",          std::to_string(admin_[admin].port),
            "--admin-socket",   std::to_string(ChildProcess::first_socket + 1),
            "--successor",      "http://127.0.0.1:" + std::to_string(admin_[1 - admin].port),
            "--public-address", addresses_.front(),
            "--bots",           std::to_string(options_.bots.value_or(0)),
            "--build",          id,
            "--log-level",      "error"};
        if (!page.empty()) words.insert(words.end(), {"--page", page});
        for (const std::string& address : addresses_) words.insert(words.end(), {"--peer", address});
        auto started = ChildProcess::start(words, {public_.descriptor, admin_[admin].descriptor});
        if (!started) return say_wrong(started.error().message);
        starting_.emplace(Server{std::move(*started), id, admin});
    }

    void look_at_servers() {
        if (starting_) look_at_starting();
        if (playing_) look_at_playing();
        if (leaving_) {
            show_lines(*leaving_);
            if (Clock::now() > leaving_->leaves_until) leaving_->process.signal(SIGKILL);
            if (leaving_->process.status()) leaving_.reset();
        }
        // One at a time: the two admin sockets are used in turn.
        if (wants_server_ && !starting_ && !leaving_) start_server();
    }

    void look_at_starting() {
        const bool is_ready = show_lines(*starting_);
        if (is_ready) {
            if (playing_) {
                std::fprintf(stderr, "playing the change %.1f s after it was saved (built in %.1f s)\n",
                             seconds_since(changed_at_), build_seconds_);
                playing_->process.signal(SIGTERM);  // it hands its rooms over and ends
                playing_->leaves_until = Clock::now() + most_leaving;
                leaving_ = std::move(playing_);
            }
            playing_ = std::move(starting_);
            starting_.reset();
            return;
        }
        const auto status = starting_->process.status();
        if (!status) return;
        const std::string text = starting_->process.output();
        starting_.reset();
        say_wrong(text.empty() ? "the game did not start: " + describe_status(*status) : text);
    }

    void look_at_playing() {
        show_lines(*playing_);
        const auto status = playing_->process.status();
        if (!status) return;
        const bool may_start =
            seconds_since(playing_->started) > std::chrono::duration<double>(crash_loop).count();
        std::fprintf(
            stderr, "the game ended with %s; %s\n", describe_status(*status).c_str(),
            may_start ? "it starts again, without its rooms" : "it starts again with the next change");
        playing_.reset();
        if (may_start) wants_server_ = true;
    }

    // Shows what a server says. True: it has said where it listens, so it plays.
    static bool show_lines(Server& server) {
        bool is_ready = false;
        server.line += server.process.read();
        for (std::size_t end; (end = server.line.find('\n')) != std::string::npos;
             server.line.erase(0, end + 1)) {
            const std::string line = server.line.substr(0, end);
            if (line.starts_with("http"))
                is_ready = true;
            else
                std::fprintf(stderr, "%s\n", printable(line).c_str());
        }
        return is_ready;
    }

    // --- What is wrong

    void say_wrong(const std::string& text) {
        std::fprintf(stderr, "%s\n", text.c_str());
        is_wrong_ = true;
        tell(text);
    }

    // To the pages, by the server that plays.
    void tell(std::string_view text) {
        if (!playing_) return;
        const state::Json body = state::Json::Object{{"message", readable(text)}};
        server::HttpPost request;
        request.to.host = "127.0.0.1";
        request.to.port = admin_[playing_->admin].port;
        request.target = "/admin/build";
        request.body = state::write_json(body);
        server::post(*posts_, std::move(request), [](const auto&) {});
    }

    int end() {
        build_.reset();
        for (auto* server : {&starting_, &playing_, &leaving_})
            if (*server) end_in_time((*server)->process, most_ending);
        return success;
    }

    const DevOptions options_;
    fs::path program_;
    std::optional<SourceWatch> watch_;
    ListeningSocket public_, admin_[2];
    std::string url_, lan_url_;
    std::vector<std::string> addresses_;  // for clients; the first is named to those that follow a room
    int signals_ = -1;
    std::optional<server::Loop> posts_;
    bool ends_ = false;

    std::optional<Clock::time_point> settled_;  // when the last change is built; empty: nothing has changed
    Clock::time_point changed_at_;
    std::optional<ChildProcess> build_;
    Clock::time_point build_began_;
    double build_seconds_ = 0;
    bool is_wrong_ = false;

    bool wants_server_ = false;  // a build may have made something new
    std::optional<Server> starting_, playing_, leaving_;
};

}  // namespace

int run_dev(const DevOptions& options) {
    EditLoop loop(options);
    if (const auto opened = loop.open(); !opened) return report(opened.error());
    return loop.run();
}

}  // namespace instep::cli
