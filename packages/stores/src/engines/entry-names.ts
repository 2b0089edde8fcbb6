import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { ToolContractError } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";

const HOUR = 3_600_000;
const PREFIX = "toolcontract:1:";
const MAX_NAMES = 1_000;
const BYTES = 16;

/**
 * How a store names its entries in an engine, and how long they are kept.
 *
 * @example
 * ```ts
 * const options: EntryOptions = { prefix: "shop:", idleTime: 3_600_000 };
 * ```
 * @see docs/stores.md
 */
export interface EntryOptions {
  /**
   * Milliseconds after which the engine drops an unused entry.
   *
   * @default 3,600,000: an hour
   */
  readonly idleTime?: number;
  /**
   * How the engine's keys begin.
   *
   * @default toolcontract:1:
   */
  readonly prefix?: string;
}

/** The options with every default filled in. */
export interface EntryNaming {
  readonly idleTime: number;
  /** The engine's key: the conversation's id is personal data, and may be of any length, so it is hashed. */
  readonly nameOf: (key: string) => string;
}

/** Reads the options of a store; throws a ToolContractError that names the function `where`. */
export function entryNaming(
  where: string,
  { idleTime = HOUR, prefix = PREFIX }: EntryOptions,
): EntryNaming {
  if (!Number.isSafeInteger(idleTime) || idleTime < 1) {
    throw new ToolContractError(
      `${where}: \`idleTime\` must be a whole number of milliseconds, at least 1.`,
    );
  }
  if (typeof prefix !== "string")
    throw new ToolContractError(`${where}: \`prefix\` must be a string.`);
  // A call asks for the same keys several times, and so does the next one of the conversation.
  const names = createRecentMap<string, string>(MAX_NAMES);
  return {
    idleTime,
    nameOf(key) {
      const known = names.get(key);
      if (known !== undefined) return known;
      // The runtime's own digest is asynchronous, and a synchronous store must not become so for its keys.
      const name = prefix + bytesToHex(sha256(utf8ToBytes(key)).subarray(0, BYTES));
      names.set(key, name);
      return name;
    },
  };
}

/** Throws a ToolContractError if an engine lacks a function. */
export function checkEngine(where: string, engine: object, names: readonly string[]): void {
  const given = engine as Readonly<Record<string, unknown>> | undefined;
  if (names.every((name) => typeof given?.[name] === "function")) return;
  throw new ToolContractError(`${where}: pass an engine with the functions ${names.join(", ")}.`);
}
