import { withoutWrongOmissions } from "./omissions.ts";
import { createWalk, WalkBudgetExceeded } from "./visit.ts";
import type { ClosedObjects, Walk } from "./walk.ts";
import type { Finding } from "../fault.ts";
import type { SchemaIndex } from "../schema/schema-index.ts";

const MAX_FINDINGS = 100;
const MAX_ENTRIES = 1_000;
const MAX_VISITS = 50_000;
const MAX_DEPTH = 200;
// Judging must look at everything, so its bound grows with the value; a recursive union could visit it without end.
const JUDGE_VISITS = 300_000;
const JUDGE_VISITS_PER_NODE = 30;
const MAX_NODES = 5_000_000;
const MAX_JUDGE_DEPTH = 1_000;

/** What explaining needs beside the schema. */
export type ExplainServices = Pick<Walk, "matchesPattern" | "matchesFormat">;

/** All that a schema has to say against a value. */
export interface Explanation {
  readonly findings: readonly Finding[];
  /** True where looking stopped early, so that there may be more. */
  readonly atLeast: boolean;
}

/** Finds the faults of a value, within bounds that no value and no schema can stretch. */
export function explain(
  index: SchemaIndex,
  value: unknown,
  services: ExplainServices,
  closedObjects: ClosedObjects = "schema",
): Explanation {
  const walk = createWalk({
    ...services,
    index,
    closedObjects,
    maxFindings: MAX_FINDINGS,
    maxEntries: MAX_ENTRIES,
    maxVisits: MAX_VISITS,
    maxDepth: MAX_DEPTH,
  });
  const found = findingsOf(walk, index, value);
  if (found === undefined) return { findings: [], atLeast: true };
  const findings = withoutWrongOmissions(
    found.slice(0, MAX_FINDINGS),
    value,
    (other) => findingsOf(walk, index, other) ?? [],
  );
  return { findings, atLeast: found.length >= MAX_FINDINGS };
}

/** The findings of one walk; undefined where it went on for too long. */
function findingsOf(
  walk: Walk,
  index: SchemaIndex,
  value: unknown,
): readonly Finding[] | undefined {
  try {
    return walk.enter(rootOf(index, value)).findings;
  } catch (error) {
    if (error instanceof WalkBudgetExceeded) return undefined;
    throw error;
  }
}

/** Judges a value by walking the schema, for runtimes that forbid code generation. */
export function interpret(index: SchemaIndex, value: unknown, services: ExplainServices): boolean {
  const walk = createWalk({
    ...services,
    index,
    closedObjects: "schema",
    maxFindings: 1,
    maxEntries: Infinity,
    maxVisits: JUDGE_VISITS + JUDGE_VISITS_PER_NODE * countNodes(value),
    maxDepth: MAX_JUDGE_DEPTH,
  });
  return walk.visit(rootOf(index, value)).findings.length === 0;
}

function countNodes(root: unknown): number {
  const pending: unknown[] = [root];
  let count = 0;
  for (; pending.length > 0 && count < MAX_NODES; count += 1) {
    const value = pending.pop();
    if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value)) pending.push(inner);
  }
  return count;
}

function rootOf(index: SchemaIndex, value: unknown): Parameters<Walk["visit"]>[0] {
  const { schema, base } = index.root;
  return { schema, base, scope: [], path: [], value, optional: false, depth: 0 };
}
