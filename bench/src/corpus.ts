import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema, ToolDefinition } from "@toolcontract/core";

/** A tool with a JSON Schema. */
export type CorpusTool = ToolDefinition & { readonly inputSchema: JsonSchema };

/** A call that its tool accepts. */
export interface CorpusCall {
  readonly tool: CorpusTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as the model writes them. */
  readonly text: string;
}

/** A set of valid calls from one source. */
export interface Corpus {
  readonly name: string;
  readonly calls: readonly CorpusCall[];
}

/** Creates a call of a corpus. */
export function corpusCall(tool: CorpusTool, args: Readonly<Record<string, unknown>>): CorpusCall {
  return { tool, args, text: JSON.stringify(args) };
}

/** Picks at most this many of the calls, spread evenly. */
export function thinOut(calls: readonly CorpusCall[], most: number): readonly CorpusCall[] {
  const step = Math.ceil(calls.length / most);
  return calls.filter((_, index) => index % step === 0);
}

/** The origin of the real calls, which are not in this repository. */
export const BFCL_ORIGIN =
  "Berkeley Function Calling Leaderboard v4, in the repository ShishirPatil/gorilla (Apache-2.0)";

/** Reads `calls.jsonl` of a folder, one `{ tool, arguments }` a line; undefined if there is no such file. */
export function readBfclCorpus(folder: string): Corpus | undefined {
  const file = join(folder, "calls.jsonl");
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const calls = lines.map((line) => {
    const { tool, arguments: args } = JSON.parse(line) as Row;
    return corpusCall(tool, args);
  });
  return { name: "bfcl", calls };
}

interface Row {
  readonly tool: CorpusTool;
  readonly arguments: Readonly<Record<string, unknown>>;
}
