import type { LuaScript } from "./lua.ts";

// An account is two keys: a hash with what is spent and, by `o:` and the id of its entry, what is open as
// `r||amount` (reserved) or `d|when it ended|amount` (in doubt); and a sorted set of what is spent by when it ended, as
// `id|amount`. Only accounts with a window need the set: `gone` in their hash is the part of what is spent that ended at `until` or
// before, so that a window costs what ended between. Nothing that ended less than two days ago is removed, and windows are shorter.
// The hash `entries` holds all open entries, as `r||entry` or `d|when it ended|entry`; one that was taken over is `r|?|entry` or
// `r|?when it ended|entry`. Those that stop to count some day are in the sorted set `fading`, too, by when they ended.

const SUMS = `local function add(a, b)
  local sum = a + b
  if sum == math.floor(sum) then return sum end
  return tonumber(string.format('%.15g', sum))
end
local function text(n) return string.format('%.17g', n) end
local function between(set, from, to)
  local sum = 0
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', set, '(' .. from, to)) do
    sum = add(sum, tonumber(string.match(member, '|([^|]*)$')))
  end
  return sum
end
local function sumsOf(hash, set, after, without)
  local spent, reserved, doubt, gone, till, old = 0, 0, 0, 0, '-1e300', {}
  local all = redis.call('HGETALL', hash)
  for i = 1, #all, 2 do
    if all[i] == 'spent' then spent = tonumber(all[i + 1])
    elseif all[i] == 'gone' then gone = tonumber(all[i + 1])
    elseif all[i] == 'until' then till = all[i + 1]
    elseif all[i] ~= without then
      local state, at, amount = string.match(all[i + 1], '^(%a)|([^|]*)|(.*)$')
      if state == 'r' then reserved = add(reserved, tonumber(amount))
      elseif after == '' or at == '' or tonumber(at) > tonumber(after) then doubt = add(doubt, tonumber(amount))
      else old[#old + 1] = {all[i], tonumber(at)} end
    end
  end
  local isLater = after ~= '' and tonumber(after) > tonumber(till)
  if isLater then gone = add(gone, between(set, till, after))
  elseif after ~= '' then gone = add(gone, -between(set, after, till))
  else gone = 0 end
  return add(spent, -gone), reserved, doubt, isLater and text(gone), old
end
`;

/**
 * KEYS: entries, fading, then a hash and a set for each claim. ARGV: the entry's id, the entry, when it is reserved, then amount,
 * max and after for each claim. Returns nothing if all is reserved, or index, spent, reserved and in doubt of each claim that does not fit.
 */
export const RESERVE: LuaScript = {
  text: `${SUMS}local mark = ''
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  local state, at, entry = string.match(known, '^(%a)|([^|]*)|(.*)$')
  if entry == ARGV[2] then return {} end
  if state == 'r' and at ~= '' then mark = at else mark = '?' .. at end
end
local short, gones, olds = {}, {}, {}
local count = #KEYS / 2 - 1
for i = 1, count do
  local amount, max, after = tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2]), ARGV[3 * i + 3]
  local spent, reserved, doubt, gone, old = sumsOf(KEYS[2 * i + 1], KEYS[2 * i + 2], after, 'o:' .. ARGV[1])
  gones[i], olds[i] = gone, old
  if add(add(add(spent, reserved), doubt), amount) > max then
    for _, one in ipairs({i, spent, reserved, doubt}) do short[#short + 1] = text(one) end
  end
end
if #short > 0 then return short end
local before = ARGV[3] - 172800000
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', text(before), 'LIMIT', 0, 100)) do
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
redis.call('HSET', KEYS[1], ARGV[1], 'r|' .. mark .. '|' .. ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
for i = 1, count do
  local hash, set, after = KEYS[2 * i + 1], KEYS[2 * i + 2], ARGV[3 * i + 3]
  redis.call('PERSIST', hash)
  redis.call('PERSIST', set)
  if after ~= '' then
    if gones[i] then redis.call('HSET', hash, 'gone', gones[i], 'until', after) end
    local till = tonumber(redis.call('HGET', hash, 'until') or '-1e300')
    redis.call('ZREMRANGEBYSCORE', set, '-inf', text(math.min(before, till)))
    for _, field in ipairs(olds[i]) do
      if field[2] <= before then redis.call('HDEL', hash, field[1]) end
    end
  end
  redis.call('HSET', hash, 'o:' .. ARGV[1], 'r||' .. ARGV[3 * i + 1])
end
return short`,
  sha1: "6cbf2a448b2976aa0881acdbc50d0637baab2a59",
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
local was, mark, entry = string.match(found, '^(%a)|([^|]*)|(.*)$')
if state == 'not-done' and was == 'r' and mark ~= '' then state, at = 'in-doubt', string.sub(mark, 2) end
redis.call('ZREM', KEYS[2], id)
if state == 'in-doubt' then
  redis.call('HSET', KEYS[1], id, 'd|' .. at .. '|' .. entry)
  if at ~= '' and ARGV[4] == '1' then redis.call('ZADD', KEYS[2], at, id) end
else
  redis.call('HDEL', KEYS[1], id)
end
for i = 1, #KEYS / 2 - 1 do
  local hash, set, amount, expires = KEYS[2 * i + 1], KEYS[2 * i + 2], ARGV[2 * i + 3], ARGV[2 * i + 4] == '1'
  local field = 'o:' .. id
  if state ~= 'in-doubt' then redis.call('HDEL', hash, field)
  elseif redis.call('HEXISTS', hash, field) == 1 then redis.call('HSET', hash, field, 'd|' .. at .. '|' .. amount) end
  if state == 'spent' then
    local spent = tonumber(redis.call('HGET', hash, 'spent') or '0')
    redis.call('HSET', hash, 'spent', text(add(spent, tonumber(amount))))
    if expires then
      redis.call('ZADD', set, at, id .. '|' .. at .. '|' .. amount)
      if tonumber(at) <= tonumber(redis.call('HGET', hash, 'until') or '-1e300') then
        redis.call('HSET', hash, 'gone', text(add(tonumber(redis.call('HGET', hash, 'gone')), tonumber(amount))))
      end
    end
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
  sha1: "5c00174cf555b0f9692238dc2f396a242ea51868",
};

/** KEYS: a hash and a set. ARGV: after. Returns spent, reserved and in doubt. */
export const TOTALS: LuaScript = {
  text: `${SUMS}local spent, reserved, doubt = sumsOf(KEYS[1], KEYS[2], ARGV[1], '')
return {text(spent), text(reserved), text(doubt)}`,
  sha1: "cb9a26a5e5a9175d0076de814699d4b5f8fe32c6",
};

/** KEYS: entries. Returns ids and entries, in turns. */
export const OPEN: LuaScript = {
  text: "return redis.call('HGETALL', KEYS[1])",
  sha1: "2e9dc1eee79fed50b6f3a9088fab7b81cb333123",
};
