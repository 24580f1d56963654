// SPDX-License-Identifier: MIT
#include <instep/server/journal_entry.h>

#include <algorithm>

#include <instep/codec/byte_model.h>
#include <instep/codec/input_codec.h>

namespace instep::server {
namespace {

using codec::code_raw;

template <class Stream>
void code_head(Stream& stream, JournalEntry& entry) {
    code_raw(stream, entry.first, 64);
    code_raw(stream, entry.last, 64);
    code_raw(stream, entry.hash, 64);
    code_raw(stream, entry.joined, 64);
    codec::code_optional(stream, entry.roster, [&](RoomRoster& roster) { code(stream, roster); });
}

state::Result<JournalEntry> read_head(codec::Reader& reader) {
    JournalEntry entry;
    code_head(reader, entry);
    if (!reader.ok() || entry.last < entry.first || entry.last - entry.first >= JournalEntry::most_ticks)
        return state::refuse("entry of tick " + std::to_string(entry.last), "cannot be read");
    return entry;
}

// Each entry is coded by itself, against zeros, so that a reader can begin at any checkpoint.
codec::TickRecord first_before(const match::Setup& setup, contract::SlotSet live) {
    codec::TickRecord before = codec::make_tick_record(setup);
    before.live = live;
    return before;
}

class Replayer {
public:
    Replayer(RoomImage image, match::SharedSetup setup)
        : image_(std::move(image)),
          setup_(std::move(setup)),
          match_(setup_, image_.host.match.seed),
          tick_(*setup_) {}

    state::Result<void> begin() {
        if (image_.host.match.fingerprint != setup_->fingerprint)
            return state::refuse("checkpoint",
                                 "is of another build or level, whose ticks cannot be played here");
        if (const auto loaded = record::load_match(image_.host.match, match_); !loaded)
            return std::unexpected(loaded.error());
        return {};
    }

    state::Result<void> play(codec::ByteView bytes) {
        codec::Reader reader(bytes);
        auto head = read_head(reader);
        if (!head) return std::unexpected(head.error());
        JournalEntry& entry = *head;
        const std::string where = "entry of tick " + std::to_string(entry.last);
        if (entry.last <= match_.tick()) return {};  // it was on its way when the checkpoint was written
        if (entry.first != match_.tick() + 1)
            return state::refuse(where, "begins with tick " + std::to_string(entry.first) +
                                            ", but the one after " + std::to_string(match_.tick()) +
                                            " is needed");
        codec::TickModel model(*setup_);
        record_ = first_before(*setup_, match_.live_slots());
        for (std::uint64_t tick = entry.first; tick <= entry.last; ++tick) {
            if (!decode_tick(reader, *setup_, model, record_)) return state::refuse(where, "cannot be read");
            record_.tick = tick;
            fill_tick(record_, tick_);
            match_.step(tick_.bytes());
        }
        reader.finish();
        if (!reader.ok()) return state::refuse(where, "has more bytes than it should have");
        if (match_.hash() != entry.hash) return state::refuse(where, "leads to another state than it says");
        image_.host.joined = entry.joined;
        if (entry.roster) {
            image_.seats = std::move(entry.roster->seats);
            image_.bots = std::move(entry.roster->bots);
            image_.numbers = std::move(entry.roster->numbers);
        }
        return {};
    }

    RoomImage finish() && {
        const std::uint64_t before = image_.host.match.tick;
        if (match_.tick() == before) return std::move(image_);
        const std::uint64_t played = match_.tick() - before;
        if (image_.due) *image_.due += played * 1'000'000 / setup_->facts.tick_rate;
        image_.host.match = record::save_match(match_, image_.host.match.seed);
        image_.host.joins.clear();
        const std::vector<net::PlayerImage> known = std::exchange(image_.host.players, {});
        for (const SeatImage& seat : image_.seats) add_player(seat.slot, false, known);
        for (const BotImage& bot : image_.bots) add_player(bot.slot, true, known);
        std::sort(image_.host.players.begin(), image_.host.players.end(),
                  [](const auto& a, const auto& b) { return a.slot < b.slot; });
        return std::move(image_);
    }

private:
    // Inputs that waited in the dead process are lost; clients send theirs again.
    void add_player(contract::Slot slot, bool is_bot, const std::vector<net::PlayerImage>& known) {
        net::PlayerImage player;
        const auto earlier = std::find_if(known.begin(), known.end(), [&](const net::PlayerImage& other) {
            return other.slot == slot && other.is_bot == is_bot;
        });
        if (earlier != known.end()) {
            player.last_input = earlier->last_input;
            player.last_played = earlier->last_played;
        }
        player.slot = slot;
        player.is_bot = is_bot;
        const std::size_t size = setup_->world->input->size;
        if (!is_bot && slot < setup_->facts.most_players) {
            const auto row = record_.row(slot, size);
            player.inputs.last.assign(row.begin(), row.end());
            if (!codec::is_canonical(*setup_, player.inputs.last.data()))
                player.inputs.last = codec::idle_input(*setup_);
        }
        image_.host.players.push_back(std::move(player));
    }

    RoomImage image_;
    match::SharedSetup setup_;
    match::Match match_;
    match::TickBuilder tick_;
    codec::TickRecord record_;
};

}  // namespace

void write(const JournalEntry& entry, const match::Setup& setup, const codec::TickLog& ticks,
           codec::Bytes& out) {
    codec::Writer writer(out);
    JournalEntry copy = entry;
    code_head(writer, copy);
    codec::TickModel model(setup);
    const codec::TickRecord zeros = first_before(setup, entry.live_before);
    const codec::TickRecord* before = &zeros;
    for (std::uint64_t tick = entry.first; tick <= entry.last; ++tick) {
        const codec::TickRecord* record = ticks.find(tick);
        encode_tick(writer, setup, model, *before, *record);
        before = record;
    }
    writer.finish();
}

state::Result<JournalEntry> read_head(codec::ByteView bytes) {
    codec::Reader reader(bytes);
    return read_head(reader);
}

state::Result<RoomImage> replay(RoomImage checkpoint, const match::SharedSetup& setup,
                                std::span<const codec::Bytes> entries) {
    if (entries.empty()) return checkpoint;
    Replayer replayer(std::move(checkpoint), setup);
    if (const auto begun = replayer.begin(); !begun) return std::unexpected(begun.error());
    for (const codec::Bytes& entry : entries)
        if (const auto played = replayer.play(entry); !played) return std::unexpected(played.error());
    return std::move(replayer).finish();
}

}  // namespace instep::server
