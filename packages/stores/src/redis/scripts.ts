import type { LuaScript } from "./lua.ts";

/** Sends one command and resolves to its reply. */
export type SendCommand = (command: string, ...args: string[]) => PromiseLike<unknown>;

/** Thrown for a reply that the scripts never give. */
export class RedisReplyError extends Error {}

/** Runs a script by its SHA-1, or by its text if the server does not know it. */
export async function runScript(
  sendCommand: SendCommand,
  { sha1, text }: LuaScript,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const rest = [`${keys.length}`, ...keys, ...args];
  try {
    return await sendCommand("EVALSHA", sha1, ...rest);
  } catch (thrown) {
    if (!isUnknownScript(thrown)) throw thrown;
    // The server keeps the script from now on, until it restarts.
    return sendCommand("EVAL", text, ...rest);
  }
}

/** Clients word it in their own way; all keep the server's code or its name in it. */
function isUnknownScript(thrown: unknown): boolean {
  return thrown instanceof Error && /no_?script/i.test(thrown.message);
}

/** A string or a number of a reply, whatever form the client gives it. */
export function textOfReply(value: unknown): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (["string", "number", "bigint"].includes(typeof value)) return String(value);
  throw new RedisReplyError(`A reply must hold strings and numbers, not ${typeof value}.`);
}
