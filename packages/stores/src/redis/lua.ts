/** A script that Redis runs in one step. */
export interface LuaScript {
  readonly text: string;
  /** The SHA-1 of the text, by which Redis knows a script that it has run before. */
  readonly sha1: string;
}

// Longer values are foreign: core reads none of this length.
const SHORTENED = `if found and #found > 131072 then found = string.sub(found, 1, 16) end
local time = redis.call('TIME')
return {found, time[1] * 1000 + math.floor(time[2] / 1000)}`;

/** KEYS: the key. ARGV: the idle time. Returns the value and the server's clock in milliseconds. */
export const READ: LuaScript = {
  text: `local found = redis.call('GETEX', KEYS[1], 'PX', ARGV[1])
${SHORTENED}`,
  sha1: "0911715c486510ad9fb99a07a2ff72f8f5225b77",
};

/** The revision of a foreign value; that of no value is an empty string. */
export const FOREIGN = "?";

/**
 * KEYS: the key. ARGV: the expected revision, the next value (empty: none), the idle time. Returns 1, or what READ returns if
 * another revision is there.
 */
export const SWAP: LuaScript = {
  text: `local found = redis.call('GET', KEYS[1])
local revision = ''
if found then revision = string.match(found, '^' .. string.rep('[!-~]', 16)) or '${FOREIGN}' end
if revision == ARGV[1] then
  if ARGV[2] == '' then redis.call('DEL', KEYS[1])
  else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
  return 1
end
${SHORTENED}`,
  sha1: "2264bf9857141bb2f010a1789830c9e408163cae",
};
