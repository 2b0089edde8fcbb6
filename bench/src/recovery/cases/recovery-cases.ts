import type { SchemaObject } from "@toolcontract/core";
import {
  type Corpus,
  type CorpusCall,
  corpusCall,
  type CorpusTool,
  thinOut,
} from "../../corpus.ts";
import { spoilCalls, type SpoiltCall } from "./spoil-calls.ts";
import { putFault } from "./slips.ts";
import words from "./words.json" with { type: "json" };
import lookAlikes from "./look-alikes.json" with { type: "json" };
import madeTools from "./made-tools.json" with { type: "json" };

/** How many cases to make. */
export interface CaseCounts {
  /** At most this many real calls, each spoilt once. */
  readonly calls: number;
  /** How often each call of an MCP server's tool is spoilt. */
  readonly perServerCall: number;
  /** How often each call in `made-tools.json` is spoilt. */
  readonly perMadeCall: number;
}

/** Enough for shares that are exact to a tenth of a percent. */
export const FULL: CaseCounts = { calls: 700, perServerCall: 4, perMadeCall: 40 };

/** Enough to see a broken promise, in a few seconds. */
export const QUICK: CaseCounts = { calls: 150, perServerCall: 1, perMadeCall: 12 };

/** The source of the cases in `look-alikes.json`. */
export const LOOK_ALIKES = "look-alikes";

/** The invalid calls of all sources, and the valid calls that malformed JSON is made from. */
export interface RecoveryCases {
  readonly spoilt: readonly SpoiltCall[];
  readonly valid: readonly CorpusCall[];
}

/** Makes the cases: spoilt calls of MCP servers, of made tools and of real models, and the look-alikes. */
export function recoveryCases(
  servers: Corpus,
  real: Corpus | undefined,
  counts: CaseCounts,
): RecoveryCases {
  const made = readMadeCalls();
  const calls = real === undefined ? [] : thinOut(real.calls, counts.calls);
  return {
    spoilt: [
      ...spoilCalls(servers, counts.perServerCall),
      ...spoilCalls(made, counts.perMadeCall),
      ...(real === undefined ? [] : spoilCalls({ name: real.name, calls }, 1)),
      ...(lookAlikes as unknown as readonly LookAlike[]).map(lookAlikeCase),
    ],
    valid: [...servers.calls, ...made.calls, ...calls],
  };
}

/** Valid calls of tools with what installed servers have little of: unions, limits and depth. */
function readMadeCalls(): Corpus {
  const tools = madeTools as readonly MadeTool[];
  return {
    name: "made",
    calls: tools.flatMap(({ calls, ...tool }) => calls.map((args) => corpusCall(tool, args))),
  };
}

type MadeTool = CorpusTool & { readonly calls: readonly CorpusCall["args"][] };

/**
 * A call in which one key or value is off: misspelt, next to look-alikes of the right one, or foreign, a
 * look-alike that the tool does not know and that means something else.
 */
type LookAlike = readonly [
  kind: "misspelt key" | "foreign key" | "misspelt value" | "foreign value",
  /** What the tool declares, separated by spaces. */
  known: string,
  /** The right key or value; for a foreign key, a key that is sent as well. */
  golden: string | null,
  sent: string,
];

const STRING = { type: "string" };
const OTHER_KEYS = ["query", "workspace", "labels", "confirmed"];

function lookAlikeCase([kind, declared, golden, sent]: LookAlike): SpoiltCall {
  const known = declared.split(" ");
  const isValue = kind.endsWith("value");
  const schema = isValue ? { enum: [...known, "other"] } : STRING;
  const own = isValue ? ["choice"] : known;
  const properties = Object.fromEntries([
    ...own.map((key) => [key, schema]),
    ...OTHER_KEYS.map((key) => [key, STRING]),
  ]) as SchemaObject;
  const required = ["query"];
  const inputSchema = { type: "object", properties, required, additionalProperties: false };
  const right = golden ?? "";
  const isNear = kind.startsWith("misspelt");
  const fault = {
    kind: isValue ? "enum" : isNear ? "misspelt" : "unknown",
    pointer: isValue ? "/choice" : `/${sent}`,
    sent: isValue ? sent : isNear ? "a" : "b",
    also: kind === "misspelt key" ? [`/${right}`] : [],
    fix: kind === "foreign key" ? [words.unknownKey] : [[right]],
    ...(isNear && { near: right }),
    ...(kind === "foreign value" && { foreign: true as const }),
    value: right,
    schema,
    optional: true,
    siblings: isValue ? [] : Object.keys(properties),
    inUnion: false,
  } as const;
  const field = isValue ? { choice: right } : golden === null ? {} : { [golden]: "a" };
  const valid = { query: "open orders", ...field };
  return {
    ...corpusCall({ name: "find_orders", inputSchema }, putFault(valid, fault)),
    source: LOOK_ALIKES,
    golden: valid,
    faults: [fault],
    secrets: [],
    zodAgrees: true,
  };
}
