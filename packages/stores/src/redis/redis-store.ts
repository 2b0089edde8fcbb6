import { type AttemptStore, ToolContractError } from "@toolcontract/core";
import { type EntryOptions, type StoredValue, createVersionedStore } from "../engines/index.ts";
import { FOREIGN, type LuaScript, READ, SWAP } from "./lua.ts";
import { RedisReplyError, type SendCommand, runScript, textOfReply } from "./scripts.ts";

/**
 * How to reach Redis, how keys begin, and how long attempts are kept.
 *
 * @example
 * ```ts
 * const options: RedisStoreOptions = { sendCommand: async (args) => client.sendCommand([...args]), prefix: "shop:" };
 * ```
 * @see docs/stores.md
 */
export interface RedisStoreOptions extends EntryOptions {
  /**
   * Sends one command and resolves to its reply; with node-redis `(...args) => client.sendCommand(args)`.
   *
   * @remarks Each command concerns one key, `args[2]` after the command's name, by which a cluster finds the node.
   */
  readonly sendCommand: SendCommand;
}

/**
 * Creates a store of attempts on Redis from 6.2 or Valkey, which is exact for any number of processes.
 *
 * @remarks A read is one command, and so is a write. What the client throws is the store's failure: pass the store to
 * withFallback(), which goes on counting without it.
 * @throws ToolContractError if an option is not what it must be.
 * @example
 * ```ts
 * const store = redisStore({ sendCommand: (...args) => client.sendCommand(args) });
 * ```
 * @see packages/stores/README.md
 */
export function redisStore({ sendCommand, ...entries }: RedisStoreOptions): AttemptStore {
  if (typeof sendCommand !== "function") {
    throw new ToolContractError(
      "redisStore: `sendCommand` must be a function, such as (...args) => client.sendCommand(args).",
    );
  }

  const run = async (script: LuaScript, key: string, ...args: string[]): Promise<unknown> =>
    runScript(sendCommand, script, [key], args);

  return createVersionedStore(
    {
      read: async (key, idleTime) => storedValue(await run(READ, key, `${idleTime}`)),
      async swap(key, expected, next = "", idleTime) {
        const reply = await run(SWAP, key, revisionOf(expected), next, `${idleTime}`);
        if (Array.isArray(reply)) return storedValue(reply);
        if (textOfReply(reply) !== "1")
          throw new RedisReplyError("A swap must reply 1, or a list.");
        return "done";
      },
    },
    entries,
  );
}

function revisionOf(value: string | undefined): string {
  return value === undefined ? "" : (/^[!-~]{16}/.exec(value)?.[0] ?? FOREIGN);
}

function storedValue(reply: unknown): StoredValue {
  if (!Array.isArray(reply)) throw new RedisReplyError("A reply must be a list of value and time.");
  const [value, time] = reply as readonly unknown[];
  const now = Number(textOfReply(time));
  if (!Number.isFinite(now)) throw new RedisReplyError("A reply must hold the server's time.");
  // RESP3 may give false for a value that is missing.
  return { value: value === null || value === false ? undefined : textOfReply(value), now };
}
