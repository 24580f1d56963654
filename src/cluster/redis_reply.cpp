// SPDX-License-Identifier: MIT
#include <instep/cluster/redis_reply.h>

#include <hiredis/read.h>

namespace instep::cluster {
namespace {

// A child is appended to its parent when it is read. Its address stays valid while it is read: only then is
// the next one appended.
Reply* add(const redisReadTask* task, Reply reply) {
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
    redisReader* reader = redisReaderCreateWithFunctions(&functions);
    ~Parts() { redisReaderFree(reader); }
};

ReplyParser::ReplyParser() : parts_(std::make_unique<Parts>()) {}
ReplyParser::~ReplyParser() = default;

void ReplyParser::feed(std::string_view bytes) {
    redisReaderFeed(parts_->reader, bytes.data(), bytes.size());
}

state::Result<bool> ReplyParser::next(Reply& reply) {
    redisReader* reader = parts_->reader;
    void* root = nullptr;
    if (redisReaderGetReply(reader, &root) != REDIS_OK) return state::refuse("reply", reader->errstr);
    if (!root) {
        if (reader->len - reader->pos > max_reply_bytes)
            return state::refuse("reply", "is longer than " + std::to_string(max_reply_bytes) + " bytes");
        return false;
    }
    const std::unique_ptr<Reply> owned(static_cast<Reply*>(root));
    reply = std::move(*owned);
    return true;
}

}  // namespace instep::cluster
