// SPDX-License-Identifier: MIT
#include <instep/headless/headless_clients.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include <instep/headless/backoff.h>
#include <instep/headless/thin_client.h>
#include <instep/net/client.h>
#include <instep/server/mutex.h>

namespace instep::headless {
namespace {

constexpr std::chrono::milliseconds play_every{4};
constexpr std::chrono::seconds close_timeout{2};
constexpr std::size_t bots_a_strand = 64;  // played by one thread in one go
constexpr std::size_t most_reasons = 8;
constexpr double after_move = 2;  // s in which corrections count as those of a move
// Connections that fail at the server where the room goes on, before a client goes back to its first one.
constexpr std::uint32_t most_failures_away = 4;

double now_in_seconds() {
    return std::chrono::duration<double>(server::Clock::now().time_since_epoch()).count();
}

}  // namespace

// One client. Its connection and its strand use it from different threads.
class Bot : public std::enable_shared_from_this<Bot> {
public:
    Bot(server::Loop& loop, std::shared_ptr<const HeadlessPlan> shared_plan, std::uint32_t number)
        : loop_(loop),
          shared_plan_(std::move(shared_plan)),
          plan_(*shared_plan_),
          url_(plan_.url),
          number_(number),
          random_(math::Random::from_seed(plan_.seed * 1'000'003 + number)) {
        name_ = "bot " + std::to_string(number + 1);
        char key[33];
        std::snprintf(key, sizeof key, "%016llx%016llx", static_cast<unsigned long long>(random_.next()),
                      static_cast<unsigned long long>(random_.next()));
        key_ = key;
        connects_at_ =
            now_in_seconds() + number / std::max(1.0, static_cast<double>(plan_.connects_per_second));
        input_.resize(plan_.setup->world->input->size);
    }

    void play(double now) {
        const server::LockGuard lock(mutex_);
        if (!is_connected_ && !is_leaving_ && now >= connects_at_) connect();
        if (is_connected_ && !connection_) give_up_connecting(now);
        if (!connection_ && !is_following_) return;
        if (plan_.stay > 0 && connection_ && now >= leaves_at_) return leave();
        play_connected(now);
        if (connection_ && !plan_.others.empty() && now - received_at_ > plan_.silence) {
            received_at_ = now;  // its server has stopped, or its network
            connection_->cut();
        }
    }

    void stop() {
        const server::LockGuard lock(mutex_);
        is_leaving_ = true;
        leave();
    }
    bool is_connected() const {
        const server::LockGuard lock(mutex_);
        return is_connected_;
    }
    void cut() {
        const server::LockGuard lock(mutex_);
        if (connection_) connection_->cut();
    }

    void add_applied(std::vector<AppliedSnapshot>& all) const {
        const server::LockGuard lock(mutex_);
        all.insert(all.end(), applied_.begin(), applied_.end());
    }

    void add_to(HeadlessStats& sum) const {
        const server::LockGuard lock(mutex_);
        HeadlessStats mine = past_;
        collect(mine);
        sum.connected += connection_ ? 1u : 0u;
        sum.playing += has_joined() ? 1u : 0u;
        sum.connects += mine.connects;
        sum.disconnects += mine.disconnects;
        sum.moves += mine.moves;
        sum.snapshots += mine.snapshots;
        sum.bytes_down += mine.bytes_down;
        sum.bytes_up += mine.bytes_up;
        sum.ticks += mine.ticks;
        sum.corrections += mine.corrections;
        sum.largest_correction = std::max(sum.largest_correction, mine.largest_correction);
        sum.most_corrections_after_move =
            std::max(sum.most_corrections_after_move, mine.most_corrections_after_move);
        sum.malformed += mine.malformed;
        sum.desyncs += mine.desyncs;
        for (const std::string& reason : mine.disconnect_reasons)
            if (sum.disconnect_reasons.size() < most_reasons) sum.disconnect_reasons.push_back(reason);
    }

    // --- From the connection

    void opened(std::uint64_t link, std::shared_ptr<server::Connection> connection) {
        const server::LockGuard lock(mutex_);
        if (is_leaving_ || link != link_) return connection->close();
        connection_ = std::move(connection);
        const double now = now_in_seconds();
        codec::Bytes hello;
        if (plan_.thin) {
            if (is_following_)
                thin_->relink();
            else
                thin_ = std::make_unique<ThinClient>(plan_.setup, random_.next());
            thin_->write_hello(name_, hello);
        } else {
            if (is_following_)
                client_->relink();
            else
                client_ = std::make_unique<net::Client>(plan_.setup, net::LinkKind::ordered);
            client_->write_hello(name_, hello);
        }
        ++past_.connects;
        received_at_ = now;
        send(hello);
        // Its inputs come with the hello: the keyframe then has all that was lost on the way, in one
        // correction.
        if (std::exchange(is_following_, false)) play_connected(now);
        leaves_at_ = now + plan_.stay * random_.uniform(0.5, 1.5);
    }
    void received(std::uint64_t link, codec::ByteView message) {
        const server::LockGuard lock(mutex_);
        if (link != link_) return;
        past_.bytes_down += message.size();
        received_at_ = now_in_seconds();
        if (client_) client_->receive(message, now_in_seconds());
        if (thin_) thin_->receive(message, now_in_seconds());
        const auto* moved = client_ ? &client_->moved() : thin_ ? &thin_->moved() : nullptr;
        if (moved && *moved) return follow(**moved);
        hops_ = 0;
        failures_away_ = 0;
        if (plan_.trace) remember_snapshot();
    }
    void closed(std::uint64_t link, const server::CloseReason& reason) {
        const server::LockGuard lock(mutex_);
        if (link != link_) return;
        if (!has_left_) {
            ++past_.disconnects;
            const std::string refusal = client_ ? client_->refusal() : "";
            if (past_.disconnect_reasons.size() < most_reasons)
                past_.disconnect_reasons.push_back(std::to_string(reason.code) + " " +
                                                   (refusal.empty() ? reason.text : refusal));
        }
        keep_ticket(reason);
        if (!plan_.others.empty()) {
            ask_next_server();
        } else if (++failures_away_ >= most_failures_away) {
            url_ = plan_.url;
            room_ = plan_.room;
        }
        is_following_ = is_following_ && (plan_.watch || !ticket_.empty());
        if (!is_following_) {
            forget_connection();
        } else {
            is_connected_ = false;
            connects_at_ = now_in_seconds() + backoff_.next_pause(random_);
        }
        if (!plan_.others.empty()) connects_at_ = now_in_seconds() + next_server_pause();
    }

private:
    class BotSession final : public server::SessionHandler {
    public:
        BotSession(std::shared_ptr<Bot> bot, std::uint64_t link) : bot_(std::move(bot)), link_(link) {}
        void opened(std::shared_ptr<server::Connection> connection) override {
            bot_->opened(link_, std::move(connection));
        }
        void received(codec::ByteView message) override { bot_->received(link_, message); }
        void closed(const server::CloseReason& reason) override { bot_->closed(link_, reason); }

    private:
        std::shared_ptr<Bot> bot_;
        std::uint64_t link_;
    };

    void connect() REQUIRES(mutex_) {
        Url url = url_;
        url.target = ticket_.empty() ? join_target() : "/play?ticket=" + escape_query(ticket_);
        is_connected_ = true;
        connecting_since_ = now_in_seconds();
        has_left_ = false;
        headless::connect(loop_, url, std::make_unique<BotSession>(shared_from_this(), ++link_));
    }
    std::string join_target() const REQUIRES(mutex_) {
        std::string target = std::string(plan_.watch ? "/watch" : "/play") +
                             "?world=" + escape_query(plan_.setup->world->name) +
                             "&level=" + escape_query(plan_.setup->level);
        if (!room_.empty()) target += "&room=" + escape_query(room_);
        if (plan_.resume && !plan_.watch) target += "&key=" + key_;
        if (plan_.token) target += "&token=" + escape_query(plan_.token(key_));
        return target;
    }
    // The room goes on at another server: connects there, and goes on predicting meanwhile. A client that is
    // sent on again without having been welcomed waits before it follows, so that servers that send it to
    // each other do not keep it busy.
    void follow(const net::Moved moved) REQUIRES(mutex_) {
        const auto url = parse_url(moved.address.view());
        if (!url || !net::may_follow(server_address(url_), moved.address.view())) {
            ++past_.malformed;
            return connection_->close();
        }
        keep_ticket({});
        ++past_.moves;
        moved_at_ = now_in_seconds();
        corrections_at_move_ = client_ ? client_->stats().corrections : 0;
        url_ = *url;
        room_ = moved.room.view();
        failures_away_ = 0;
        is_following_ = true;
        connection_->close();
        connection_.reset();
        ++link_;  // messages that still come over the old link are ignored
        is_connected_ = false;
        connects_at_ = now_in_seconds();
        if (hops_++ > 0)
            connects_at_ += plan_.others.empty() ? backoff_.next_pause(random_) : next_server_pause();
        else
            connect();
    }
    // A server that has stopped accepts connections and says nothing.
    void give_up_connecting(double now) REQUIRES(mutex_) {
        if (plan_.others.empty() || now - connecting_since_ < plan_.silence / 2) return;
        ++link_;
        is_connected_ = false;
        ask_next_server();
        connects_at_ = now + next_server_pause();
    }
    // A room that is being taken over is ready within two seconds; it is not worth a longer pause.
    double next_server_pause() REQUIRES(mutex_) { return random_.uniform(0.05, 0.25); }
    // Any server of a cluster knows where the room is.
    void ask_next_server() REQUIRES(mutex_) {
        const std::size_t next = next_server_++ % (plan_.others.size() + 1);
        url_ = next == 0 ? plan_.url : plan_.others[next - 1];
    }
    void remember_snapshot() REQUIRES(mutex_) {
        if (!client_ || !client_->joined()) return;
        const std::uint64_t tick = client_->base_tick();
        if (!applied_.empty() && applied_.back().tick == tick) return;
        applied_.push_back({number_, client_->slot(), received_at_, tick,
                            state::hash(plan_.setup->layout, client_->base())});
    }
    // For the next connection.
    void keep_ticket(const server::CloseReason& reason) REQUIRES(mutex_) {
        const std::string_view next = client_ ? client_->ticket() : thin_ ? thin_->ticket() : "";
        if (!next.empty()) ticket_ = next;
        if (!plan_.resume || has_left_ || reason.text.starts_with("ticket_refused")) ticket_.clear();
    }
    void leave() REQUIRES(mutex_) {
        is_following_ = false;
        if (!connection_) return;
        connection_->close();
        has_left_ = true;
        collect(past_);
        client_.reset();
        thin_.reset();
        connection_.reset();
    }
    bool has_joined() const REQUIRES(mutex_) {
        return (client_ && client_->joined()) || (thin_ && thin_->joined());
    }
    void forget_connection() REQUIRES(mutex_) {
        if (has_left_ || has_joined()) backoff_.reset();
        collect(past_);
        client_.reset();
        thin_.reset();
        connection_.reset();
        is_connected_ = false;
        connects_at_ = now_in_seconds() + backoff_.next_pause(random_);
    }
    void send(const codec::Bytes& message) REQUIRES(mutex_) {
        if (!connection_) return;  // between two servers
        past_.bytes_up += message.size();
        connection_->send(message);
    }
    void play_connected(double now) REQUIRES(mutex_) {
        if (client_) {
            play_predicting(now);
            count_corrections_after_move(now);
        }
        if (thin_) play_thin(now);
    }
    void play_predicting(double now) REQUIRES(mutex_) {
        const match::Setup& setup = *plan_.setup;
        while (client_->wants_tick(now)) {
            // Before the first snapshot that has its player, the bot has no state to play on.
            std::fill(input_.begin(), input_.end(), std::byte{0});
            if (contract::contains(setup.world->live_slots(setup.layout, client_->predicted()),
                                   client_->slot()))
                setup.world->bot(setup.value.get(), setup.layout, client_->predicted(), client_->slot(),
                                 input_.data());
            client_->tick(input_.data());
        }
        codec::Bytes message;
        while (client_->write_message(now, message)) {
            send(message);
            message.clear();
        }
    }
    void count_corrections_after_move(double now) REQUIRES(mutex_) {
        if (past_.moves == 0 || now > moved_at_ + after_move) return;
        past_.most_corrections_after_move =
            std::max(past_.most_corrections_after_move, client_->stats().corrections - corrections_at_move_);
    }
    void play_thin(double now) REQUIRES(mutex_) {
        codec::Bytes message;
        if (thin_->write_message(now, message)) send(message);
    }
    void collect(HeadlessStats& into) const REQUIRES(mutex_) {
        if (client_) {
            const net::ClientStats& stats = client_->stats();
            into.snapshots += stats.snapshots;
            into.ticks += stats.ticks;
            into.corrections += stats.corrections;
            into.largest_correction = std::max(into.largest_correction, stats.largest_correction);
            into.malformed += stats.messages_malformed;
            into.desyncs += stats.desyncs;
        }
        if (thin_) {
            into.snapshots += thin_->snapshots();
            into.ticks += thin_->ticks();
            into.malformed += thin_->broken();
        }
    }

    server::Loop& loop_;
    std::shared_ptr<const HeadlessPlan> shared_plan_;
    const HeadlessPlan& plan_;
    Url url_ GUARDED_BY(mutex_);  // the plan's, or that of the server where its room goes on
    std::string room_ GUARDED_BY(mutex_) = plan_.room;
    std::uint64_t link_ GUARDED_BY(mutex_) = 0;           // the number of its latest connection
    bool is_following_ GUARDED_BY(mutex_) = false;        // between two servers
    std::uint32_t hops_ GUARDED_BY(mutex_) = 0;           // since the last welcome
    std::uint32_t failures_away_ GUARDED_BY(mutex_) = 0;  // connections in a row
    std::string name_;
    std::string key_;
    std::uint32_t number_;
    mutable server::Mutex mutex_;
    math::Random random_ GUARDED_BY(mutex_);
    std::shared_ptr<server::Connection> connection_ GUARDED_BY(mutex_);
    std::unique_ptr<net::Client> client_ GUARDED_BY(mutex_);
    std::unique_ptr<ThinClient> thin_ GUARDED_BY(mutex_);
    std::vector<std::byte> input_ GUARDED_BY(mutex_);
    std::string ticket_ GUARDED_BY(mutex_);         // empty: it joins as a new player
    bool is_connected_ GUARDED_BY(mutex_) = false;  // or connecting
    bool is_leaving_ GUARDED_BY(mutex_) = false;    // for good
    bool has_left_ GUARDED_BY(mutex_) = false;
    Backoff backoff_ GUARDED_BY(mutex_);
    double connects_at_ GUARDED_BY(mutex_) = 0;
    double received_at_ GUARDED_BY(mutex_) = 0;
    double connecting_since_ GUARDED_BY(mutex_) = 0;
    std::size_t next_server_ GUARDED_BY(mutex_) = 1;
    std::vector<AppliedSnapshot> applied_ GUARDED_BY(mutex_);
    double moved_at_ GUARDED_BY(mutex_) = 0;
    std::uint64_t corrections_at_move_ GUARDED_BY(mutex_) = 0;
    double leaves_at_ GUARDED_BY(mutex_) = 0;
    HeadlessStats past_ GUARDED_BY(mutex_);  // of earlier connections, and what is counted here
};

struct HeadlessClients::Parts {
    Parts(server::Loop& loop, const HeadlessPlan& given) {
        const auto plan = std::make_shared<const HeadlessPlan>(given);
        for (std::uint32_t i = 0; i < plan->count; ++i) bots.push_back(std::make_shared<Bot>(loop, plan, i));
        for (std::size_t i = 0; i * bots_a_strand < bots.size(); ++i)
            strands.push_back(std::make_unique<server::Strand>(loop));
    }

    // The timed task owns the parts until all have stopped.
    static std::optional<server::Time> play(const std::shared_ptr<Parts>& parts, std::size_t strand) {
        const std::size_t end = std::min((strand + 1) * bots_a_strand, parts->bots.size());
        for (std::size_t i = strand * bots_a_strand; i < end; ++i) parts->bots[i]->play(now_in_seconds());
        if (parts->stopped) return {};
        return server::Clock::now() + play_every;
    }

    void stop() {
        stopped = true;
        for (const auto& bot : bots) bot->stop();
    }

    std::vector<std::shared_ptr<Bot>> bots;
    std::vector<std::unique_ptr<server::Strand>> strands;
    std::atomic<bool> stopped{false};
};

HeadlessClients::HeadlessClients(server::Loop& loop, const HeadlessPlan& plan)
    : parts_(std::make_shared<Parts>(loop, plan)) {
    for (std::size_t i = 0; i < parts_->strands.size(); ++i)
        parts_->strands[i]->run_at(server::Clock::now(),
                                   [parts = parts_, i] { return Parts::play(parts, i); });
}

HeadlessClients::~HeadlessClients() { parts_->stop(); }

void HeadlessClients::leave() {
    parts_->stop();
    const server::Time until = server::Clock::now() + close_timeout;
    const auto is_connected = [](const std::shared_ptr<Bot>& bot) { return bot->is_connected(); };
    while (std::any_of(parts_->bots.begin(), parts_->bots.end(), is_connected) &&
           server::Clock::now() < until)
        std::this_thread::sleep_for(play_every);
}

HeadlessStats HeadlessClients::stats() const {
    HeadlessStats sum;
    for (const auto& bot : parts_->bots) bot->add_to(sum);
    return sum;
}

std::vector<AppliedSnapshot> HeadlessClients::applied() const {
    std::vector<AppliedSnapshot> all;
    for (const auto& bot : parts_->bots) bot->add_applied(all);
    return all;
}

void HeadlessClients::cut_connections() {
    for (const auto& bot : parts_->bots) bot->cut();
}

}  // namespace instep::headless
