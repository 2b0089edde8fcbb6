import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { corpusCall, type Corpus, type CorpusTool } from "./corpus.ts";

/** Where the calls can be had when they are not at hand. */
export const BFCL_ORIGIN =
  "Berkeley Function Calling Leaderboard v4, in the repository ShishirPatil/gorilla (Apache-2.0)";

/** Reads `calls.jsonl` of a folder: one `{ tool, arguments }` a line; undefined where there is none. */
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
