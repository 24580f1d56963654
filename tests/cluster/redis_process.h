// SPDX-License-Identifier: MIT
// A real redis-server for a test: in a folder of its own, at a free port, with an append-only file.
#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <instep/cluster/redis_client.h>

namespace instep::cluster_test {

using namespace std::chrono_literals;

inline std::uint16_t bound_port(int socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

inline int listening_socket(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    listen(socket, 8);
    return socket;
}

class RedisProcess {
public:
    // With TLS: a certificate that it signed itself, for 127.0.0.1.
    enum class Link : std::uint8_t { plain, tls };
    explicit RedisProcess(Link link = Link::plain) : link_(link) {
        std::string name = (std::filesystem::temp_directory_path() / "instep-redis-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        const int socket = listening_socket(0);
        port_ = bound_port(socket);
        close(socket);
        if (link_ == Link::tls) make_certificate("redis");
        start();
    }
    ~RedisProcess() {
        kill_now();
        std::filesystem::remove_all(folder_);
    }
    RedisProcess(const RedisProcess&) = delete;
    RedisProcess& operator=(const RedisProcess&) = delete;

    void start() {
        const std::string port = std::to_string(port_);
        process_ = fork();
        if (process_ != 0) return;
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        const std::string certificate = certificate_file("redis");
        const std::string key = folder_ + "/redis.key";
        if (link_ == Link::tls)
            execlp("redis-server", "redis-server", "--tls-port", port.c_str(), "--port", "0", "--bind",
                   "127.0.0.1", "--tls-cert-file", certificate.c_str(), "--tls-key-file", key.c_str(),
                   "--tls-ca-cert-file", certificate.c_str(), "--tls-auth-clients", "no", "--save", "",
                   "--dir", folder_.c_str(), nullptr);
        execlp("redis-server", "redis-server", "--port", port.c_str(), "--bind", "127.0.0.1", "--save", "",
               "--appendonly", "yes", "--dir", folder_.c_str(), nullptr);
        _exit(127);
    }
    void make_certificate(const std::string& name) const {
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
            "-subj /CN=redis -addext subjectAltName=IP:127.0.0.1 -keyout " +
            folder_ + "/" + name + ".key -out " + certificate_file(name) + " 2>/dev/null";
        if (std::system(command.c_str()) != 0) std::abort();
    }
    std::string certificate_file(const std::string& name) const { return folder_ + "/" + name + ".pem"; }
    void kill_now() {
        if (process_ <= 0) return;
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
        process_ = 0;
    }
    void signal(int number) const { kill(process_, number); }
    std::uint16_t port() const { return port_; }
    cluster::RedisUrl url() const {
        const bool is_tls = link_ == Link::tls;
        return {{{"127.0.0.1", port_}}, {}, is_tls, is_tls ? certificate_file("redis") : ""};
    }

private:
    Link link_;
    std::string folder_;
    std::uint16_t port_ = 0;
    pid_t process_ = 0;
};

// Waits for a condition; false after half a minute.
template <class Condition>
bool wait_until(const Condition& condition) {
    const auto until = std::chrono::steady_clock::now() + 30s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

inline cluster::Reply ask(cluster::RedisClient& client, cluster::Command command) {
    auto answer = std::make_shared<std::promise<cluster::Reply>>();
    client.send(std::move(command), [answer](const cluster::Reply& reply) { answer->set_value(reply); });
    return answer->get_future().get();
}

}  // namespace instep::cluster_test
