import {
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerShortage,
  type LedgerTotals,
  ToolContractError,
} from "@toolcontract/core";
import { entryNaming } from "../engines/index.ts";
import { END, OPEN, RESERVE, TOTALS } from "./ledger-lua.ts";
import type { LuaScript } from "./lua.ts";
import { RedisReplyError, type SendCommand, runScript, textOfReply } from "./scripts.ts";

/**
 * Options of redisLedger().
 *
 * @example
 * ```ts
 * const options: RedisLedgerOptions = { sendCommand: async (args) => client.sendCommand([...args]) };
 * ```
 * @see docs/stores.md
 */
export interface RedisLedgerOptions {
  /** Sends one command and resolves to its reply; with node-redis `(...args) => client.sendCommand(args)`. */
  readonly sendCommand: SendCommand;
  /**
   * How keys begin. In a cluster, all keys of a ledger are on one node.
   *
   * @default toolcontract:1:
   */
  readonly prefix?: string;
}

const PREFIX = "toolcontract:1:";

/**
 * Creates a ledger on Redis from 6.2 or Valkey, exact for any number of processes.
 *
 * @remarks What it holds is as durable as the server: use `appendonly yes` and `appendfsync always`, and
 * `maxmemory-policy noeviction`, because an amount that is lost is given back.
 * @throws ToolContractError if an option is not what it must be.
 * @example
 * ```ts
 * const ledger = redisLedger({ sendCommand: (...args) => client.sendCommand(args) });
 * ```
 * @see docs/limits.md
 */
export function redisLedger({ sendCommand, prefix = PREFIX }: RedisLedgerOptions): Ledger {
  if (typeof sendCommand !== "function") {
    throw new ToolContractError(
      "redisLedger: `sendCommand` must be a function, such as (...args) => client.sendCommand(args).",
    );
  }
  if (typeof prefix !== "string") {
    throw new ToolContractError("redisLedger: `prefix` must be a string.");
  }
  // The braces keep the keys of one script on one node of a cluster.
  const keyOf = (kind: string): string => `{${prefix}ledger}:${kind}`;
  const shared = [keyOf("entries"), keyOf("fading")];
  const { nameOf } = entryNaming("redisLedger", { prefix: "" });
  const keysOf = ({ account }: Pick<LedgerClaim, "account">): readonly string[] => {
    const name = nameOf(account);
    return [keyOf(`account:${name}`), keyOf(`spent:${name}`)];
  };
  const run = async (
    script: LuaScript,
    keys: readonly string[],
    ...args: string[]
  ): Promise<readonly string[]> => textsOfReply(await runScript(sendCommand, script, keys, args));

  return {
    async reserve({ id, claims, reservedAt, facts }) {
      const keys = [...shared, ...claims.flatMap(keysOf)];
      const body = JSON.stringify({ claims, reservedAt, facts });
      const bounds = claims.flatMap(({ amount, max, after = "" }) =>
        [amount, max, after].map(String),
      );
      const reply = await run(RESERVE, keys, id, body, `${reservedAt}`, ...bounds);
      return shortages(claims, reply.map(Number));
    },
    async end({ id, claims }, end) {
      const keys = [...shared, ...claims.flatMap(keysOf)];
      const amounts = claims.flatMap(({ limit, amount, after }) => {
        const spent = end.state === "spent" ? (end.amounts?.[limit] ?? amount) : amount;
        return [`${spent}`, after === undefined ? "0" : "1"];
      });
      const at = end.state === "not-done" ? undefined : end.at;
      const fades = claims.every(({ after }) => after !== undefined) ? "1" : "0";
      await run(END, keys, id, end.state, at === undefined ? "" : `${at}`, fades, ...amounts);
    },
    async totals({ account, after = "" }) {
      const reply = await run(TOTALS, keysOf({ account }), `${after}`);
      return totalsIn(reply.map(Number));
    },
    async open() {
      const reply = await run(OPEN, shared.slice(0, 1));
      const ids = reply.filter((_, index) => index % 2 === 0);
      return ids
        .map((id, index) => readEntry(id, reply[2 * index + 1] ?? ""))
        .toSorted((a, b) => a.reservedAt - b.reservedAt);
    },
  };
}

function shortages(
  claims: readonly LedgerClaim[],
  numbers: readonly number[],
): readonly LedgerShortage[] {
  const short: LedgerShortage[] = [];
  for (let index = 0; index < numbers.length; index += 4) {
    const limit = claims[(numbers[index] ?? 0) - 1]?.limit ?? "";
    short.push({ limit, totals: totalsIn(numbers.slice(index + 1, index + 4)) });
  }
  return short;
}

function totalsIn([spent = NaN, reserved = NaN, inDoubt = NaN]: readonly number[]): LedgerTotals {
  if ([spent, reserved, inDoubt].every(Number.isFinite)) return { spent, reserved, inDoubt };
  throw new RedisReplyError("A reply must hold the sums of an account.");
}

function readEntry(id: string, value: string): LedgerEntry {
  const [, state, at, body = ""] = /^([rd])\|([^|]*)\|(.*)$/s.exec(value) ?? [];
  const { claims, reservedAt, facts } = JSON.parse(body) as LedgerEntry;
  const known = { id, claims, reservedAt, facts };
  if (state === "r") return { ...known, state: "reserved" };
  return { ...known, state: "in-doubt", ...(at !== "" && { endedAt: Number(at) }) };
}

function textsOfReply(reply: unknown): readonly string[] {
  if (Array.isArray(reply)) return reply.map(textOfReply);
  throw new RedisReplyError("A reply must be a list.");
}
