// SPDX-License-Identifier: MIT
// `instep serve`: runs the server until a signal stops it. Limits come from the defaults, a file, the
// environment and flags; a later source overrides an earlier one. The log goes to stderr, the server's
// address to stdout.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/game.h>
#include <instep/cli/signals.h>
#include <instep/cluster/cluster.h>
#include <instep/match/match.h>
#include <instep/match/registry.h>
#include <instep/server/server.h>
#include <instep/server/successor.h>

namespace instep::cli {
namespace {

Outcome<server::KeyList> read_keys(const ServeOptions& options) {
    if (options.secret.empty()) return server::KeyList{};
    return cli::read_keys(options.secret);
}

// At SIGHUP: new secrets and a new certificate, while matches go on.
void reload(const ServeOptions& options, server::Server& server, server::Log& log) {
    auto keys = read_keys(options);
    if (!keys) return log.error("reload_failed", {{"message", keys.error().message}});
    if (const auto reloaded = server.reload(std::move(*keys)); !reloaded)
        log.error("reload_failed", {{"message", reloaded.error().text()}});
}

// Without a trailing newline.
Outcome<std::string> read_admin_token(const std::string& file) {
    constexpr std::size_t fewest = 32;
    auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    while (text->ends_with('\n') || text->ends_with('\r')) text->pop_back();
    const bool is_plain = std::all_of(text->begin(), text->end(), [](char c) { return c > ' ' && c <= '~'; });
    if (text->size() >= fewest && is_plain) return *text;
    return fail(bad_input, file + ": expected one line of at least " + std::to_string(fewest) +
                               " printable characters without spaces, as the token of the admin port");
}

Outcome<void> check_addresses(const server::ServerSettings& settings) {
    const auto check = [](const char* flag, const std::string& address) -> Outcome<void> {
        if (net::is_server_address(address)) return {};
        return fail(bad_input, std::string(flag) +
                                   ": expected an address like ws://play.example:8080 or wss://play.example, "
                                   "without a path, got \"" +
                                   address + "\"");
    };
    if (!settings.public_address.empty())
        if (const auto checked = check("--public-address", settings.public_address); !checked) return checked;
    for (const std::string& peer : settings.peers)
        if (const auto checked = check("--peer", peer); !checked) return checked;
    if (settings.successor.empty()) return {};
    if (const auto parsed = server::parse_admin_url(settings.successor); !parsed)
        return fail(state::Error{"--successor", parsed.error().text()});
    return {};
}

Outcome<void> read_cluster(const ServeOptions& options, server::ServerSettings& settings) {
    if (options.cluster.empty()) return {};
    if (!settings.successor.empty())
        return fail(bad_input, "--successor: in a cluster rooms go on at any other server, so none is named");
    cluster::ClusterSettings cluster;
    const auto url = cluster::parse_redis_url(options.cluster);
    if (!url) return fail(state::Error{"--cluster", url.error().text()});
    cluster.url = *url;
    if (!options.cluster_ca.empty() && !url->tls)
        return fail(bad_input, "--cluster-ca: only rediss:// has certificates");
    cluster.url.authorities = options.cluster_ca;
    if (!options.cluster_login.empty()) {
        const auto text = read_file(options.cluster_login);
        if (!text) return std::unexpected(text.error());
        const auto login = cluster::parse_redis_login(*text);
        if (!login) return fail(state::Error{options.cluster_login, login.error().text()});
        cluster.login = *login;
    }
    if (options.on_redis_loss == "continue") cluster.on_loss = server::OnJournalLoss::unprotected;
    const auto secret = cluster::find_shared_secret(cluster);
    if (!secret) return fail(secret.error());
    settings.cluster_secret = *secret;
    settings.make_directory = [cluster](server::Loop& loop, server::Lobby& lobby, server::Metrics& metrics,
                                        server::Log& log) -> std::shared_ptr<server::RoomDirectory> {
        return std::make_shared<cluster::Cluster>(loop, lobby, metrics, log, cluster);
    };
    return {};
}

Outcome<server::ServerSettings> read_settings(const ServeOptions& options) {
    server::ServerSettings settings;
    settings.address = options.address;
    settings.port = options.port.value_or(settings.port);
    settings.threads = options.threads.value_or(settings.threads);
    settings.certificate = options.certificate;
    settings.private_key = options.private_key;
    settings.origins = options.origins;
    settings.hosts = options.hosts;
    if (!options.audience.empty()) settings.audience = options.audience;
    settings.replication = options.replication.value_or(settings.replication);
    settings.trusted_proxies = options.trusted_proxies.value_or(server::IpNetworks{});
    settings.proxy_protocol = options.proxy_protocol;
    if (settings.proxy_protocol && settings.trusted_proxies.empty())
        return fail(bad_input, "--proxy-protocol needs --trust-proxy, which names the proxies that speak it");
    settings.recordings = options.recordings;
    settings.recordings_mb = options.recordings_mb.value_or(settings.recordings_mb);
    settings.bots = options.bots.value_or(settings.bots);
    settings.has_chat = options.chat.value_or(settings.has_chat);
    settings.page = page_folder(options.page);
    auto keys = read_keys(options);
    if (!keys) return std::unexpected(keys.error());
    settings.keys = std::move(*keys);
    if (options.admin) {
        settings.admin_address = options.admin->host;
        settings.admin_port = options.admin->port;
    }
    settings.socket = options.socket;
    settings.admin_socket = options.admin_socket;
    settings.build = options.build;
    if (!options.admin_token.empty()) {
        auto token = read_admin_token(options.admin_token);
        if (!token) return std::unexpected(token.error());
        settings.admin_token = std::move(*token);
    }
    settings.public_address = options.public_address;
    settings.successor = options.successor;
    settings.peers = options.peers;
    if (const auto checked = check_addresses(settings); !checked) return std::unexpected(checked.error());
    if (const auto joined = read_cluster(options, settings); !joined) return std::unexpected(joined.error());
    if (!options.settings.empty()) {
        const auto text = read_file(options.settings);
        if (!text) return std::unexpected(text.error());
        const auto json = state::parse_json(*text, options.settings);
        if (!json) return fail(json.error());
        if (const auto read = server::read_limits(*json, options.settings, settings.limits); !read)
            return fail(read.error());
    }
    const auto lookup = [](const char* name) -> const char* { return std::getenv(name); };
    if (const auto read = server::read_environment(lookup, settings.limits); !read) return fail(read.error());
    for (const server::LimitInfo& limit : server::limit_table()) {
        const auto found = options.limits.find(std::string(limit.name));
        if (found != options.limits.end() && found->second) settings.limits.*limit.member = *found->second;
    }
    return settings;
}

// A world or level that cannot be played is found out now, and not by its first player.
Outcome<void> check_levels() {
    for (const match::BuiltinLevel& level : match::builtin_levels())
        if (const auto setup = match::load_builtin_setup(level.world, level.name); !setup)
            return fail(setup.error());
    return {};
}

// With a room from an image, if there is one. `reload` is called at SIGHUP.
int serve(const server::ServerSettings& settings, server::Levels levels, server::Log& log,
          const server::RoomImage* image, const std::function<void(server::Server&)>& reload) {
    Signals signals(Signals::Hangup::reloads);  // before any thread starts
    const auto started = server::Server::start(settings, std::move(levels), log);
    if (!started) return report({file_error, started.error().text()});
    if (image)
        if (const auto opened = (*started)->open_room(*image); !opened)
            return report({bad_input, opened.error().text()});
    const bool has_tls = !settings.certificate.empty();
    std::printf("%s://%s:%u\n", has_tls ? "https" : "http", settings.address.c_str(), (*started)->port());
    std::fflush(stdout);
    signals.wait_for_end([&] { reload(**started); });
    const bool may_wait =
        !settings.make_directory && (!settings.successor.empty() || settings.limits.drain_ms > 0);
    if (may_wait && StopRequest::signal() == SIGTERM) (*started)->drain_and_wait(settings.successor);
    (*started)->stop();
    return success;
}

}  // namespace

state::Result<bool> parse_on_off(std::string_view text) {
    if (text == "on" || text == "off") return text == "on";
    return state::refuse("", "expected on or off, got \"" + std::string(text) + "\"");
}

state::Result<AdminAddress> parse_admin_address(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    AdminAddress address;
    if (colon != std::string_view::npos) {
        std::string_view host = text.substr(0, colon);
        if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
        if (!server::IpAddress::parse(host))
            return state::refuse("", "expected [HOST:]PORT, like 9090, 127.0.0.1:9090 or [::1]:9090, got \"" +
                                         std::string(text) + "\"");
        address.host = host;
        text.remove_prefix(colon + 1);
    }
    const auto port = parse_integer(std::string(text), 0, 65535);
    if (!port) return std::unexpected(port.error());
    address.port = static_cast<std::uint16_t>(*port);
    return address;
}

int serve_room(server::ServerSettings settings, server::Levels levels, const server::RoomImage& room) {
    for (const server::LimitInfo& limit : server::limit_table())
        if (limit.member == &server::Limits::empty_room_ms) settings.limits.empty_room_ms = limit.high;
    server::Log log(stderr);
    return serve(settings, std::move(levels), log, &room, [](server::Server&) {});
}

int run_serve(const ServeOptions& options) {
    if (const auto checked = check_levels(); !checked) return report(checked.error());
    const auto settings = read_settings(options);
    if (!settings) return report(settings.error());
    server::Levels levels;
    for (const std::string& file : options.levels) {
        const auto text = read_file(file);
        if (!text) return report(text.error());
        if (const auto added = levels.add(*text, file); !added)
            return report({bad_input, added.error().text()});
    }
    server::Log log(stderr);
    if (options.log_level == "error") log.set_level(server::Log::Level::error);
    return serve(*settings, std::move(levels), log, nullptr,
                 [&](server::Server& server) { reload(options, server, log); });
}

}  // namespace instep::cli
