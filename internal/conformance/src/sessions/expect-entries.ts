import { expect } from "vitest";
import type { JsonObject } from "../conformance-case.ts";
import { START } from "./world.ts";

const TRACE = ["agentId", "callPath", "txnId", "parentTxnId", "originTxnId"];

/** The fields of an entry: those that it always has, and those that it may have. */
const FIELDS: Readonly<
  Record<string, { readonly always: readonly string[]; readonly may: readonly string[] }>
> = {
  llm: {
    always: ["latency", "model", "provider", "status", "timestamp", "tokens", "type"],
    may: ["error", "costUsd", "actualProvider", "actualModel", "stopReason", ...TRACE],
  },
  tool: {
    always: [
      "charactersIn",
      "charactersOut",
      "command",
      "latency",
      "mcpServer",
      "status",
      "timestamp",
      "type",
    ],
    may: ["error", "estimatedTokens", "replacementTokens", "source", ...TRACE],
  },
};

/** Expects the entries of a run: a string has what was run and how it ended, an object has every field. */
export function expectEntries(
  entries: readonly object[],
  wanted: readonly (string | JsonObject)[],
): void {
  for (const entry of entries) expectShape(entry as Entry);
  const shown = entries.map((entry, index) => {
    const row = wanted[index];
    if (typeof row === "string" || row === undefined) return lineOf(entry as Entry);
    const { latency, timestamp, ...others } = entry as Entry;
    return {
      ...others,
      ...("latency" in row && { latency }),
      // Rows count from the beginning.
      ...("timestamp" in row && { timestamp: Number(timestamp) - START }),
    };
  });
  expect(shown).toEqual(wanted);
}

type Entry = Readonly<Record<string, unknown>>;

function expectShape(entry: Entry): void {
  const { always, may } = FIELDS[String(entry["type"])] ?? { always: [], may: [] };
  const names = Object.keys(entry);
  expect(names.filter((name) => !may.includes(name)).toSorted()).toEqual(always);
  expect(Object.values(entry)).not.toContain(undefined);
  for (const name of ["latency", "timestamp"]) expect(entry[name]).toBeGreaterThanOrEqual(0);
  expect(entry["error"] !== undefined).toBe(entry["status"] === "failed");
}

function lineOf({ provider, command, status, error }: Entry): string {
  const line = `${String(provider ?? command)} ${String(status)}`;
  return typeof error === "string" ? `${line}: ${error}` : line;
}
