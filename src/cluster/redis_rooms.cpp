// SPDX-License-Identifier: MIT
#include <instep/cluster/redis_rooms.h>

#include <array>

#include <openssl/evp.h>

#include <instep/cluster/scripts.h>

namespace instep::cluster {
namespace {

struct LoadedScript {
    std::string text;
    std::string sha1;  // by which Redis knows it
};

std::string sha1_of(const std::string& text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
    std::string hex;
    constexpr std::string_view digits = "0123456789abcdef";
    for (unsigned i = 0; i < size; ++i) {
        hex += digits[digest[i] >> 4];
        hex += digits[digest[i] & 15];
    }
    return hex;
}

const std::array<LoadedScript, static_cast<std::size_t>(Script::count)>& scripts() {
    static const auto all = [] {
        const std::array bodies{open_script,    append_script,    checkpoint_script, renew_script,
                                release_script, give_back_script, close_script,      take_script,
                                look_script,    servers_script};
        std::array<LoadedScript, bodies.size()> loaded;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            loaded[i].text = std::string(prelude) + std::string(bodies[i]);
            loaded[i].sha1 = sha1_of(loaded[i].text);
        }
        return loaded;
    }();
    return all;
}

}  // namespace

RedisRooms::RedisRooms(server::Loop& loop, RedisUrl url, RedisLogin login, RedisClient::Events events)
    : client_(loop, std::move(url), std::move(login),
              {[this, connected = std::move(events.connected)] {
                   load_scripts();
                   if (connected) connected();
               },
               std::move(events.failed)}) {}

// A Redis that restarted has forgotten them.
void RedisRooms::load_scripts() {
    for (const LoadedScript& script : scripts()) client_.send({"SCRIPT", "LOAD", script.text}, nullptr);
}

void RedisRooms::run(Script script, const std::string& room, Command arguments, RedisClient::Answer answer) {
    const std::string key = "instep:{" + room + "}:";
    run(script, Command{key + "lease", key + "ticks", key + "checkpoint"}, std::move(arguments),
        std::move(answer));
}

void RedisRooms::run_servers(Command arguments, RedisClient::Answer answer) {
    run(Script::servers, Command{servers_key}, std::move(arguments), std::move(answer));
}

void RedisRooms::run(Script script, Command keys, Command arguments, RedisClient::Answer answer) {
    Command command{"EVALSHA", scripts()[static_cast<std::size_t>(script)].sha1, std::to_string(keys.size())};
    for (std::string& key : keys) command.push_back(std::move(key));
    for (std::string& argument : arguments) command.push_back(std::move(argument));
    client_.send(command, [this, answer = std::move(answer)](const Reply& reply) {
        if (reply.error_code() == "NOSCRIPT") load_scripts();  // an operator removed them
        if (answer) answer(reply);
    });
}

}  // namespace instep::cluster
