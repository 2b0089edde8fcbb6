import {
  type ClosedObjects,
  type Location,
  type Outcome,
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
  nothingEvaluated,
} from "../walk/index.ts";
import {
  type Finding,
  type PathSegment,
  isRecord,
  withoutHint,
  type SchemaObject,
} from "../../shared/index.ts";
import { type SchemaIndex, refOverrides } from "../document/index.ts";
import { checkUnion } from "../union/index.ts";

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

/** How one group of keywords looks at a value: it adds what it finds to the outcome. */
type Check = (walk: Walk, location: Location, schema: SchemaObject, outcome: Outcome) => void;

// Unevaluated comes last: it asks what all the others looked at.
const CHECKS: readonly Check[] = [
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

/** A walk went on for too long or too deep; what it found until then may still be used. */
class WalkBudgetExceeded extends Error {
  override readonly name: string = "WalkBudgetExceeded";
}

/** What a walk is made of. */
type WalkOptions = Omit<Walk, "visit" | "enter"> & {
  readonly maxVisits: number;
  readonly maxDepth: number;
};

/** Sets up a walk; visiting anything throws WalkBudgetExceeded once its budget is spent. */
function createWalk(options: WalkOptions): Walk {
  let visits = 0;
  const walk: Walk = { ...options, visit, enter };

  function visit(location: Location): Outcome {
    const outcome: Outcome = { findings: [], evaluated: nothingEvaluated(location.value) };
    visits += 1;
    if (visits > options.maxVisits || location.depth > options.maxDepth)
      throw new WalkBudgetExceeded();
    if (location.schema === false) outcome.findings.push(forbidden(location));
    if (!isRecord(location.schema)) return outcome;
    const { schema } = location;
    const here = enterResource(walk, location, schema);
    const checks = hasOverridingRef(walk, schema) ? [checkReference] : CHECKS;
    for (const check of checks) {
      if (outcome.findings.length < walk.maxFindings) check(walk, here, schema, outcome);
      // Of a value of another type, nothing else says anything.
      if (check === checkType && isWrongType(outcome, here)) break;
    }
    return outcome;
  }

  function enter(location: Location): Outcome {
    const outcome = visit(location);
    if (walk.closedObjects !== "schema") closeObject(walk, location, outcome);
    return outcome;
  }

  return walk;
}

function isWrongType({ findings }: Outcome, { path }: Location): boolean {
  return findings.some((found) => found.code === "VAL-002" && found.path.length === path.length);
}

function hasOverridingRef(walk: Walk, schema: SchemaObject): boolean {
  return refOverrides(walk.index.dialect) && typeof schema["$ref"] === "string";
}

function enterResource(walk: Walk, location: Location, schema: SchemaObject): Location {
  const base = walk.index.baseOf(schema, location.base);
  if (base === location.base && location.scope.at(-1) === base) return location;
  return { ...location, base, scope: [...location.scope, base] };
}

function forbidden(location: Location): Outcome["findings"][number] {
  const { path, value } = location;
  const named = typeof path.at(-1) === "string";
  return named
    ? { code: "VAL-005", path, expected: { kind: "absent" }, hint: { kind: "leave-out" } }
    : { code: "VAL-003", path, expected: { kind: "nothing" }, actual: { value } };
}

// Each takes a copy of the containers around it.
const MAX_TRIED = 5;

/** Drops the advice to leave a null out where another part of the schema would then ask for the field. */
function withoutWrongOmissions(
  findings: readonly Finding[],
  value: unknown,
  explainAgain: (value: unknown) => readonly Finding[],
): readonly Finding[] {
  const tried = findings.filter(isOmission).slice(0, MAX_TRIED);
  if (tried.length === 0) return findings;
  const rest = tried.reduce((whole, { path }) => withoutField(whole, path), value);
  const missing = new Set(
    explainAgain(rest)
      .filter(({ code }) => code === "VAL-001" || code === "VAL-014")
      .map(({ path }) => JSON.stringify(path)),
  );
  return findings.map((finding) => {
    const isWrong = isOmission(finding) && missing.has(JSON.stringify(finding.path));
    return isWrong ? withoutHint(finding) : finding;
  });
}

function isOmission({ hint, actual }: Finding): boolean {
  return hint?.kind === "leave-out" && actual?.value === null;
}

function withoutField(value: unknown, [segment, ...rest]: readonly PathSegment[]): unknown {
  if (segment === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === segment ? withoutField(item, rest) : item,
    );
  }
  if (!isRecord(value)) return value;
  const { [segment]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [segment]: withoutField(inner, rest) };
}
