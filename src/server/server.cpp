// SPDX-License-Identifier: MIT
#include <instep/server/server.h>

#include <algorithm>
#include <limits>
#include <thread>

#include <instep/server/certificate_names.h>
#include <instep/server/descriptors.h>
#include <instep/server/successor.h>

namespace instep::server {
namespace {

constexpr std::chrono::seconds most_stopping{3};
constexpr std::chrono::seconds most_following{2};
constexpr std::uint32_t most_admin_requests = 2000;  // a second: two for each room that is handed over
constexpr std::uint64_t other_descriptors = 64;      // for threads and libraries

}  // namespace

Server::Server(const ServerSettings& settings, Levels levels, std::unique_ptr<Operations> operations,
               std::shared_ptr<Recordings> recordings, std::optional<Page> page, Log& log)
    : settings_(settings),
      log_(log),
      operations_(std::move(operations)),
      recordings_(std::move(recordings)),
      lobby_(loop_, settings_, std::move(levels), recordings_, operations_->metrics, log),
      api_(lobby_, settings_, recordings_, std::move(page), *operations_),
      loop_(settings.threads, [&log](const char* what) { log.error("task_threw", {{"error", what}}); }),
      drain_(std::make_shared<Drain>(loop_, lobby_, log,
                                     std::chrono::milliseconds(settings_.limits.hand_over_ms))),
      hand_over_(
          loop_, lobby_, api_.keys(), settings_, *operations_,
          [this](const std::string& successor) { return drain(successor); },
          [this] { return drain_->status(); }),
      admin_api_(
          lobby_, *operations_, hand_over_, settings.admin_token,
          [this](const IpNetwork& network, const Refusal& refusal) { listener_->drop(network, refusal); }) {}

state::Result<std::unique_ptr<Server>> Server::start(const ServerSettings& settings, Levels levels,
                                                     Log& log) {
    auto operations = std::make_unique<Operations>(log, settings.build);
    std::shared_ptr<Recordings> recordings;
    if (!settings.recordings.empty()) {
        auto folder = Recordings::open(settings.recordings, std::uint64_t{settings.recordings_mb} << 20,
                                       operations->metrics, log);
        if (!folder) return std::unexpected(folder.error());
        recordings = *folder;
    }
    std::optional<Page> page;
    if (!settings.page.empty()) {
        auto loaded = Page::load(settings.page, settings.peers);
        if (!loaded) return std::unexpected(loaded.error());
        page = std::move(*loaded);
    }
    std::unique_ptr<Server> server(new Server(settings, std::move(levels), std::move(operations),
                                              std::move(recordings), std::move(page), log));
    server->check_descriptors();
    if (const auto learnt = server->learn_certificate_names(); !learnt)
        return std::unexpected(learnt.error());
    if (settings.make_directory) {
        server->directory_ =
            settings.make_directory(server->loop_, server->lobby_, server->operations_->metrics, log);
        server->lobby_.use_directory(*server->directory_);
    }
    const bool has_realtime = server->loop_.request_realtime();
    auto listener = Listener::open(server->loop_, server->api_, settings, server->operations_->metrics, log);
    if (!listener) return std::unexpected(listener.error());
    server->listener_ = std::move(*listener);
    server->find_public_address();
    if (const auto opened = server->open_admin_port(); !opened) return std::unexpected(opened.error());
    if (server->directory_ && server->settings_.public_address.empty())
        return state::refuse("public-address",
                             "is needed in a cluster: this server's own address is not one that players can "
                             "open, and other servers send them here");
    if (server->directory_) server->directory_->start(server->settings_.public_address);
    log.info("listening", {{"address", settings.address},
                           {"port", server->port()},
                           {"admin_port", server->admin_port()},
                           {"tls", !settings.certificate.empty()},
                           {"threads", server->loop_.threads()},
                           {"realtime_ticks", has_realtime}});
    return server;
}

// Without the setting, it is where the server listens, if that is an address and no certificate names
// another.
void Server::find_public_address() {
    const auto address = IpAddress::parse(settings_.address);
    const bool is_any = address && *address == IpAddress::parse(address->is_v4() ? "0.0.0.0" : "::");
    if (!settings_.public_address.empty() || !address || is_any || !settings_.certificate.empty()) return;
    const std::string host = address->is_v4() ? address->text() : "[" + address->text() + "]";
    settings_.public_address = "ws://" + host + ":" + std::to_string(port());
}

state::Result<void> Server::learn_certificate_names() {
    if (settings_.certificate.empty() || settings_.private_key.empty()) return {};
    auto names = certificate_names(settings_.certificate);
    if (!names) return std::unexpected(names.error());
    api_.set_certificate_names(std::move(*names));
    return {};
}

state::Result<void> Server::reload(KeyList keys) {
    if (const auto reloaded = listener_->reload_certificate(); !reloaded) return reloaded;
    if (admin_listener_)
        if (const auto reloaded = admin_listener_->reload_certificate(); !reloaded) return reloaded;
    if (const auto learnt = learn_certificate_names(); !learnt) return learnt;
    log_.info("reloaded", {{"keys", keys.size()}, {"tls", !settings_.certificate.empty()}});
    if (!settings_.keys.empty() && !keys.empty()) api_.keys().replace(std::move(keys));
    return {};
}

state::Result<void> Server::open_admin_port() {
    if (!settings_.admin_port) return {};
    ServerSettings admin = settings_;
    admin.address = settings_.admin_address;
    admin.port = *settings_.admin_port;
    admin.socket = settings_.admin_socket;
    admin.trusted_proxies.clear();
    admin.proxy_protocol = false;
    admin.limits.bytes_per_second = std::numeric_limits<std::uint32_t>::max();  // images of rooms
    admin.limits.requests_per_second = std::max(admin.limits.requests_per_second, most_admin_requests);
    const auto address = IpAddress::parse(admin.address);
    const bool is_loopback = address && address->is_loopback();
    if (!is_loopback && settings_.admin_token.empty())
        return state::refuse("--admin", admin.address +
                                            " can be reached from other machines, so the admin port needs a "
                                            "token; --admin-token names a file with one");
    if (is_loopback) admin.certificate = admin.private_key = "";  // a certificate names the public host
    auto listener = Listener::open(loop_, admin_api_, admin, operations_->metrics, log_);
    if (!listener) return std::unexpected(listener.error());
    admin_listener_ = std::move(*listener);
    return {};
}

void Server::check_descriptors() const {
    const Limits& limits = settings_.limits;
    const std::uint64_t descriptors = raise_descriptor_limit();
    const std::uint64_t files =  // recordings that are written or downloaded
        settings_.recordings.empty() ? 0 : limits.most_rooms + Recordings::most_downloads;
    if (descriptors >= limits.most_connections + files + other_descriptors) return;
    log_.error("few_descriptors",
               {{"most_connections", limits.most_connections},
                {"descriptors", descriptors},
                {"message",
                 "this process may open fewer files than it may need, and connections beyond them will wait; "
                 "raise its limit (ulimit -Hn, LimitNOFILE of systemd) or lower --most-connections"}});
}

// A room that did not end in time owns connections, and those own sockets of the loop.
Server::~Server() {  // NOLINT(bugprone-exception-escape): only for want of memory, which ends the process
    stop();
    admin_listener_.reset();
    listener_.reset();
    loop_.join();
    lobby_.clear();
    directory_.reset();
}

state::Result<std::string> Server::open_room(const RoomImage& image) {
    const auto room = lobby_.restore(image);
    if (!room) return state::refuse("", room.error().message);
    return (*room)->config().name;
}

state::Result<void> Server::drain(const std::string& successor) {
    std::shared_ptr<RoomCarrier> carrier;
    if (!successor.empty() && directory_)
        return state::refuse("successor", "a server of a cluster has none: the others take its rooms");
    if (!successor.empty()) {
        const auto admin = parse_admin_url(successor);
        if (!admin) return std::unexpected(admin.error());
        carrier = std::make_shared<Successor>(
            loop_, *admin, settings_.admin_token, [this] { return hand_over_.introduction(); },
            Successor::Timeouts{});
    }
    if (directory_) directory_->drain();
    api_.drain();
    if (settings_.socket) listener_->stop_accepting();  // the successor accepts there
    drain_->begin(std::move(carrier));
    return {};
}

void Server::drain_and_wait(const std::string& successor) {
    if (const auto begun = drain(successor); !begun)
        return log_.error("hand_over_refused", {{"message", begun.error().text()}});
    const auto wait_while = [](const auto& condition, Time until) {
        while (condition() && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    wait_while([this] { return drain_->status().is_moving; }, Time::max());
    wait_while([this] { return !lobby_.empty(); },
               Clock::now() + std::chrono::milliseconds(settings_.limits.drain_ms));
    if (drain_->status().moved > 0)  // those that come late are sent on
        wait_while([this] { return listener_->has_connections(); }, Clock::now() + most_following);
}

void Server::stop() {
    if (stopping_.exchange(true) || !listener_) return;
    log_.info("stopping");
    if (directory_) directory_->drain();
    api_.stop();
    lobby_.close({RefusalReason::stopping, "the server is stopping; try again in a moment"});
    const Time until = Clock::now() + most_stopping;
    const auto wait_while = [until](const auto& condition) {
        while (condition() && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    wait_while([this] { return !lobby_.empty(); });
    listener_->stop();
    if (admin_listener_) admin_listener_->stop();
    wait_while([this] {
        return listener_->has_connections() || (admin_listener_ && admin_listener_->has_connections());
    });
    loop_.join();
    if (recordings_) recordings_->stop();  // while the sockets exist that its reads belong to
    log_.info("stopped");
}

}  // namespace instep::server
