import { type Finding, type SchemaObject, isRecord } from "../../shared/index.ts";
import { type SchemaIndex, refOverrides } from "../document/index.ts";
import { acceptsNothing } from "../hints/index.ts";
import { checkUnion } from "../union/index.ts";
import {
  type ClosedObjects,
  type WalkOutcome,
  type SchemaLocation,
  type Visit,
  type Walk,
  checkArray,
  checkComposition,
  checkNumber,
  checkObject,
  checkReference,
  checkString,
  checkType,
  checkUnevaluated,
  closeObject,
  createNames,
  noteMistyped,
  nothingEvaluated,
} from "../walk/index.ts";
import { withHelpfulHints, withMovesUp } from "./helpful-hints.ts";
import type { SchemaJudge } from "./judge.ts";

const MAX_FINDINGS = 100;
const MAX_ENTRIES = 1_000;
const MAX_VISITS = 50_000;
const MAX_DEPTH = 200;

// Validating must look at everything, so its bound grows with the value; a recursive union could go on forever.
const VALIDATION_VISITS = 300_000;
const VALIDATION_VISITS_PER_NODE = 30;
const MAX_VALIDATION_DEPTH = 1_000;
const MAX_NODES = 5_000_000;

// Unevaluated comes last: it needs what all the others have evaluated.
const CHECKS: readonly ((visit: Visit) => void)[] = [
  checkReference,
  checkType,
  checkNumber,
  checkString,
  checkArray,
  checkObject,
  checkComposition,
  checkUnion,
  checkUnevaluated,
];

/** What walking needs besides the schema. */
export type WalkServices = Pick<Walk, "matchesPattern" | "matchesFormat">;

/** What explaining needs besides the schema. */
interface ExplainServices extends WalkServices {
  /** Decides first whether a value is valid; without it, a walk does. */
  readonly judge?: SchemaJudge | undefined;
}

/** The faults that a schema finds in a value. */
export interface Explanation {
  readonly findings: readonly Finding[];
  /** True if the search stopped early, so there may be more. */
  readonly atLeast: boolean;
}

type WalkOptions = Omit<Walk, "visit" | "enter" | "namesOf"> & {
  readonly maxVisits: number;
  /** More visits than these, counted only for a walk that needs them. */
  readonly moreVisits?: () => number;
  readonly maxDepth: number;
};

/** Thrown when a walk takes too many steps or gets too deep. */
class WalkBudgetExceeded extends Error {
  override readonly name: string = "WalkBudgetExceeded";
}

/** Finds the faults of a value, within limits that hold for any value and any schema. */
export function explainBySchema(
  index: SchemaIndex,
  value: unknown,
  { judge, ...services }: ExplainServices,
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
  const found = findingsOfWalk(walk, value);
  if (found === undefined) return { findings: [], atLeast: true };
  const findings = withHelpfulHints(
    withMovesUp(found.slice(0, MAX_FINDINGS), value, index.root.schema),
    value,
    (other) => (judge?.accepts(other) === true ? [] : (findingsOfWalk(walk, other) ?? [])),
    (other) => walk.namesOf(other),
  );
  return { findings, atLeast: found.length >= MAX_FINDINGS };
}

/** Whether a value is valid, found by walking the schema: for runtimes that forbid code generation. */
export function interpret(index: SchemaIndex, value: unknown, services: WalkServices): boolean {
  const walk = createWalk({
    ...services,
    index,
    closedObjects: "schema",
    maxFindings: 1,
    maxEntries: Infinity,
    maxVisits: VALIDATION_VISITS,
    moreVisits: () => VALIDATION_VISITS_PER_NODE * countNodes(value),
    maxDepth: MAX_VALIDATION_DEPTH,
  });
  return walk.visit(rootOf(index, value)).findings.length === 0;
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

/** Returns the findings of one walk; undefined if it exceeds its budget. */
function findingsOfWalk(walk: Walk, value: unknown): readonly Finding[] | undefined {
  try {
    return walk.enter(rootOf(walk.index, value)).findings;
  } catch (error) {
    if (error instanceof WalkBudgetExceeded) return undefined;
    throw error;
  }
}

function rootOf(index: SchemaIndex, value: unknown): SchemaLocation {
  const { schema, base } = index.root;
  return { schema, base, scope: [], path: [], value, optional: false, depth: 0 };
}

function createWalk(options: WalkOptions): Walk {
  let visits = 0;
  let { maxVisits, moreVisits } = options;
  const walk: Walk = { ...options, namesOf: createNames(), visit, enter };

  function visit(location: SchemaLocation): WalkOutcome {
    const outcome: WalkOutcome = { findings: [], evaluated: nothingEvaluated(location.value) };
    visits += 1;
    if (visits > maxVisits && moreVisits !== undefined) {
      maxVisits += moreVisits();
      moreVisits = undefined;
    }
    if (visits > maxVisits || location.depth > options.maxDepth) throw new WalkBudgetExceeded();
    const { schema } = location;
    if (acceptsNothing(schema)) {
      outcome.findings.push(forbidden(location));
      return outcome;
    }
    if (!isRecord(schema)) return outcome;
    const here = { walk, location: inResource(walk, location, schema), schema, outcome };
    const isOverridden = typeof schema["$ref"] === "string" && refOverrides(walk.index.dialect);
    for (const check of isOverridden ? [checkReference] : CHECKS) {
      if (outcome.findings.length < walk.maxFindings) check(here);
      // Nothing else is worth saying of a value of the wrong type.
      if (check === checkType && hasWrongType(here)) break;
    }
    // Only explanations are shown to anybody.
    if (walk.maxFindings > 1 && outcome.findings.length > 0) noteMistyped(here);
    return outcome;
  }

  function enter(location: SchemaLocation): WalkOutcome {
    const outcome = visit(location);
    if (walk.closedObjects !== "schema") closeObject(walk, location, outcome);
    return outcome;
  }

  return walk;
}

function forbidden({ path, value }: SchemaLocation): Finding {
  return typeof path.at(-1) === "string"
    ? { code: "VAL-005", path, expected: { kind: "absent" }, hint: { kind: "leave-out" } }
    : { code: "VAL-003", path, expected: { kind: "nothing" }, actual: { value } };
}

/** Applies the schema's own identifier to its location. */
function inResource(
  { index }: Walk,
  location: SchemaLocation,
  schema: SchemaObject,
): SchemaLocation {
  const base = index.baseOf(schema, location.base);
  if (base === location.base && location.scope.at(-1) === base) return location;
  return { ...location, base, scope: [...location.scope, base] };
}

function hasWrongType({ outcome, location }: Visit): boolean {
  const { length } = location.path;
  return outcome.findings.some(({ code, path }) => code === "VAL-002" && path.length === length);
}
