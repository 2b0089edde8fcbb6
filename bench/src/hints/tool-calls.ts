import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CorpusCall, type CorpusTool, corpusCall } from "../corpus.ts";

/** Reads a call of each of many servers' usual tools, written without a look at the tables of the near names. */
export function readToolCalls(): readonly CorpusCall[] {
  const rows = JSON.parse(
    readFileSync(join(import.meta.dirname, "tools.json"), "utf8"),
  ) as readonly Row[];
  return rows.map(({ name, inputSchema, arguments: args }) =>
    corpusCall({ name, inputSchema }, args),
  );
}

interface Row extends CorpusTool {
  readonly arguments: CorpusCall["args"];
}
