// SPDX-License-Identifier: MIT
// A player that connects again and again with the same key, and sends a desync report each time. Each report
// is true and names all that the server remembers, so that all of it must be compared. An observer that plays
// beside it keeps the reports up to date.
//
//     report_flood ws://HOST:PORT WORLD LEVEL COUNT GAP_US
//
// Prints how many connections were opened.
#include <instep/headless/connect.h>
#include <instep/match/builtin_levels.h>
#include <instep/net/client.h>
#include <instep/server/mutex.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace instep {
namespace {

using server::LockGuard;
using server::Mutex;

double now_in_seconds() {
    return std::chrono::duration<double>(server::Clock::now().time_since_epoch()).count();
}

// Plays without inputs, and writes reports of what it decoded.
class Observer final : public server::SessionHandler {
public:
    struct Shared {
        explicit Shared(const match::SharedSetup& setup) : client(setup, net::LinkKind::ordered) {}

        Mutex mutex;
        net::Client client GUARDED_BY(mutex);
        std::shared_ptr<server::Connection> connection GUARDED_BY(mutex);
    };

    explicit Observer(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
    void opened(std::shared_ptr<server::Connection> connection) override {
        const LockGuard lock(shared_->mutex);
        codec::Bytes hello;
        shared_->client.write_hello("observer", hello);
        connection->send(hello);
        shared_->connection = std::move(connection);
    }
    void received(codec::ByteView message) override {
        const LockGuard lock(shared_->mutex);
        shared_->client.receive(message, now_in_seconds());
    }
    void closed(const server::CloseReason&) override {
        const LockGuard lock(shared_->mutex);
        shared_->connection.reset();
    }

private:
    std::shared_ptr<Shared> shared_;
};

codec::Bytes report_of(Observer::Shared& observer, const match::Setup& setup) {
    const LockGuard lock(observer.mutex);
    codec::Bytes message;
    if (!observer.connection || !observer.client.decoder()) return message;
    codec::Bytes alive;
    if (observer.client.write_message(now_in_seconds(), alive)) observer.connection->send(alive);
    net::Report report = net::make_report(setup, *observer.client.decoder());
    report.serial = 1;
    net::write(report, message);
    return message;
}

class Attacker final : public server::SessionHandler {
public:
    struct Counts {
        std::atomic<int> opened{0};
        std::atomic<int> tried{0};  // opened, or failed
    };

    Attacker(const codec::Bytes& hello, const codec::Bytes& report, Counts& counts)
        : hello_(hello), report_(report), counts_(counts) {}
    void opened(std::shared_ptr<server::Connection> connection) override {
        ++counts_.opened;
        ++counts_.tried;
        has_opened_ = true;
        connection->send(hello_);
        connection->send(report_);
        connection_ = connection;
    }
    // The welcome: now it is in the room.
    void received(codec::ByteView) override {
        if (std::exchange(has_report_, false))
            if (const auto connection = connection_.lock()) connection->send(report_);
    }
    void closed(const server::CloseReason&) override {
        if (!has_opened_) ++counts_.tried;
    }

private:
    codec::Bytes hello_;
    codec::Bytes report_;
    Counts& counts_;
    bool has_opened_ = false;
    std::weak_ptr<server::Connection> connection_;
    bool has_report_ = true;
};

int run(const std::string& text, const char* world, const char* level, int count, int gap) {
    const auto url = headless::parse_url(text);
    const auto setup = match::load_builtin_setup(world, level);
    if (!url || !setup) {
        std::fprintf(stderr, "%s\n", (url ? setup.error() : url.error()).text().c_str());
        return 1;
    }
    const auto target = [&](const char* key) {
        headless::Url with_key = *url;
        with_key.target = std::string("/play?world=") + world + "&level=" + level + "&key=" + key;
        return with_key;
    };
    Attacker::Counts counts;
    server::Loop loop(1);
    auto shared = std::make_shared<Observer::Shared>(*setup);
    headless::connect(loop, target("00000000000000000000000observer0"), std::make_unique<Observer>(shared));
    codec::Bytes hello;
    net::write(net::Hello{.fingerprint = (*setup)->fingerprint, .name = contract::PlayerName::of("stranger")},
               hello);
    codec::Bytes report;
    const auto refresh = [&] {
        const auto latest = report_of(*shared, **setup);
        if (!latest.empty()) report = latest;
    };
    for (int i = 0; i < 60; ++i) {  // until it remembers as much as the server does
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        refresh();
    }
    if (report.empty()) {
        std::fprintf(stderr, "the observer received no snapshot\n");
        return 1;
    }
    auto next = server::Clock::now();
    for (int i = 0; i < count; ++i) {
        if (i % 100 == 0) refresh();
        headless::connect(loop, target("0000000000000000000000stranger00"),
                          std::make_unique<Attacker>(hello, report, counts));
        next += std::chrono::microseconds(gap);
        std::this_thread::sleep_until(next);
    }
    constexpr auto most_wait = std::chrono::seconds(60);  // on a busy machine
    while (counts.tried < count && server::Clock::now() < next + most_wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // for the last reports
    std::printf("%d\n", counts.opened.load());
    loop.stop();
    loop.join();
    return 0;
}

}  // namespace
}  // namespace instep

int main(int count, char** words) {
    if (count != 6) {
        std::fprintf(stderr, "usage: report_flood ws://HOST:PORT WORLD LEVEL COUNT GAP_US\n");
        return 2;
    }
    return instep::run(words[1], words[2], words[3], std::atoi(words[4]), std::atoi(words[5]));
}
