// SPDX-License-Identifier: MIT
// What Redis does for one room, each as one indivisible script. Every script gets the three keys of the room;
// docs/decisions/cluster.md has the rules. A script that writes for the owner fails with FENCED unless epoch
// and holder are the owner's.
#pragma once

#include <cstddef>
#include <string_view>

namespace instep::cluster {

// Before each script: Redis's clock in milliseconds, and the fence.
inline constexpr std::string_view prelude = R"(
local lease, ticks, checkpoint = KEYS[1], KEYS[2], KEYS[3]
local function now()
    local t = redis.call('TIME')
    return t[1] * 1000 + math.floor(t[2] / 1000)
end
local function is_fenced()
    local l = redis.call('HMGET', lease, 'epoch', 'holder')
    return l[1] ~= ARGV[1] or l[2] ~= ARGV[2]
end
local fenced = redis.error_reply('FENCED another server owns the room')
)";

// holder, lease ms, address, info, tick, image: a new room, if no room has that name. It may be asked
// again when the answer was lost.
inline constexpr std::string_view open_script = R"(
local held_by = redis.call('HGET', lease, 'holder')
if held_by and held_by ~= ARGV[1] then
    return redis.error_reply('TAKEN there is a room of that name')
end
redis.call('DEL', ticks)
redis.call('HSET', lease, 'epoch', 1, 'holder', ARGV[1], 'until', now() + ARGV[2], 'address', ARGV[3],
           'info', ARGV[4], 'tick', ARGV[5])
redis.call('SET', checkpoint, ARGV[6])
return tonumber(ARGV[5])
)";

// epoch, holder, lease ms, first tick, last tick, entry
inline constexpr std::string_view append_script = R"(
local l = redis.call('HMGET', lease, 'epoch', 'holder', 'tick')
if l[1] ~= ARGV[1] or l[2] ~= ARGV[2] then return fenced end
if l[3] ~= tostring(ARGV[4] - 1) then
    return redis.error_reply('GAP the entry does not follow the last one')
end
redis.call('XADD', ticks, ARGV[5] .. '-0', 't', ARGV[6])
redis.call('HSET', lease, 'until', now() + ARGV[3], 'tick', ARGV[5])
return tonumber(ARGV[5])
)";

// epoch, holder, lease ms, tick, image. After a lost connection its tick may lie beyond the last entry.
inline constexpr std::string_view checkpoint_script = R"(
if is_fenced() then return fenced end
redis.call('SET', checkpoint, ARGV[5])
redis.call('XTRIM', ticks, 'MINID', string.format('%.0f', ARGV[4] + 1))
if tonumber(redis.call('HGET', lease, 'tick')) < tonumber(ARGV[4]) then
    redis.call('HSET', lease, 'tick', ARGV[4])
end
redis.call('HSET', lease, 'until', now() + ARGV[3])
return tonumber(ARGV[4])
)";

// epoch, holder, lease ms, info
inline constexpr std::string_view renew_script = R"(
if is_fenced() then return fenced end
redis.call('HSET', lease, 'until', now() + ARGV[3], 'info', ARGV[4])
return 1
)";

// epoch, holder, tick, image: the lease ends at once, and another server may take the room.
inline constexpr std::string_view release_script = R"(
if is_fenced() then return fenced end
redis.call('SET', checkpoint, ARGV[4])
redis.call('DEL', ticks)
redis.call('HSET', lease, 'until', 0, 'tick', ARGV[3], 'holder', 'released')
return tonumber(ARGV[3])
)";

// epoch, holder: a room that was taken and could not be opened; its ticks stay as they are.
inline constexpr std::string_view give_back_script = R"(
if is_fenced() then return fenced end
redis.call('HSET', lease, 'until', 0, 'holder', 'none')
return 1
)";

// epoch, holder: the room has ended.
inline constexpr std::string_view close_script = R"(
if is_fenced() then return fenced end
redis.call('DEL', lease, ticks, checkpoint)
return 1
)";

// holder, lease ms, address: takes the room if its lease has expired.
inline constexpr std::string_view take_script = R"(
local l = redis.call('HMGET', lease, 'epoch', 'until')
if not l[1] then return redis.error_reply('GONE the room has ended') end
if tonumber(l[2]) > now() then return redis.error_reply('HELD another server holds the lease') end
local epoch = l[1] + 1
redis.call('HSET', lease, 'epoch', epoch, 'holder', ARGV[1], 'until', now() + ARGV[2], 'address', ARGV[3])
return {epoch, redis.call('GET', checkpoint), redis.call('XRANGE', ticks, '-', '+')}
)";

// The directory entry: epoch, ms until the lease expires (negative: since), address, info, and 1 if its owner
// released it. Nil: no room.
inline constexpr std::string_view look_script = R"(
local l = redis.call('HMGET', lease, 'epoch', 'until', 'address', 'info', 'holder')
if not l[1] then return false end
return {tonumber(l[1]), tonumber(l[2]) - now(), l[3], l[4], l[5] == 'released' and 1 or 0}
)";
inline constexpr std::size_t look_items = 5;

// Of the processes, with one key of their own: id, ms, facts. Says that this process lives and how it is;
// answers with ids and facts of those that do. Forgets the others.
inline constexpr std::string_view servers_script = R"(
local t = now()
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', t + ARGV[2]) .. ARGV[3])
local all, live = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #all, 2 do
    local until_ms, facts = string.match(all[i + 1], '^(%d+) (.*)$')
    if until_ms and tonumber(until_ms) > t then
        live[#live + 1] = all[i]
        live[#live + 1] = facts
    else
        redis.call('HDEL', KEYS[1], all[i])
    end
end
return live
)";

}  // namespace instep::cluster
