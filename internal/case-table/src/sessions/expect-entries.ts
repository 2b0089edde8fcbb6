import type { JsonObject } from "../conformance-case.ts";
import type { Expect } from "../expect.ts";
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

/**
 * Expects the entries of a run: a string has what was run and how it ended, an object has every field. Tools that run at
 * the same time end in any order.
 */
export function expectEntries(
  expect: Expect,
  entries: readonly object[],
  wanted: readonly (string | JsonObject)[],
): void {
  for (const entry of entries) expectShape(expect, entry as Entry);
  const rows = inOrder(wanted as readonly (string | Entry)[]);
  const shown = inOrder(entries as readonly Entry[]).map((entry, index) => {
    const row = rows[index];
    if (typeof row !== "object") return lineOf(entry);
    const { latency, timestamp, ...others } = entry;
    return {
      ...others,
      ...("latency" in row && { latency }),
      // Rows count from the beginning.
      ...("timestamp" in row && { timestamp: Number(timestamp) - START }),
    };
  });
  expect(shown).toEqual(rows);
}

/** The entries, with those of tools between two requests in the order of their lines. */
function inOrder<T extends string | Entry>(entries: readonly T[]): readonly T[] {
  const ordered: T[] = [];
  let tools: T[] = [];
  const flush = (): void => {
    ordered.push(...tools.toSorted((a, b) => (lineOf(a) < lineOf(b) ? -1 : 1)));
    tools = [];
  };
  for (const entry of entries) {
    if (!isRequest(entry)) tools.push(entry);
    else {
      flush();
      ordered.push(entry);
    }
  }
  flush();
  return ordered;
}

/** Targets of the table are named `pa`, `pb`, …; no tool is. */
function isRequest(entry: string | Entry): boolean {
  return /^p[a-z] /.test(lineOf(entry));
}

type Entry = Readonly<Record<string, unknown>>;

function expectShape(expect: Expect, entry: Entry): void {
  const { always, may } = FIELDS[String(entry["type"])] ?? { always: [], may: [] };
  const names = Object.keys(entry);
  expect(names.filter((name) => !may.includes(name)).toSorted()).toEqual(always);
  expect(Object.values(entry).includes(undefined)).toBe(false);
  for (const name of ["latency", "timestamp"]) expect(Number(entry[name]) >= 0).toBe(true);
  expect(entry["error"] !== undefined).toBe(entry["status"] === "failed");
}

function lineOf(entry: string | Entry): string {
  if (typeof entry === "string") return entry;
  const { provider, command, status, error } = entry;
  const line = `${String(provider ?? command)} ${String(status)}`;
  return typeof error === "string" ? `${line}: ${error}` : line;
}
