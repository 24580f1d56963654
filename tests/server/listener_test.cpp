// SPDX-License-Identifier: MIT
// The listener, byte by byte: the rules of WebSocket (RFC 6455), limits and timeouts. Its request handler
// echoes every message, or floods the client.
#include <instep/server/listener.h>

#include <tests/server/test_server.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;
using test::CloseFrame;
using test::eventually;
using test::find_close;
using test::frame;
using test::RawSocket;
using test::upgrade_request;

namespace {

class Echo final : public SessionHandler {
public:
    explicit Echo(std::size_t flood) : flood_(flood) {}
    void opened(std::shared_ptr<Connection> connection) override { connection_ = connection; }
    void received(codec::ByteView message) override {
        const std::shared_ptr<Connection> connection = connection_.lock();
        if (flood_ == 0) return connection->send(message);
        const codec::Bytes block(1024);
        for (std::size_t sent = 0; sent < flood_; sent += block.size()) connection->send(block);
    }
    void closed(const CloseReason&) override {}

private:
    std::size_t flood_;  // bytes
    std::weak_ptr<Connection> connection_;
};

struct EchoHandler final : RequestHandler {
    Response answer(const Request& request) override { return {.type = "text/plain", .body = request.path}; }
    std::expected<void, Refusal> may_upgrade(const Request&) override { return {}; }
    std::expected<std::unique_ptr<SessionHandler>, Refusal> accept(const Request& request) override {
        if (request.path == "/no")
            return std::unexpected(Refusal{RefusalReason::room_full, "no seat is free"});
        return std::make_unique<Echo>(request.path == "/flood" ? 16u << 20 : 0);
    }
};

struct EchoServer {
    explicit EchoServer(const Limits& limits = {}) {
        Settings settings = test::loopback();
        settings.limits = limits;
        auto opened = Listener::open(loop, handler, settings, metrics, test::silent_log());
        REQUIRE(opened.has_value());
        listener = std::move(*opened);
    }
    RawSocket connect(const std::string& path = "/echo", int receive_buffer = 0) const {
        RawSocket socket(listener->port(), receive_buffer);
        REQUIRE(socket.send(upgrade_request(path)));
        const std::string answer = socket.receive("\r\n\r\n");
        REQUIRE(answer.starts_with("HTTP/1.1 101"));
        return socket;
    }
    // The close frame that the server sends after these bytes.
    CloseFrame closes_after(const std::string& bytes) const {
        RawSocket socket = connect();
        socket.send(bytes);
        return find_close(socket.receive());
    }
    std::uint64_t refused(RefusalReason reason) const {
        return metrics.refusals[static_cast<std::size_t>(reason)];
    }

    Metrics metrics;
    EchoHandler handler;
    Loop loop{2};
    std::unique_ptr<Listener> listener;
};

constexpr unsigned char text = 0x81, binary = 0x82, close_op = 0x88, ping = 0x89;
constexpr unsigned char begin_binary = 0x02, go_on = 0x00, end_it = 0x80;  // fragments
const std::string normal_close("\x03\xE8", 2);                             // 1000

}  // namespace

TEST_CASE("websocket: a message arrives complete, in one frame or in several") {
    const EchoServer server;
    RawSocket socket = server.connect();
    socket.send(frame(binary, "hello"));
    CHECK(socket.receive("hello") == "\x82\x05hello");
    socket.send(frame(begin_binary, "in ") + frame(go_on, "") + frame(go_on, "three ") +
                frame(end_it, "parts"));
    CHECK(socket.receive("parts") == "\x82\x0Ein three parts");
    const std::string middle(300, 'm');
    socket.send(frame(binary, middle));
    CHECK(socket.receive(middle) == std::string("\x82\x7E\x01\x2C", 4) + middle);
    socket.send(frame(binary, "") + frame(binary, "end"));
    CHECK(socket.receive("end") == std::string("\x82\x00\x82\x03", 4) + "end");
}

TEST_CASE("websocket: a ping is answered with its content, also between fragments") {
    const EchoServer server;
    RawSocket socket = server.connect();
    socket.send(frame(begin_binary, "to") + frame(ping, "anybody?") + frame(end_it, "gether"));
    const std::string answer = socket.receive("together");
    CHECK(answer.find("\x8A\x08"
                      "anybody?") != std::string::npos);
    CHECK(answer.find("\x82\x08together") != std::string::npos);
}

TEST_CASE("websocket: a close is answered with its code, then the connection ends") {
    const EchoServer server;
    RawSocket socket = server.connect();
    socket.send(frame(close_op, normal_close));
    CHECK(find_close(socket.receive()).code == 1000);
    CHECK(eventually([&] { return server.metrics.connections == 0; }));
    CHECK(server.closes_after(frame(close_op, std::string("\x0F\xA0", 2) + "bye")).code == 4000);
}

TEST_CASE("websocket: a violation of RFC 6455 is closed with the code it requires") {
    const EchoServer server;
    std::string unmasked = "\x82\x02";
    unmasked += "no";
    const std::pair<const char*, std::string> forbidden[] = {
        {"a reserved bit", frame(0xC2, "x")},
        {"a reserved kind of frame", frame(0x83, "x")},
        {"a reserved kind of control frame", frame(0x8B, "x")},
        {"a frame without a mask", unmasked},
        {"a control frame in parts", frame(0x09, "x")},
        {"a control frame of over 125 bytes", frame(ping, std::string(126, 'x'))},
        {"a part of no message", frame(end_it, "x")},
        {"a message within a message", frame(begin_binary, "x") + frame(binary, "y")},
        {"a close code of one byte", frame(close_op, "x")},
        {"a close code that must not be sent", frame(close_op, std::string("\x03\xED", 2))},
        {"a length in more bytes than it needs",
         std::string("\x82\xFE\x00\x05", 4) + std::string(4, '\0') + "12345"},
    };
    for (const auto& [what, bytes] : forbidden) {
        CAPTURE(what);
        CHECK(server.closes_after(bytes).code == 1002);
    }
    CHECK(server.closes_after(frame(text, "\xC3\x28")).code == 1007);
    CHECK(server.closes_after(frame(close_op, normal_close + "\xC3\x28")).code == 1002);
}

TEST_CASE("websocket: a text message is refused") {
    const EchoServer server;
    const CloseFrame close = server.closes_after(frame(text, "hello"));
    CHECK(close.code == 1003);
    CHECK(close.reason.starts_with("not_binary: "));
}

// The refusal of the text begins a close. The client's close frame is then in the buffer already, behind one
// more message, and not read from the socket.
TEST_CASE("websocket: a close frame in the packet that is refused ends the connection") {
    const EchoServer server;
    RawSocket socket = server.connect();
    socket.send(frame(text, "hello") + frame(close_op, normal_close));
    CHECK(socket.is_closed_within(10'000));
    CHECK(eventually([&] { return server.metrics.connections == 0; }));
}

TEST_CASE("websocket: a frame of a gigabyte is refused after its header") {
    const EchoServer server;
    const CloseFrame close = server.closes_after(std::string("\x82\xFF\0\0\0\0\x40\0\0\0\0\0\0\0", 14));
    CHECK(close.code == 1009);
    const std::string impossible = std::string("\x82\xFF\x80", 3) + std::string(11, '\0');  // 2^63 bytes
    CHECK(server.closes_after(impossible).code == 1009);
    CHECK(eventually([&] { return server.refused(RefusalReason::too_large) == 2; }));
}

TEST_CASE("websocket: fragments that add up to too much are refused before the last") {
    Limits limits;
    limits.message_bytes = 1000;
    const EchoServer server(limits);
    const std::string part(600, 'p');
    CHECK(server.closes_after(frame(begin_binary, part) + frame(go_on, part)).code == 1009);
}

TEST_CASE("websocket: messages above the rate limit are refused") {
    Limits limits;
    limits.messages_per_second = 50;
    const EchoServer server(limits);
    std::string many;
    for (int i = 0; i < 200; ++i) many += frame(binary, "x");
    const CloseFrame close = server.closes_after(many);
    CHECK(close.code == 4429);
    CHECK(close.reason.starts_with("too_many_messages: "));
    std::string pings;
    for (int i = 0; i < 200; ++i) pings += frame(ping, "x");
    CHECK(server.closes_after(pings + frame(binary, "x")).code == 4429);
}

TEST_CASE("websocket: pings above the rate limit are refused without any message") {
    Limits limits;
    limits.messages_per_second = 50;
    const EchoServer server(limits);
    std::string pings;
    for (int i = 0; i < 1000; ++i) pings += frame(ping, "");
    CHECK(server.closes_after(pings).code == 4429);
    CHECK(server.refused(RefusalReason::too_many_messages) == 1);
}

TEST_CASE("websocket: bytes above the rate limit are refused, also in empty frames") {
    Limits limits;
    limits.bytes_per_second = 2000;
    const EchoServer server(limits);
    std::string nothing = frame(begin_binary, "");
    for (int i = 0; i < 2000; ++i) nothing += frame(go_on, "");
    const CloseFrame close = server.closes_after(nothing);
    CHECK(close.code == 4429);
    CHECK(close.reason.starts_with("too_many_bytes: "));
    CHECK(server.refused(RefusalReason::too_many_bytes) == 1);
    CHECK(eventually([&] { return server.metrics.connections == 0; }));
}

TEST_CASE("websocket: random bytes end their own connection and no other") {
    const EchoServer server;
    RawSocket witness = server.connect();
    test::for_each_seed(40, [&](math::Random& random) {
        RawSocket socket = server.connect();
        std::string bytes;
        for (std::uint32_t i = 1 + random.below(400); i > 0; --i)
            bytes += static_cast<char>(random.below(256));
        socket.send(bytes);
        socket.send(frame(close_op, normal_close));
        socket.close();
    });
    witness.send(frame(binary, "still here"));
    CHECK(witness.receive("still here") == "\x82\x0Astill here");
    witness.close();
    CHECK(eventually([&] { return server.metrics.connections == 0; }));
}

TEST_CASE("http: random bytes are answered with 4xx or dropped") {
    const EchoServer server;
    test::for_each_seed(40, [&](math::Random& random) {
        RawSocket socket(server.listener->port());
        std::string bytes;
        for (std::uint32_t i = 1 + random.below(400); i > 0; --i)
            bytes += static_cast<char>(random.below(256));
        socket.send(bytes + "\r\n\r\n");
        const std::string answer = socket.receive("}");
        CAPTURE(answer);
        CHECK((answer.empty() || answer.starts_with("HTTP/1.1 4")));
    });
    CHECK(test::ask(server.listener->port(), "GET", "/well").body == "/well");
}

TEST_CASE("websocket: a refused client receives the reason in the close frame") {
    const EchoServer server;
    RawSocket socket(server.listener->port());
    socket.send(upgrade_request("/no"));
    const CloseFrame close = find_close(socket.receive());
    CHECK(close.code == 4409);
    CHECK(close.reason == "room_full: no seat is free");
}

TEST_CASE("http: several requests are answered over one connection") {
    const EchoServer server;
    RawSocket socket(server.listener->port());
    for (const char* path : {"/one", "/two", "/three"}) {
        socket.send(std::string("GET ") + path + " HTTP/1.1\r\nHost: here\r\n\r\n");
        CHECK(socket.receive(path).starts_with("HTTP/1.1 200"));
    }
    CHECK(server.metrics.connections_total == 1);
}

TEST_CASE("http: silent sockets and unfinished requests are closed in time") {
    Limits limits;
    limits.handshake_ms = 300;
    const EchoServer server(limits);
    std::vector<RawSocket> silent;
    for (int i = 0; i < 50; ++i) silent.emplace_back(server.listener->port());
    RawSocket slow(server.listener->port());
    slow.send("GET / HTTP/1.1\r\nHost:");
    CHECK(slow.receive("}").starts_with("HTTP/1.1 408"));
    CHECK(slow.is_closed_within(5000));
    for (RawSocket& socket : silent) CHECK(socket.is_closed_within(5000));
    CHECK(eventually([&] { return server.metrics.connections == 0; }));

    RawSocket mute = server.connect();  // upgrades, and sends nothing more
    CHECK(find_close(mute.receive()).code == 4408);
    CHECK(server.refused(RefusalReason::handshake_timeout) == 2);
}

TEST_CASE("http: a connection that timed out ends as soon as the client closes it") {
    Limits limits;
    limits.handshake_ms = 6000;
    const EchoServer server(limits);
    RawSocket socket(server.listener->port());
    socket.send("GET / HTTP/1.1\r\nHost:");
    CHECK(socket.receive("}").find("handshake_timeout") != std::string::npos);
    socket.close();
    CHECK(eventually([&] { return server.metrics.connections == 0; }, std::chrono::milliseconds(5000)));
}

// A socket that is closed with unread bytes discards what was written to it.
TEST_CASE("http: a client that is refused while it sends receives the response") {
    Limits limits;
    const EchoServer server(limits);
    int refused = 0;
    for (int i = 0; i < 50; ++i) {
        RawSocket socket(server.listener->port());
        socket.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 20000\r\n\r\n" + std::string(100, 'a'));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        socket.send(std::string(10'000, 'a'));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (socket.receive("}").starts_with("HTTP/1.1 413")) ++refused;
    }
    CHECK(refused == 50);
}

TEST_CASE("websocket: pings without a message do not extend the handshake") {
    Limits limits;
    limits.handshake_ms = 300;
    const EchoServer server(limits);
    RawSocket socket = server.connect();
    std::string received;
    CHECK(eventually([&] {
        socket.send(frame(ping, ""));
        received += socket.receive({}, 20);
        return find_close(received).code == 4408;
    }));
    CHECK(server.refused(RefusalReason::handshake_timeout) == 1);
}

TEST_CASE("websocket: a silent client is closed, one that sends pongs is not") {
    Limits limits;
    limits.idle_ms = 1000;
    const EchoServer server(limits);
    RawSocket idle = server.connect();
    RawSocket awake = server.connect();
    idle.send(frame(binary, "hello"));
    awake.send(frame(binary, "hello"));
    for (int i = 0; i < 10; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        awake.send(frame(0x8A, ""));  // pong
    }
    awake.send(frame(binary, "still"));
    CHECK(awake.receive("still").find("still") != std::string::npos);
    const CloseFrame close = find_close(idle.receive());
    CHECK(close.code == 4408);
    CHECK(close.reason.starts_with("idle_timeout: "));
}

TEST_CASE("websocket: a client that does not read is cut off within its buffer limit") {
    Limits limits;
    limits.buffered_bytes = 64 * 1024;
    limits.slow_ms = 500;
    const EchoServer server(limits);
    RawSocket full = server.connect("/flood", 4096);
    full.send(frame(binary, "more than you hold"));
    CHECK(eventually([&] { return server.refused(RefusalReason::slow_reader) == 1; }));
    CHECK(eventually([&] { return server.metrics.connections == 0; }));

    Limits patient;
    patient.buffered_bytes = 64 << 20;
    patient.slow_ms = 500;
    const EchoServer other(patient);
    RawSocket slow = other.connect("/flood", 4096);
    slow.send(frame(binary, "more than you read"));
    CHECK(eventually([&] { return other.refused(RefusalReason::slow_reader) == 1; }));
    CHECK(eventually([&] { return other.metrics.connections == 0; }));
}

TEST_CASE("limits: connections are limited for one address and in all") {
    Limits limits;
    limits.most_connections_per_address = 3;
    const EchoServer server(limits);
    std::vector<RawSocket> held;
    for (int i = 0; i < 3; ++i) held.push_back(server.connect());
    RawSocket fourth(server.listener->port());
    const std::string answer = fourth.receive();
    CHECK(answer.starts_with("HTTP/1.1 429"));
    CHECK(answer.find("too_many_from_address") != std::string::npos);
    held.clear();
    CHECK(eventually([&] { return server.metrics.connections == 0; }));
    server.connect();

    limits.most_connections_per_address = 100;
    limits.most_connections = 2;
    const EchoServer small(limits);
    RawSocket first = small.connect();
    RawSocket second = small.connect();
    RawSocket third(small.listener->port());
    CHECK(third.receive().find("too_many_connections") != std::string::npos);
}

TEST_CASE("listener: a used port, a wrong address and a wrong certificate are refused") {
    const EchoServer server;
    Settings settings = test::loopback();
    Metrics metrics;
    EchoHandler handler;
    Loop loop(1);
    const auto refusal_of = [&] {
        const auto opened = Listener::open(loop, handler, settings, metrics, test::silent_log());
        REQUIRE(!opened.has_value());
        return opened.error().text();
    };
    settings.port = server.listener->port();
    CHECK(refusal_of().find("cannot listen there: ") != std::string::npos);
    settings.address = "here";
    CHECK(refusal_of().find("expected an address") != std::string::npos);
    settings.certificate = "nowhere.pem";
    CHECK(refusal_of().find("both a certificate and its private key") != std::string::npos);
    settings.private_key = "nowhere.pem";
    CHECK(refusal_of().find("nowhere.pem: cannot be read as a certificate") != std::string::npos);
}
