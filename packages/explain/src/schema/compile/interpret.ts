import { type Finding, isRecord } from "../../shared/index.ts";
import type { SchemaIndex } from "../document/index.ts";
import type { Walk } from "../walk/index.ts";
import { type WalkOptions, createWalk, walkFrom } from "./create-walk.ts";

// Judging must look at everything, so its bound grows with the value: about a second, and some seconds for megabytes.
const MAX_STEPS = 1_000_000;
const STEPS_PER_NODE = 30;
const MAX_DEPTH = 1_000;
const MAX_NODES = 5_000_000;
/** What walking needs besides the schema. */
export type WalkServices = Pick<Walk, "matchesPattern" | "matchesFormat" | "remembers">;

/** Whether a value is valid, found by walking the schema: for schemas and runtimes that code is not generated for. */
export function interpret(index: SchemaIndex, value: unknown, services: WalkServices): boolean {
  return firstFault(index, value, services) === undefined;
}

/** Finds the first fault of a value, of which little more is known than where it is; undefined if the value is valid. */
export function firstFault(
  index: SchemaIndex,
  value: unknown,
  services: WalkServices,
): Finding | undefined {
  const limits = { ...limitsFor(MAX_STEPS, value, services), maxFindings: 1 };
  const walk = createWalk({ ...services, ...limits, index, judges: true, closedObjects: "schema" });
  return walkFrom(walk, value).findings[0];
}

/** The limits of a walk that has to look at all of a value. */
export function limitsFor(
  maxSteps: number,
  value: unknown,
  { remembers }: WalkServices,
): Pick<WalkOptions, "maxEntries" | "maxSteps" | "moreSteps" | "maxDepth"> {
  return {
    maxEntries: Infinity,
    maxSteps,
    // What a walk with a memory keeps has to end somewhere.
    moreSteps: () => maxSteps + (remembers ? 0 : STEPS_PER_NODE * countNodes(value)),
    maxDepth: MAX_DEPTH,
  };
}

function countNodes(root: unknown): number {
  const pending: unknown[] = [root];
  let count = 0;
  for (; pending.length > 0 && count < MAX_NODES; count += 1) {
    const value = pending.pop();
    if (Array.isArray(value)) for (const inner of value) pending.push(inner);
    else if (isRecord(value)) for (const name of Object.keys(value)) pending.push(value[name]);
  }
  return count;
}
