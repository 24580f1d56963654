// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>

#include <tests/cluster/redis_process.h>

namespace instep::cluster {
namespace {

using namespace cluster_test;

struct Client {
    explicit Client(const RedisUrl& url, const RedisLogin& login = {})
        : redis(loop, url, login,
                {[this] { ++connects; },
                 [this](const std::string& why) {
                     const std::lock_guard lock(mutex);
                     ++failures;
                     last_failure = why;
                 }}) {}
    bool is_connected() const { return redis.is_connected(); }
    std::string why() {
        const std::lock_guard lock(mutex);
        return last_failure;
    }

    std::atomic<int> connects{0};
    std::atomic<int> failures{0};
    std::mutex mutex;
    std::string last_failure;
    server::Loop loop{1};
    RedisClient redis;
};

// Accepts one connection after the other and says the same to each.
class FakeRedis {
public:
    explicit FakeRedis(std::string says) : says_(std::move(says)), socket_(listening_socket(0)) {
        thread_ = std::thread([this] {
            for (;;) {
                const int client = accept(socket_, nullptr, nullptr);
                if (client < 0) return;
                char asked[64];
                if (recv(client, asked, sizeof asked, 0) > 0) {
                    const auto sent = send(client, says_.data(), says_.size(), MSG_NOSIGNAL);
                    static_cast<void>(sent);
                    while (recv(client, asked, sizeof asked, 0) > 0) {
                    }
                }
                close(client);
            }
        });
    }
    ~FakeRedis() {
        shutdown(socket_, SHUT_RDWR);
        close(socket_);
        thread_.join();
    }
    FakeRedis(const FakeRedis&) = delete;
    FakeRedis& operator=(const FakeRedis&) = delete;
    RedisUrl url() const { return {{{"127.0.0.1", bound_port(socket_)}}, {}, false, {}}; }

private:
    std::string says_;
    int socket_;
    std::thread thread_;
};

}  // namespace

TEST_CASE("redis client: commands are pipelined and answered in order") {
    RedisProcess process;
    Client client(process.url());
    REQUIRE(wait_until([&] { return client.is_connected(); }));
    std::vector<std::int64_t> answers;
    std::promise<void> all;
    constexpr int count = 10'000;
    for (int i = 0; i < count; ++i)
        client.redis.send({"INCR", "n"}, [&](const Reply& reply) {
            answers.push_back(reply.integer);
            if (answers.size() == count) all.set_value();
        });
    all.get_future().wait();
    for (std::size_t i = 0; i < count; ++i) REQUIRE(answers[i] == static_cast<std::int64_t>(i) + 1);
    const std::string bytes(300'000, '\0');
    CHECK(ask(client.redis, {"SET", "large", bytes}).text == "OK");
    CHECK(ask(client.redis, {"GET", "large"}).text == bytes);
    CHECK(ask(client.redis, {"NONSENSE"}).is_error());
}

TEST_CASE("redis client: a restart is survived, and commands meanwhile are answered as lost") {
    RedisProcess process;
    Client client(process.url());
    REQUIRE(wait_until([&] { return client.is_connected(); }));
    CHECK(ask(client.redis, {"SET", "a", "1"}).text == "OK");
    process.kill_now();
    CHECK(wait_until([&] { return ask(client.redis, {"GET", "a"}).error_code() == RedisClient::lost; }));
    process.start();
    REQUIRE(wait_until([&] { return client.connects >= 2 && client.is_connected(); }));
    CHECK(wait_until([&] { return ask(client.redis, {"GET", "a"}).text == "1"; }));
}

TEST_CASE("redis client: one that is stopped is given up, and waiting commands are answered as lost") {
    RedisProcess process;
    Client client(process.url());
    REQUIRE(wait_until([&] { return client.is_connected(); }));
    process.signal(SIGSTOP);
    CHECK(ask(client.redis, {"PING"}).error_code() == RedisClient::lost);
    process.signal(SIGCONT);
    CHECK(wait_until([&] { return ask(client.redis, {"PING"}).text == "PONG"; }));
}

TEST_CASE("redis client: a wrong password is reported, the right one works") {
    RedisProcess process;
    {
        Client open(process.url());
        REQUIRE(wait_until([&] { return open.is_connected(); }));
        ask(open.redis, {"ACL", "SETUSER", "instep", "on", ">right", "~*", "+@all"});
        Client wrong(process.url(), {"instep", "wrong"});
        CHECK(wait_until([&] { return wrong.why().starts_with("login: WRONGPASS"); }));
        Client right(process.url(), {"instep", "right"});
        REQUIRE(wait_until([&] { return right.is_connected(); }));
        CHECK(ask(right.redis, {"ACL", "WHOAMI"}).text == "instep");
    }
}

TEST_CASE("redis client: with TLS the certificate must be signed by the right authority, for this host") {
    RedisProcess process(RedisProcess::Link::tls);
    Client client(process.url());
    REQUIRE(wait_until([&] { return client.is_connected(); }));
    const std::string bytes(300'000, 'x');  // many records
    CHECK(ask(client.redis, {"SET", "large", bytes}).text == "OK");
    CHECK(ask(client.redis, {"GET", "large"}).text == bytes);
    process.kill_now();
    CHECK(wait_until([&] { return ask(client.redis, {"PING"}).error_code() == RedisClient::lost; }));
    process.start();
    CHECK(wait_until([&] { return ask(client.redis, {"PING"}).text == "PONG"; }));

    const auto fails_with = [](const RedisUrl& url, const char* text) {
        Client refused(url);
        CHECK(wait_until([&] { return refused.failures >= 1; }));
        CHECK(refused.connects == 0);
        CHECK_MESSAGE(refused.why().find(text) != std::string::npos, refused.why());
    };
    RedisUrl url = process.url();
    process.make_certificate("other");
    url.authorities = process.certificate_file("other");
    fails_with(url, "certificate verify failed");
    url.authorities.clear();  // the system does not know it
    fails_with(url, "certificate verify failed");
    url = process.url();
    url.hosts.front().name = "localhost";  // the certificate is for 127.0.0.1
    fails_with(url, "certificate verify failed");
    url.authorities = process.certificate_file("none");
    fails_with(url, "holds no certificates");
    url = process.url();
    url.tls = false;
    Client plain(url);
    CHECK(wait_until([&] { return plain.failures >= 2; }));
    CHECK(plain.connects == 0);
}

TEST_CASE("redis client: a peer that speaks another language is left, and tried again") {
    for (const std::string& says :
         {std::string("HTTP/1.1 400 Bad Request\r\n\r\n"), std::string("*-7\r\n"), std::string("+OK\r\n"),
          std::string("*3\r\n$5\r\nslave\r\n$1\r\na\r\n:1\r\n"),
          std::string("*2147483647\r\n$1\r\nx\r\n$9999999999\r\n"),
          std::string("*1\r\n$6\r\nmaster\r\n:1\r\n:2\r\n")}) {
        CAPTURE(says);
        FakeRedis fake(says);
        Client client(fake.url());
        CHECK(wait_until([&] { return client.failures >= 2; }));
    }
}

}  // namespace instep::cluster
