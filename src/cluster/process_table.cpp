// SPDX-License-Identifier: MIT
#include <instep/cluster/process_table.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include <openssl/evp.h>

#include <instep/match/registry.h>
#include <instep/net/server_address.h>
#include <instep/server/lobby.h>
#include <instep/state/json.h>
#include <instep/state/plain_name.h>

namespace instep::cluster {

using server::Clock;
using server::LockGuard;
using server::Time;
using state::Json;

namespace {

constexpr std::size_t most_text = 1024;  // bytes of what a process says
constexpr std::size_t most_id = 16;
constexpr double load_of_a_room = 2;  // one that was just placed: itself, and the player that opens it

}  // namespace

std::string ProcessFacts::text() const {
    return state::write_json(
        Json::Object{{"address", address}, {"build", build}, {"load", load}, {"open", is_open}});
}

std::optional<ProcessFacts> parse_process(const std::string& text) {
    if (text.size() > most_text) return {};
    const auto json = state::parse_json(text, "process");
    if (!json) return {};
    const Json* address = json->find("address");
    const Json* build = json->find("build");
    const Json* load = json->find("load");
    const Json* open = json->find("open");
    if (!address || !address->string() || !net::is_server_address(*address->string())) return {};
    if (!build || !build->string() || !load || !load->is_number() || !(load->number() >= 0) || !open)
        return {};
    return ProcessFacts{*address->string(), *build->string(), load->number(),
                        open->boolean() && *open->boolean()};
}

void ProcessTable::run(Time now, const std::function<ProcessFacts()>& facts) {
    std::string text;
    {
        const LockGuard lock(mutex_);
        if (now < next_) return;
        next_ = now + interval;
        own_ = facts();
        text = own_.text();
    }
    redis_->run_servers({id_, std::to_string(valid_for.count()), std::move(text)},
                        [weak = weak_from_this()](const Reply& reply) {
                            if (const auto self = weak.lock()) self->update(reply);
                        });
}

// [id, facts, id, facts, ...] of those that live
void ProcessTable::update(const Reply& reply) {
    if (reply.is_error()) return;
    std::map<std::string, ProcessFacts> others;
    for (std::size_t i = 0; i + 1 < reply.items.size() && others.size() < most_processes; i += 2) {
        const std::string& id = reply.items[i].text;
        if (id == id_ || id.empty() || id.size() > most_id || !state::is_plain_name(id)) continue;
        if (auto facts = parse_process(reply.items[i + 1].text)) others[id] = std::move(*facts);
    }
    const LockGuard lock(mutex_);
    others_ = std::move(others);
    received_at_ = Clock::now();
}

std::optional<server::RoomDirectory::Place> ProcessTable::place_room() {
    const LockGuard lock(mutex_);
    if (Clock::now() - received_at_ > valid_for) return {};
    auto best = others_.end();
    for (auto at = others_.begin(); at != others_.end(); ++at)
        if (at->second.is_open && at->second.build == own_.build &&
            (best == others_.end() || at->second.load < best->second.load))
            best = at;
    if (best == others_.end() || (own_.is_open && best->second.load + margin > own_.load)) return {};
    best->second.load += load_of_a_room;
    return server::RoomDirectory::Place{best->second.address, best->first};
}

std::size_t ProcessTable::others() const {
    const LockGuard lock(mutex_);
    return others_.size();
}

std::string find_build(const server::Lobby& lobby) {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> digest(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
    const auto add = [&](const void* bytes, std::size_t size) {
        EVP_DigestUpdate(digest.get(), bytes, size);
    };
    if (std::FILE* program = std::fopen("/proc/self/exe", "rb")) {
        std::array<char, 1 << 16> piece{};
        for (std::size_t size = 0; (size = std::fread(piece.data(), 1, piece.size(), program)) > 0;)
            add(piece.data(), size);
        std::fclose(program);
    }
    for (const match::WorldTable& world : match::worlds())
        for (const std::string_view level : lobby.levels().names(world.name)) {
            const auto text = lobby.levels().text(std::string(world.name), std::string(level));
            add(world.name.data(), world.name.size());
            add(level.data(), level.size());
            add(text.data(), text.size());
        }
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned size = 0;
    EVP_DigestFinal_ex(digest.get(), sum.data(), &size);
    std::string hex;
    constexpr std::size_t enough = 8;  // bytes
    for (std::size_t i = 0; i < enough; ++i) {
        constexpr std::string_view digits = "0123456789abcdef";
        hex += digits[sum[i] >> 4];
        hex += digits[sum[i] & 15];
    }
    return hex;
}

}  // namespace instep::cluster
