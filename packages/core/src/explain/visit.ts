import { checkArray } from "./check-array.ts";
import { checkComposition } from "./check-composition.ts";
import { checkNumber } from "./check-number.ts";
import { checkObject } from "./check-object.ts";
import { checkReference } from "./check-reference.ts";
import { checkString } from "./check-string.ts";
import { checkType } from "./check-type.ts";
import { checkUnevaluated, closeObject } from "./check-unevaluated.ts";
import { checkUnion } from "./check-union.ts";
import { LEAVE_OUT } from "./list-words.ts";
import { nothingEvaluated } from "./evaluated.ts";
import { isRecord } from "./json-type.ts";
import { refOverrides } from "../schema/dialect.ts";
import type { Location, Outcome, SchemaRecord, Walk } from "./walk.ts";

/** How one group of keywords looks at a value: it adds what it finds to the outcome. */
type Check = (walk: Walk, location: Location, schema: SchemaRecord, outcome: Outcome) => void;

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
export class WalkBudgetExceeded extends Error {
  override readonly name: string = "WalkBudgetExceeded";
}

/** What a walk is made of. */
export type WalkOptions = Omit<Walk, "visit" | "enter"> & {
  readonly maxVisits: number;
  readonly maxDepth: number;
};

/** Sets up a walk; visiting anything throws WalkBudgetExceeded once its budget is spent. */
export function createWalk(options: WalkOptions): Walk {
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

function hasOverridingRef(walk: Walk, schema: SchemaRecord): boolean {
  return refOverrides(walk.index.dialect) && typeof schema["$ref"] === "string";
}

function enterResource(walk: Walk, location: Location, schema: SchemaRecord): Location {
  const base = walk.index.baseOf(schema, location.base);
  if (base === location.base && location.scope.at(-1) === base) return location;
  return { ...location, base, scope: [...location.scope, base] };
}

function forbidden(location: Location): Outcome["findings"][number] {
  const { path, value } = location;
  const named = typeof path.at(-1) === "string";
  return named
    ? { code: "VAL-005", path, expected: "nothing here", hint: LEAVE_OUT }
    : { code: "VAL-003", path, expected: "nothing", actual: { value } };
}
