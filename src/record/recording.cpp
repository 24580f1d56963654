// SPDX-License-Identifier: MIT
#include <instep/record/recording.h>

#include <algorithm>
#include <array>

#include <instep/codec/byte_model.h>
#include <instep/record/match_image.h>

namespace instep::record {
namespace {

using state::refuse;
using state::Result;

constexpr std::array<char, 8> magic{'I', 'N', 'S', 'T', 'E', 'P', 'R', '2'};
constexpr std::size_t max_name = 64;
constexpr std::size_t block_head = 5;

enum Kind : std::uint8_t { header_block = 1, ticks_block = 2, checkpoint_block = 3, level_block = 4 };

void append_block(Kind kind, const codec::Bytes& content, codec::Bytes& out) {
    out.push_back(static_cast<std::byte>(kind));
    for (unsigned shift = 0; shift < 32; shift += 8)
        out.push_back(static_cast<std::byte>(content.size() >> shift & 0xFF));
    out.insert(out.end(), content.begin(), content.end());
}

template <class Stream>
void code_header(Stream& stream, RecordingHeader& header) {
    code_text(stream, header.world, max_name);
    code_text(stream, header.level, max_name);
    stream.raw(header.fingerprint, 64);
    stream.raw(header.seed, 64);
}

std::uint64_t short_of(std::uint64_t hash) { return hash & 0xFFFF; }

}  // namespace

// --- Writing

Recorder::Recorder(match::SharedSetup setup, std::uint64_t seed, codec::Bytes& out)
    : setup_(std::move(setup)), fresh_(*setup_), model_(fresh_), before_(codec::make_tick_record(*setup_)) {
    ticks_.assign(ticks_per_block, before_);
    hashes_.resize(ticks_per_block);
    for (const char letter : magic) out.push_back(static_cast<std::byte>(letter));
    RecordingHeader header{std::string(setup_->world->name), setup_->level, setup_->fingerprint, seed};
    codec::Writer writer(content_);
    code_header(writer, header);
    writer.finish();
    append_block(header_block, content_, out);
    if (setup_->is_builtin) return;
    content_.clear();
    codec::Writer level_writer(content_);
    const auto text = std::as_bytes(std::span(setup_->text));
    codec::Bytes bytes(text.begin(), text.end());
    encode_bytes(level_writer, bytes);
    level_writer.finish();
    append_block(level_block, content_, out);
}

Recorder::Recorder(match::SharedSetup setup, std::uint64_t seed, const match::Match& match, codec::Bytes& out)
    : Recorder(std::move(setup), seed, out) {
    before_.live = match.live_slots();  // whose last inputs are zeros, for all that the coder knows
    add_checkpoint(match, out);
}

void Recorder::add(const codec::TickRecord& record, const match::Match& match, codec::Bytes& out) {
    codec::TickRecord& kept = ticks_[count_];  // without its events, which the replay computes
    kept.live = record.live;
    kept.leaves = record.leaves;
    kept.joins = record.joins;
    kept.inputs = record.inputs;
    hashes_[count_] = static_cast<std::uint16_t>(short_of(match.hash()));
    if (++count_ == ticks_per_block) end_block(match, out);
}

void Recorder::finish(const match::Match& match, codec::Bytes& out) {
    if (count_ > 0) end_block(match, out);
}

void Recorder::end_block(const match::Match& match, codec::Bytes& out) {
    content_.clear();
    codec::Writer writer(content_);
    std::uint64_t count = count_;
    std::uint64_t last = match.tick();
    writer.raw(count, 16);
    writer.raw(last, 64);
    for (std::uint32_t i = 0; i < count_; ++i) {
        encode_tick(writer, *setup_, model_, before_, ticks_[i]);
        std::swap(before_, ticks_[i]);
        std::uint64_t hash = hashes_[i];
        writer.raw(hash, 16);
    }
    std::uint64_t hash = match.hash();
    writer.raw(hash, 64);
    writer.finish();
    append_block(ticks_block, content_, out);
    count_ = 0;
    if (++blocks_ % blocks_per_checkpoint == 0) add_checkpoint(match, out);
}

void Recorder::add_checkpoint(const match::Match& match, codec::Bytes& out) {
    content_.clear();
    codec::Writer writer(content_);
    std::uint64_t tick = match.tick();
    std::uint64_t hash = match.hash();
    writer.raw(tick, 64);
    writer.raw(hash, 64);
    image_.resize(match.image_size());
    match.save(image_);
    encode_bytes(writer, image_);
    // The next tick is coded against the players' held inputs, which not every state contains.
    const std::size_t size = setup_->world->input->size;
    model_ = fresh_;
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        if (!contract::contains(before_.live, slot)) continue;
        encode_struct(writer, *setup_->world->input, model_.input, codec::zeros_of(*setup_->world->input),
                      before_.row(slot, size).data());
    }
    writer.finish();
    append_block(checkpoint_block, content_, out);
    model_ = fresh_;
}

// --- Reading

Result<Replay> Replay::read(codec::ByteView file) {
    const auto has_magic =
        file.size() >= magic.size() &&
        std::equal(magic.begin(), magic.end(), file.begin(),
                   [](char letter, std::byte byte) { return static_cast<std::byte>(letter) == byte; });
    if (!has_magic) return refuse("", "is no recording of a match");
    Replay replay;
    if (auto blocks = replay.read_blocks(file.subspan(magic.size())); !blocks)
        return std::unexpected(blocks.error());
    return replay;
}

Result<RecordingSummary> summarise(codec::ByteView recording) {
    const auto replay = Replay::read(recording);
    if (!replay) return std::unexpected(replay.error());
    return RecordingSummary{replay->header_, replay->first_tick_, replay->last_tick_};
}

Result<Replay> Replay::open(codec::ByteView file, const LevelLookup& lookup) {
    auto opened = read(file);
    if (!opened) return opened;
    Replay& replay = *opened;
    auto setup = replay.find_setup(lookup);
    if (!setup) return std::unexpected(setup.error());
    if ((*setup)->fingerprint != replay.header_.fingerprint)
        return refuse("", "was recorded with another build, or another level \"" + replay.header_.level +
                              "\": its fingerprint is " + state::hash_text(replay.header_.fingerprint) +
                              ", here it is " + state::hash_text((*setup)->fingerprint));
    replay.setup_ = *setup;
    replay.builder_ = std::make_unique<match::TickBuilder>(*replay.setup_);
    if (auto started = replay.start_over(); !started) return std::unexpected(started.error());
    return opened;
}

Result<match::SharedSetup> Replay::find_setup(const LevelLookup& lookup) const {
    LevelReference reference{header_.world, header_.level, {}};
    if (!level_.empty()) {
        codec::Reader reader(level_);
        codec::Bytes text;
        const bool is_read = decode_bytes(reader, text, max_level_bytes);
        reader.finish();
        if (!is_read || !reader.ok() || text.empty()) return refuse("level", "cannot be read");
        reference.text.assign(reinterpret_cast<const char*>(text.data()), text.size());
    }
    return record::find_setup(reference, lookup);
}

Result<void> Replay::read_blocks(codec::ByteView rest) {
    bool has_header = false;
    while (!rest.empty()) {
        if (rest.size() < block_head) {
            breaks_off_ = true;
            break;
        }
        std::size_t size = 0;
        for (unsigned i = 0; i < 4; ++i) size |= std::to_integer<std::size_t>(rest[1 + i]) << (8 * i);
        if (size > rest.size() - block_head) {
            breaks_off_ = true;
            break;
        }
        Block block{std::to_integer<std::uint8_t>(rest[0]), 0, rest.subspan(block_head, size)};
        rest = rest.subspan(block_head + size);
        codec::Reader reader(block.content);
        if (!has_header) {
            if (block.kind == header_block) code_header(reader, header_);
            reader.finish();
            if (block.kind != header_block || !reader.ok()) return refuse("header", "cannot be read");
            has_header = true;
            continue;
        }
        if (block.kind == level_block && level_.empty() && blocks_.empty()) {
            level_ = block.content;
            continue;
        }
        std::uint64_t count = 0;
        if (block.kind == ticks_block) reader.raw(count, 16);
        reader.raw(block.tick, 64);
        const bool begins = block.kind == checkpoint_block && blocks_.empty();
        if (begins) first_tick_ = last_tick_ = block.tick;
        const std::uint64_t expected = last_tick_ + count;
        const bool is_known = block.kind == ticks_block || block.kind == checkpoint_block;
        if (!is_known || !reader.ok() || count > Recorder::ticks_per_block || block.tick != expected ||
            (block.kind == ticks_block && count == 0))
            return refuse("the block after tick " + std::to_string(last_tick_), "cannot be read");
        last_tick_ = block.tick;
        blocks_.push_back(block);
    }
    if (!has_header) return refuse("header", "is not there: the file breaks off");
    return {};
}

Result<void> Replay::start_over() {
    match_.emplace(setup_, header_.seed);
    model_.emplace(*setup_);
    record_ = codec::make_tick_record(*setup_);
    at_ = 0;
    reader_.reset();
    left_ = 0;
    if (first_tick_ == 0) return {};
    return load_checkpoint(blocks_[at_++]);
}

Result<void> Replay::begin_block() {
    const Block& block = blocks_[at_];
    reader_.emplace(block.content);
    std::uint64_t count = 0;
    std::uint64_t tick = 0;
    reader_->raw(count, 16);
    reader_->raw(tick, 64);
    left_ = static_cast<std::uint32_t>(count);
    return {};
}

Result<bool> Replay::next() {
    while (left_ == 0) {
        if (at_ == blocks_.size()) return false;
        if (blocks_[at_].kind == checkpoint_block) {
            if (auto loaded = load_checkpoint(blocks_[at_]); !loaded) return std::unexpected(loaded.error());
            ++at_;
        } else if (auto begun = begin_block(); !begun) {
            return std::unexpected(begun.error());
        }
    }
    const std::string where = "tick " + std::to_string(match_->tick() + 1);
    record_.tick = match_->tick() + 1;
    record_.live = match_->live_slots();
    if (!decode_tick(*reader_, *setup_, *model_, record_)) return refuse(where, "cannot be read");
    std::uint64_t hash = 0;
    reader_->raw(hash, 16);
    if (!reader_->ok()) return refuse(where, "cannot be read");
    codec::fill_tick(record_, *builder_);
    if (auto legal = match_->check(builder_->bytes()); !legal) return state::within(where, legal.error());
    match_->step(builder_->bytes());
    const std::uint64_t now = match_->hash();
    if (short_of(now) != hash)
        return refuse(where, "came out otherwise than it was recorded: the hash is " + state::hash_text(now) +
                                 ", its last four digits should be " + state::hash_text(hash).substr(12));
    if (--left_ > 0) return true;
    std::uint64_t whole = 0;
    reader_->raw(whole, 64);
    reader_->finish();
    if (!reader_->ok()) return refuse(where, "cannot be read");
    if (whole != now)
        return refuse(where, "came out otherwise than it was recorded: the hash is " + state::hash_text(now) +
                                 ", it should be " + state::hash_text(whole));
    ++at_;
    return true;
}

// A checkpoint that is reached by playing must equal the match; one that the replay starts from is loaded.
Result<void> Replay::load_checkpoint(const Block& block) {
    const std::string where = "the checkpoint after tick " + std::to_string(block.tick);
    codec::Reader reader(block.content);
    std::uint64_t tick = 0;
    std::uint64_t hash = 0;
    reader.raw(tick, 64);
    reader.raw(hash, 64);
    codec::Bytes image;
    if (!reader.ok() || !decode_bytes(reader, image, setup_->layout.max_image_size))
        return refuse(where, "cannot be read");
    match::Match recorded(setup_, header_.seed);
    if (auto loaded = recorded.load(image); !loaded) return state::within(where, loaded.error());
    const bool is_right = recorded.hash() == hash && recorded.tick() == block.tick &&
                          (match_->tick() != block.tick || match_->hash() == hash);
    if (!is_right) return refuse(where, "is not the state that was recorded");
    const contract::SlotSet live = recorded.live_slots();
    codec::TickModel tick_model(*setup_);
    codec::TickRecord held = codec::make_tick_record(*setup_);
    const std::size_t size = setup_->world->input->size;
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        if (!contract::contains(live, slot)) continue;
        if (!decode_struct(reader, *setup_->world->input, tick_model.input,
                           codec::zeros_of(*setup_->world->input), held.row(slot, size).data()))
            return refuse(where, "cannot be read");
    }
    reader.finish();
    if (!reader.ok()) return refuse(where, "cannot be read");
    if (match_->tick() != block.tick) match_->restore(image);
    record_ = std::move(held);
    model_.emplace(*setup_);
    return {};
}

Result<void> Replay::go_to(std::uint64_t tick) {
    if (tick < first_tick_ || tick > last_tick_)
        return refuse("tick " + std::to_string(tick), "is not in the recording; it has ticks " +
                                                          std::to_string(first_tick_) + " to " +
                                                          std::to_string(last_tick_));
    std::size_t nearest = blocks_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        if (blocks_[i].kind == checkpoint_block && blocks_[i].tick <= tick) nearest = i;
    const bool has_passed = match_->tick() > tick;
    const bool is_near = nearest == blocks_.size() || blocks_[nearest].tick <= match_->tick();
    if (has_passed)
        if (auto started = start_over(); !started) return started;
    if (nearest < blocks_.size() && (has_passed || !is_near)) {
        at_ = nearest;
        left_ = 0;
        if (auto loaded = load_checkpoint(blocks_[at_]); !loaded) return loaded;
        ++at_;
    }
    while (match_->tick() < tick) {
        const auto played = next();
        if (!played) return std::unexpected(played.error());
        if (!*played) return refuse("tick " + std::to_string(tick), "is not in the recording");
    }
    return {};
}

}  // namespace instep::record
