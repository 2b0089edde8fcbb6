import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaObject } from "@toolcontract/core";
import { type Corpus, type CorpusCall, corpusCall, thinOut } from "../../corpus.ts";
import { UNKNOWN_WORDS } from "./slips.ts";
import { spoilCalls } from "./spoil-calls.ts";
import { applyEdit, type Edit, type Fault, type SpoiltCall } from "./spoilt-call.ts";

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
      ...(readJson("look-alikes.json") as readonly LookAlike[]).map(lookAlikeCase),
    ],
    valid: [...servers.calls, ...made.calls, ...calls],
  };
}

/** Valid calls of tools with what installed servers have little of: unions, limits and depth. */
function readMadeCalls(): Corpus {
  const { tools, calls } = readJson("made-tools.json") as MadeTools;
  const made = new Map(
    Object.entries(tools).map(([name, inputSchema]) => [name, { name, inputSchema }]),
  );
  return {
    name: "made",
    calls: calls.map(({ tool, arguments: args }) =>
      corpusCall(made.get(tool) ?? { name: tool, inputSchema: {} }, args),
    ),
  };
}

interface MadeTools {
  readonly tools: Readonly<Record<string, SchemaObject>>;
  readonly calls: readonly { readonly tool: string; readonly arguments: CorpusCall["args"] }[];
}

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

function lookAlikeCase([kind, words, golden, sent]: LookAlike): SpoiltCall {
  const known = words.split(" ");
  const right = golden ?? "";
  const rightPlace = `/${right}`;
  const place = `/${sent}`;
  switch (kind) {
    case "misspelt key":
      return lookAlike(known, { [right]: "a" }, [[place, "a"]], {
        kind: "misspelt",
        also: [rightPlace],
        fix: [[right]],
        near: right,
        undo: { remove: [place], set: [[rightPlace, "a"]] },
      });
    case "foreign key":
      return lookAlike(known, golden === null ? {} : { [golden]: "a" }, [[place, "b"]], {
        kind: "unknown",
        also: [],
        fix: [UNKNOWN_WORDS],
        undo: { remove: [place], set: [] },
      });
    case "misspelt value":
    case "foreign value":
      return lookAlike(known, { choice: right }, [["/choice", sent]], {
        kind: "enum",
        also: [],
        fix: [[right]],
        undo: { remove: [], set: [["/choice", right]] },
        ...(kind === "misspelt value" ? { near: right } : { foreign: true }),
      });
  }
}

function lookAlike(
  known: readonly string[],
  sent: Readonly<Record<string, string>>,
  set: Edit["set"],
  fault: Pick<Fault, "kind" | "also" | "fix" | "undo" | "near" | "foreign">,
): SpoiltCall {
  const isValue = fault.kind === "enum";
  const schema = isValue ? { enum: [...known, "other"] } : STRING;
  const declared = [...(isValue ? ["choice"] : known), ...OTHER_KEYS];
  const properties = Object.fromEntries(
    declared.map((key) => [key, OTHER_KEYS.includes(key) ? STRING : schema]),
  );
  const required = ["query"];
  const inputSchema = { type: "object", properties, required, additionalProperties: false };
  const golden = { query: "open orders", ...sent };
  const args = applyEdit(golden, { remove: fault.also, set });
  return {
    ...corpusCall({ name: "find_orders", inputSchema }, args),
    source: LOOK_ALIKES,
    golden,
    faults: [
      {
        ...fault,
        pointer: set[0]?.[0] ?? "",
        schema,
        optional: true,
        siblings: isValue ? [] : declared,
        inUnion: false,
      },
    ],
    secrets: [],
    zodAgrees: true,
  };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"));
}
