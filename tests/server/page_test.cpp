// SPDX-License-Identifier: MIT
// The web page as browsers and other clients request it. No file is opened once the server runs.
#include <instep/server/page.h>

#include <tests/cli/scratch.h>
#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::server;
using test::HttpAnswer;
using test::RawSocket;

namespace {

struct BuiltPage {
    BuiltPage() {
        folder.file("secret.txt", "outside");
        folder.file("page/index.html", "<!doctype html>the page");
        folder.file("page/assets/main-BxWq3_aZ.js", "export const answer = 42;");
        folder.file("page/assets/main-BxWq3_aZ.js.gz", "(zipped)");
        folder.file("page/assets/plain.css", "body {}");
        folder.file("page/instep.wasm", std::string("\0asm", 4));
        folder.file("page/.hidden/note.txt", "never served");
        folder.file("page/.note.txt", "never served");
    }
    std::string path() const { return folder.file("page"); }

    cli::ScratchFolder folder;
};

ServerSettings with_page(const BuiltPage& page) {
    ServerSettings settings = test::loopback();
    settings.page = page.path();
    return settings;
}

HttpAnswer get(const test::TestServer& fixture, const std::string& target, const std::string& headers = "",
               const std::string& method = "GET") {
    RawSocket socket(fixture.server->port());
    socket.send(method + " " + target + " HTTP/1.1\r\nHost: here\r\nConnection: close\r\n" + headers +
                "\r\n");
    const std::string all = socket.receive();
    const std::size_t gap = all.find("\r\n\r\n");
    HttpAnswer answer;
    if (all.size() > 12) answer.status = std::atoi(all.c_str() + 9);
    answer.head = all.substr(0, gap);
    if (gap != std::string::npos) answer.body = all.substr(gap + 4);
    return answer;
}

bool says(const HttpAnswer& answer, const std::string& header) {
    return (answer.head + "\r\n").find("\r\n" + header + "\r\n") != std::string::npos;
}

std::string value_of(const HttpAnswer& answer, const std::string& header) {
    const std::size_t at = answer.head.find("\r\n" + header + ": ");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + header.size() + 4;
    return answer.head.substr(begin, answer.head.find("\r\n", begin) - begin);
}

}  // namespace

TEST_CASE("page: files are served with their types and a strict content policy") {
    const BuiltPage page;
    const test::TestServer fixture(with_page(page));
    const HttpAnswer root = get(fixture, "/");
    CHECK(root.status == 200);
    CHECK(root.body == "<!doctype html>the page");
    CHECK(get(fixture, "/index.html").body == root.body);
    CHECK(get(fixture, "/?room=ours").body == root.body);
    CHECK(says(root, "Content-Type: text/html; charset=utf-8"));
    CHECK(says(get(fixture, "/instep.wasm"), "Content-Type: application/wasm"));
    CHECK(get(fixture, "/instep.wasm").body == std::string("\0asm", 4));
    CHECK(says(get(fixture, "/assets/plain.css"), "Content-Type: text/css; charset=utf-8"));
    for (const char* path : {"/", "/instep.wasm", "/assets/main-BxWq3_aZ.js"}) {
        CAPTURE(path);
        const HttpAnswer answer = get(fixture, path);
        CHECK(value_of(answer, "Content-Security-Policy").starts_with("default-src 'none'; script-src"));
        CHECK(value_of(answer, "Content-Security-Policy").find("frame-ancestors 'none'") !=
              std::string::npos);
        CHECK(says(answer, "X-Content-Type-Options: nosniff"));
        CHECK(says(answer, "Referrer-Policy: no-referrer"));
        CHECK(says(answer, "Cross-Origin-Opener-Policy: same-origin"));
    }
    CHECK(get(fixture, "/healthz").body == "ok\n");  // the API is still there
    CHECK(get(fixture, "/api/rooms").body == "[]\n");
}

TEST_CASE("page: no path leads out of the folder or to a hidden file") {
    const BuiltPage page;
    const test::TestServer fixture(with_page(page));
    for (const std::string path :
         {"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt",
          "/assets/..%5c..%5csecret.txt", "//secret.txt", "/./index.html", "/index.html%00.txt",
          "/index.html/", "/assets", "/assets/", "/.note.txt", "/.hidden/note.txt", "/INDEX.HTML",
          "/assets/main-BxWq3_aZ.js.gz", "/etc/passwd", "/%c0%ae%c0%ae/secret.txt", "/nothing.html"}) {
        CAPTURE(path);
        const HttpAnswer answer = get(fixture, path);
        CHECK((answer.status == 404 || answer.status == 400));
        CHECK(answer.body.find("outside") == std::string::npos);
        CHECK(answer.body.find("never served") == std::string::npos);
        CHECK(answer.body.find(R"("message":")") != std::string::npos);
    }
    CHECK(get(fixture, page.folder.file("secret.txt")).status == 404);
    CHECK(get(fixture, "/nothing.html").body.find("there is nothing at /nothing.html") != std::string::npos);
    CHECK(get(fixture, "/", "Content-Length: 0\r\n", "POST").status == 405);
}

TEST_CASE("page: gzip is sent to clients that accept it, and HEAD has GET's headers") {
    const BuiltPage page;
    const test::TestServer fixture(with_page(page));
    const std::string path = "/assets/main-BxWq3_aZ.js";
    const HttpAnswer plain = get(fixture, path);
    CHECK(plain.body == "export const answer = 42;");
    CHECK(value_of(plain, "Content-Encoding").empty());
    CHECK(says(plain, "Vary: Accept-Encoding"));
    for (const char* accepted : {"gzip", "deflate, gzip;q=0.5, br", "br,gzip"}) {
        CAPTURE(accepted);
        const HttpAnswer zipped = get(fixture, path, "Accept-Encoding: " + std::string(accepted) + "\r\n");
        CHECK(zipped.body == "(zipped)");
        CHECK(says(zipped, "Content-Encoding: gzip"));
        CHECK(value_of(zipped, "ETag") != value_of(plain, "ETag"));
        CHECK(says(zipped, "Content-Type: text/javascript; charset=utf-8"));
    }
    for (const char* refused : {"gzip;q=0", "br", "gzip;q=0.0", "xgzip"})
        CHECK(get(fixture, path, "Accept-Encoding: " + std::string(refused) + "\r\n").body == plain.body);
    const HttpAnswer head = get(fixture, path, "", "HEAD");
    CHECK(head.body.empty());
    CHECK(says(head, "Content-Length: 25"));
    CHECK(value_of(head, "ETag") == value_of(plain, "ETag"));
}

TEST_CASE("page: hashed names are cached for a year, others are validated by ETag") {
    const BuiltPage page;
    const test::TestServer fixture(with_page(page));
    const HttpAnswer hashed = get(fixture, "/assets/main-BxWq3_aZ.js");
    CHECK(says(hashed, "Cache-Control: public, max-age=31536000, immutable"));
    for (const char* path : {"/", "/instep.wasm", "/assets/plain.css"}) {
        CAPTURE(path);
        const HttpAnswer first = get(fixture, path);
        CHECK(says(first, "Cache-Control: no-cache"));
        const std::string tag = value_of(first, "ETag");
        REQUIRE(tag.size() == 18);
        const HttpAnswer again = get(fixture, path, "If-None-Match: \"0\", " + tag + "\r\n");
        CHECK(again.status == 304);
        CHECK(again.body.empty());
        CHECK(value_of(again, "Content-Length").empty());
        CHECK(value_of(again, "ETag") == tag);
        CHECK(get(fixture, path, "If-None-Match: \"0\"\r\n").status == 200);
    }
    RawSocket socket(fixture.server->port());  // a 304 leaves the connection usable
    const std::string tag = value_of(get(fixture, "/"), "ETag");
    socket.send("GET / HTTP/1.1\r\nHost: here\r\nIf-None-Match: " + tag + "\r\n\r\n");
    CHECK(socket.receive("\r\n\r\n").starts_with("HTTP/1.1 304"));
    socket.send("GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
    CHECK(socket.receive("ok\n").starts_with("HTTP/1.1 200"));
}

TEST_CASE("page: a folder without index.html or with too much is refused") {
    const BuiltPage page;
    const auto refusal = [](const std::string& folder, const Page::Bounds& bounds = Page::Bounds()) {
        const auto loaded = Page::load(folder, bounds);
        REQUIRE(!loaded.has_value());
        return loaded.error().text();
    };
    CHECK(Page::load(page.path())->files() == 4);
    CHECK(refusal(page.folder.file("none")).find("cannot be read: ") != std::string::npos);
    CHECK(refusal(page.folder.file("page/assets")).find("has no index.html") != std::string::npos);
    CHECK(refusal(page.path(), {.files = 4, .bytes = 1 << 20}).find("more than 4 files") !=
          std::string::npos);
    page.folder.file("page/large.txt", std::string(1 << 20, 'x'));
    CHECK(refusal(page.path(), {.files = 100, .bytes = 1 << 20}).find("more than 1 MB") != std::string::npos);
    ServerSettings settings = test::loopback();
    settings.page = page.folder.file("none");
    CHECK(!Server::start(settings, {}, test::silent_log()));
}

TEST_CASE("page: a large file arrives complete at twenty clients at once") {
    const BuiltPage page;
    std::string large;
    for (std::uint32_t i = 0; large.size() < (3u << 20); ++i) large += std::to_string(i) + " ";
    page.folder.file("page/large.txt", large);
    const test::TestServer fixture(with_page(page));
    std::vector<RawSocket> slow;
    for (int i = 0; i < 20; ++i) {
        slow.emplace_back(fixture.server->port());
        slow.back().send("GET /large.txt HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
    }
    for (RawSocket& socket : slow) {
        const std::string all = socket.receive();
        CHECK(all.size() > large.size());
        CHECK(all.ends_with(large));
    }
}
