import type { LuaScript } from "./lua.ts";

// An account is two keys: a hash with what is spent and, by `o:` and the id of its entry, what is open as
// `r||amount` (reserved) or `d|when it ended|amount` (in doubt); and a sorted set of what is spent by when it ended, as
// `id|amount`. Only accounts with a window need the set. The hash `entries` holds all open entries; those that stop to count some
// day are in the sorted set `fading`, too, by when they ended. Windows are shorter than two days.

const SUMS = `local function add(a, b)
  local sum = a + b
  if sum == math.floor(sum) then return sum end
  return tonumber(string.format('%.15g', sum))
end
local function text(n) return string.format('%.17g', n) end
local function sumsOf(hash, set, after)
  local spent, reserved, doubt, over = 0, 0, 0, {}
  local all = redis.call('HGETALL', hash)
  for i = 1, #all, 2 do
    if all[i] == 'spent' then spent = tonumber(all[i + 1])
    else
      local state, at, amount = string.match(all[i + 1], '^(%a)|([^|]*)|(.*)$')
      if state == 'r' then reserved = add(reserved, tonumber(amount))
      elseif after == '' or at == '' or tonumber(at) > tonumber(after) then doubt = add(doubt, tonumber(amount))
      else over[#over + 1] = all[i] end
    end
  end
  if after ~= '' then
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', set, '-inf', after)) do
      spent = add(spent, -tonumber(string.match(member, '|(.*)$')))
    end
  end
  return spent, reserved, doubt, over
end
`;

/**
 * KEYS: entries, fading, then a hash and a set for each claim. ARGV: the entry's id, the entry, when it is reserved, then amount,
 * max and after for each claim. Returns nothing if all is reserved, or index, spent, reserved and in doubt of each claim that does not fit.
 */
export const RESERVE: LuaScript = {
  text: `${SUMS}if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return {} end
local short, spents, overs = {}, {}, {}
local count = #KEYS / 2 - 1
for i = 1, count do
  local amount, max, after = tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2]), ARGV[3 * i + 3]
  local spent, reserved, doubt, over = sumsOf(KEYS[2 * i + 1], KEYS[2 * i + 2], after)
  spents[i], overs[i] = spent, over
  if add(add(add(spent, reserved), doubt), amount) > max then
    for _, one in ipairs({i, spent, reserved, doubt}) do short[#short + 1] = text(one) end
  end
end
if #short > 0 then return short end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', text(ARGV[3] - 172800000), 'LIMIT', 0, 100)) do
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
redis.call('HSET', KEYS[1], ARGV[1], 'r||' .. ARGV[2])
for i = 1, count do
  local hash, set, after = KEYS[2 * i + 1], KEYS[2 * i + 2], ARGV[3 * i + 3]
  if after ~= '' then
    if redis.call('ZREMRANGEBYSCORE', set, '-inf', after) > 0 then redis.call('HSET', hash, 'spent', text(spents[i])) end
    for _, field in ipairs(overs[i]) do redis.call('HDEL', hash, field) end
    redis.call('PERSIST', hash)
    redis.call('PERSIST', set)
  end
  redis.call('HSET', hash, 'o:' .. ARGV[1], 'r||' .. ARGV[3 * i + 1])
end
return short`,
  sha1: "4c4e5e86701c559df79fcf0b1c5ddb8e46078ccb",
};

/**
 * KEYS: entries, fading, then a hash and a set for each claim. ARGV: the entry's id, `spent`, `in-doubt` or `not-done`, when its
 * tool ended, whether all of it fades (1), then the amount and whether it stops to count (1) for each claim. Returns 1 in a
 * list, or 0 if the entry is not open.
 */
export const END: LuaScript = {
  text: `${SUMS}local id, state, at = ARGV[1], ARGV[2], ARGV[3]
local found = redis.call('HGET', KEYS[1], id)
if not found then return {0} end
if state == 'in-doubt' then
  redis.call('HSET', KEYS[1], id, 'd|' .. at .. '|' .. string.match(found, '^%a|[^|]*|(.*)$'))
  if at ~= '' and ARGV[4] == '1' then redis.call('ZADD', KEYS[2], at, id) end
else
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
for i = 1, #KEYS / 2 - 1 do
  local hash, set, amount, expires = KEYS[2 * i + 1], KEYS[2 * i + 2], ARGV[2 * i + 3], ARGV[2 * i + 4] == '1'
  local field = 'o:' .. id
  if state ~= 'in-doubt' then redis.call('HDEL', hash, field)
  elseif redis.call('HEXISTS', hash, field) == 1 then redis.call('HSET', hash, field, 'd|' .. at .. '|' .. amount) end
  if state == 'spent' then
    local spent = tonumber(redis.call('HGET', hash, 'spent') or '0')
    redis.call('HSET', hash, 'spent', text(add(spent, tonumber(amount))))
    if expires then redis.call('ZADD', set, at, id .. '|' .. amount) end
  end
  local isOver = expires
  for _, value in ipairs(redis.call('HVALS', hash)) do
    if string.match(value, '^%a||') then isOver = false end
  end
  if isOver then
    redis.call('PEXPIRE', hash, 172800000)
    redis.call('PEXPIRE', set, 172800000)
  end
end
return {1}`,
  sha1: "4a88aa218998a39e5847332ea18f2565dd07aeea",
};

/** KEYS: a hash and a set. ARGV: after. Returns spent, reserved and in doubt. */
export const TOTALS: LuaScript = {
  text: `${SUMS}local spent, reserved, doubt = sumsOf(KEYS[1], KEYS[2], ARGV[1])
return {text(spent), text(reserved), text(doubt)}`,
  sha1: "73313d73babb7fca756051b988182bf41bcc6a3c",
};

/** KEYS: entries. Returns ids and entries, in turns. */
export const OPEN: LuaScript = {
  text: "return redis.call('HGETALL', KEYS[1])",
  sha1: "2e9dc1eee79fed50b6f3a9088fab7b81cb333123",
};
