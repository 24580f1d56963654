// SPDX-License-Identifier: MIT
#include <instep/headless/headless_clients.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include <instep/headless/thin_client.h>
#include <instep/net/client.h>

namespace instep::headless {
namespace {

constexpr std::chrono::milliseconds play_every{4};
constexpr std::chrono::seconds most_goodbye{2};
constexpr double reconnect_pause = 0.5;    // s
constexpr std::size_t bots_a_strand = 64;  // played by one thread in one go
constexpr std::size_t most_troubles = 8;

double now_in_seconds() {
    return std::chrono::duration<double>(server::Clock::now().time_since_epoch()).count();
}

}  // namespace

// One player. Its mutex keeps its line and the strand that plays it apart.
class Bot : public std::enable_shared_from_this<Bot> {
public:
    Bot(server::Loop& loop, std::shared_ptr<const HeadlessPlan> shared_plan, std::uint32_t number)
        : loop_(loop),
          shared_plan_(std::move(shared_plan)),
          plan_(*shared_plan_),
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
        const std::lock_guard lock(mutex_);
        if (!is_connected_) {
            if (!is_leaving_ && now >= connects_at_) connect();
            return;
        }
        if (!line_) return;
        if (plan_.stay > 0 && now >= leaves_at_) return leave();
        if (client_) play_whole(now);
        if (thin_) play_thin(now);
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        is_leaving_ = true;
        leave();
    }
    bool is_connected() const {
        const std::lock_guard lock(mutex_);
        return is_connected_;
    }
    void cut() {
        const std::lock_guard lock(mutex_);
        if (line_) line_->cut();
    }

    void add_to(HeadlessStats& figures) const {
        const std::lock_guard lock(mutex_);
        HeadlessStats mine = past_;
        collect(mine);
        figures.connected += line_ ? 1u : 0u;
        figures.playing += (client_ && client_->joined()) || (thin_ && thin_->joined()) ? 1u : 0u;
        figures.connects += mine.connects;
        figures.lost += mine.lost;
        figures.snapshots += mine.snapshots;
        figures.bytes_down += mine.bytes_down;
        figures.bytes_up += mine.bytes_up;
        figures.ticks += mine.ticks;
        figures.corrections += mine.corrections;
        figures.largest_correction = std::max(figures.largest_correction, mine.largest_correction);
        figures.broken += mine.broken;
        figures.desyncs += mine.desyncs;
        for (const std::string& trouble : mine.troubles)
            if (figures.troubles.size() < most_troubles) figures.troubles.push_back(trouble);
    }

    // --- From the line

    void opened(std::shared_ptr<server::Line> line) {
        const std::lock_guard lock(mutex_);
        if (is_leaving_) return line->close();
        line_ = std::move(line);
        codec::Bytes hello;
        if (plan_.thin) {
            thin_ = std::make_unique<ThinClient>(plan_.setup, random_.next());
            thin_->write_hello(name_, hello);
        } else {
            client_ = std::make_unique<net::Client>(plan_.setup, net::LinkKind::ordered);
            client_->write_hello(name_, hello);
        }
        ++past_.connects;
        send(hello);
        leaves_at_ = now_in_seconds() + plan_.stay * random_.uniform(0.5, 1.5);
    }
    void heard(codec::ByteView message) {
        const std::lock_guard lock(mutex_);
        past_.bytes_down += message.size();
        if (client_) client_->receive(message, now_in_seconds());
        if (thin_) thin_->receive(message, now_in_seconds());
    }
    void closed(const server::Parting& parting) {
        const std::lock_guard lock(mutex_);
        if (!has_left_) {
            ++past_.lost;
            const std::string refusal = client_ ? client_->refusal() : "";
            if (past_.troubles.size() < most_troubles)
                past_.troubles.push_back(std::to_string(parting.code) + " " +
                                         (refusal.empty() ? parting.reason : refusal));
        }
        forget_line();
    }

private:
    class BotVisitor final : public server::Visitor {
    public:
        explicit BotVisitor(std::shared_ptr<Bot> bot) : bot_(std::move(bot)) {}
        void opened(std::shared_ptr<server::Line> line) override { bot_->opened(std::move(line)); }
        void heard(codec::ByteView message) override { bot_->heard(message); }
        void closed(const server::Parting& parting) override { bot_->closed(parting); }

    private:
        std::shared_ptr<Bot> bot_;
    };

    void connect() {
        Url url = plan_.url;
        url.target = std::string(plan_.watch ? "/watch" : "/play") +
                     "?world=" + escape_query(plan_.setup->world->name) +
                     "&level=" + escape_query(plan_.setup->level);
        if (!plan_.room.empty()) url.target += "&room=" + escape_query(plan_.room);
        if (plan_.resume && !plan_.watch) url.target += "&key=" + key_;
        is_connected_ = true;
        has_left_ = false;
        headless::connect(loop_, url, std::make_unique<BotVisitor>(shared_from_this()));
    }
    void leave() {
        if (!line_) return;
        line_->close();
        has_left_ = true;
        collect(past_);
        client_.reset();
        thin_.reset();
        line_.reset();
    }
    void forget_line() {
        collect(past_);
        client_.reset();
        thin_.reset();
        line_.reset();
        is_connected_ = false;
        connects_at_ = now_in_seconds() + reconnect_pause;
    }
    void send(const codec::Bytes& message) {
        past_.bytes_up += message.size();
        line_->send(message);
    }
    void play_whole(double now) {
        const match::Setup& setup = *plan_.setup;
        while (client_->wants_tick(now)) {
            // Until it is told of itself there is nothing for it to play.
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
    void play_thin(double now) {
        codec::Bytes message;
        if (thin_->write_message(now, message)) send(message);
    }
    void collect(HeadlessStats& into) const {
        if (client_) {
            const net::ClientStats& figures = client_->stats();
            into.snapshots += figures.snapshots;
            into.ticks += figures.ticks;
            into.corrections += figures.corrections;
            into.largest_correction = std::max(into.largest_correction, figures.largest_correction);
            into.broken += figures.messages_malformed;
            into.desyncs += figures.desyncs;
        }
        if (thin_) {
            into.snapshots += thin_->snapshots();
            into.ticks += thin_->ticks();
            into.broken += thin_->broken();
        }
    }

    server::Loop& loop_;
    std::shared_ptr<const HeadlessPlan> shared_plan_;
    const HeadlessPlan& plan_;
    math::Random random_;
    std::string name_;
    std::string key_;
    mutable std::mutex mutex_;
    std::shared_ptr<server::Line> line_;
    std::unique_ptr<net::Client> client_;
    std::unique_ptr<ThinClient> thin_;
    std::vector<std::byte> input_;
    bool is_connected_ = false;  // or about to be
    bool is_leaving_ = false;    // for good
    bool has_left_ = false;
    double connects_at_ = 0;
    double leaves_at_ = 0;
    HeadlessStats past_;  // of lines that are gone, and what is counted here
};

struct HeadlessClients::Parts {
    Parts(server::Loop& loop, const HeadlessPlan& given) {
        const auto plan = std::make_shared<const HeadlessPlan>(given);
        for (std::uint32_t i = 0; i < plan->count; ++i) bots.push_back(std::make_shared<Bot>(loop, plan, i));
        for (std::size_t i = 0; i * bots_a_strand < bots.size(); ++i)
            strands.push_back(std::make_unique<server::Strand>(loop));
    }

    // Keeps itself until the swarm is gone.
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
    const server::Time until = server::Clock::now() + most_goodbye;
    const auto is_there = [](const std::shared_ptr<Bot>& bot) { return bot->is_connected(); };
    while (std::any_of(parts_->bots.begin(), parts_->bots.end(), is_there) && server::Clock::now() < until)
        std::this_thread::sleep_for(play_every);
}

HeadlessStats HeadlessClients::figures() const {
    HeadlessStats figures;
    for (const auto& bot : parts_->bots) bot->add_to(figures);
    return figures;
}

void HeadlessClients::cut_lines() {
    for (const auto& bot : parts_->bots) bot->cut();
}

}  // namespace instep::headless
