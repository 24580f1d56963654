// SPDX-License-Identifier: MIT
#include <instep/cluster/redis_reply.h>

#include <hiredis/read.h>

namespace instep::cluster {
namespace {

// A child is appended to its parent when it is read. Its address stays valid while it is read: only then is
// the next one appended. Null: the reply has too many items, and hiredis gives up. Items are counted, since
// one of four bytes takes eighteen times as many as an object.
Reply* add(const redisReadTask* task, Reply reply) {
    auto& items = *static_cast<std::size_t*>(task->privdata);
    if (++items > ReplyParser::max_reply_items) return nullptr;
    if (!task->parent) return new Reply(std::move(reply));
    auto& siblings = static_cast<Reply*>(task->parent->obj)->items;
    siblings.push_back(std::move(reply));
    return &siblings.back();
}

void* make_text(const redisReadTask* task, char* text, std::size_t size) {
    const auto kind = task->type == REDIS_REPLY_ERROR ? Reply::Kind::error : Reply::Kind::text;
    return add(task, {kind, 0, std::string(text, size), {}});
}
void* make_array(const redisReadTask* task, int) { return add(task, {Reply::Kind::array, 0, {}, {}}); }
void* make_integer(const redisReadTask* task, long long value) {
    return add(task, {Reply::Kind::integer, value, {}, {}});
}
void* make_nil(const redisReadTask* task) { return add(task, {}); }
void free_root(void* reply) { delete static_cast<Reply*>(reply); }

redisReplyObjectFunctions functions{make_text, make_array, make_integer, make_nil, free_root};

}  // namespace

std::string_view Reply::error_code() const {
    return is_error() ? std::string_view(text).substr(0, text.find(' ')) : std::string_view();
}

void write_command(std::span<const std::string> words, std::string& out) {
    out += "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) out += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
}

struct ReplyParser::Parts {
    Parts() { reader->privdata = &items; }
    ~Parts() { redisReaderFree(reader); }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    redisReader* reader = redisReaderCreateWithFunctions(&functions);
    std::size_t items = 0;  // of the reply that is being read
    std::size_t bytes = 0;  // that came since the last complete reply
};

ReplyParser::ReplyParser() : parts_(std::make_unique<Parts>()) {}
ReplyParser::~ReplyParser() = default;

void ReplyParser::feed(std::string_view bytes) {
    parts_->bytes += bytes.size();
    redisReaderFeed(parts_->reader, bytes.data(), bytes.size());
}

state::Result<bool> ReplyParser::next(Reply& reply) {
    redisReader* reader = parts_->reader;
    void* root = nullptr;
    if (redisReaderGetReply(reader, &root) != REDIS_OK) {
        if (parts_->items > max_reply_items)
            return state::refuse("reply", "has more than " + std::to_string(max_reply_items) + " items");
        return state::refuse("reply", reader->errstr);
    }
    if (!root) {
        if (parts_->bytes > max_reply_bytes)
            return state::refuse("reply", "is longer than " + std::to_string(max_reply_bytes) + " bytes");
        return false;
    }
    const std::unique_ptr<Reply> owned(static_cast<Reply*>(root));
    reply = std::move(*owned);
    parts_->items = 0;
    parts_->bytes = reader->len - reader->pos;
    return true;
}

}  // namespace instep::cluster
