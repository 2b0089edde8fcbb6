import {
  type Finding,
  type Identify,
  type SchemaObject,
  createIdentities,
  isRecord,
} from "../../shared/index.ts";
import { type SchemaIndex, refOverrides } from "../document/index.ts";
import { acceptsNothing, hintForNeedless } from "../hints/index.ts";
import { checkUnion } from "../union/index.ts";
import {
  type Evaluated,
  type SchemaLocation,
  type Visit,
  type Walk,
  type WalkOutcome,
  addOwnWords,
  checkArray,
  checkComposition,
  checkNumber,
  checkObject,
  checkReference,
  checkString,
  checkType,
  checkUnevaluated,
  closeObject,
  createMemory,
  createNames,
  noteMistyped,
  nothingEvaluated,
  pathOfPlace,
  reportFinding,
  rootPlace,
} from "../walk/index.ts";

/** How many faults, or names of fields, may be handed on for the price of a step. */
const FAULTS_PER_STEP = 4;
const NAMES_PER_STEP = 16;

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

/** How a walk goes, and how far. */
export interface WalkOptions extends Omit<
  Walk,
  "visit" | "enter" | "namesOf" | "identify" | "tracks"
> {
  readonly maxSteps: number;
  /** The limit of a walk that takes more steps, which is found only then. */
  readonly moreSteps?: () => number;
  readonly maxDepth: number;
}

/** Thrown when a walk takes too many steps or gets too deep. */
export class WalkBudgetExceeded extends Error {
  override readonly name: string = "WalkBudgetExceeded";
  readonly spent: "steps" | "depth";

  constructor(spent: "steps" | "depth") {
    super(spent === "steps" ? "too many steps" : "too deep");
    this.spent = spent;
  }
}

/** Creates a walk whose steps, and all that it keeps, are bounded. */
export function createWalk(options: WalkOptions): Walk {
  const { index, judges } = options;
  let { maxSteps, moreSteps } = options;
  let steps = 0;
  let identities: Identify | undefined;
  const memory = options.remembers ? createMemory() : undefined;
  const tracks = !judges || index.uses("unevaluatedProperties") || index.uses("unevaluatedItems");
  const walk: Walk = {
    ...options,
    tracks,
    namesOf: createNames(),
    identify: (container) => (identities ??= createIdentities())(container),
    visit,
    enter,
  };

  function spend(more: number): void {
    steps += more;
    if (steps <= maxSteps) return;
    maxSteps = moreSteps?.() ?? maxSteps;
    moreSteps = undefined;
    if (steps > maxSteps) throw new WalkBudgetExceeded("steps");
  }

  function visit(location: SchemaLocation): WalkOutcome {
    spend(1);
    if (location.depth > options.maxDepth) throw new WalkBudgetExceeded("depth");
    if (memory === undefined || !index.isShared(location.schema)) return check(location);
    return memory.once(location, check) ?? nothingFound(location);
  }

  function nothingFound({ value }: SchemaLocation): WalkOutcome {
    return { findings: [], evaluated: nothingEvaluated(value, tracks) };
  }

  function check(location: SchemaLocation): WalkOutcome {
    const outcome = nothingFound(location);
    const { schema } = location;
    if (acceptsNothing(schema)) {
      forbid({ walk, location, outcome });
      return outcome;
    }
    if (!isRecord(schema)) return outcome;
    const here = { walk, location: inResource(index, location, schema), schema, outcome };
    const isOverridden = typeof schema["$ref"] === "string" && refOverrides(index.dialect);
    for (const checkKeywords of isOverridden ? [checkReference] : CHECKS) {
      if (outcome.findings.length < walk.maxFindings) checkKeywords(here);
      // Nothing else is worth saying of a value of the wrong type.
      if (checkKeywords === checkType && !judges && hasWrongType(here)) break;
    }
    // Only explanations are shown to anybody.
    if (!judges && outcome.findings.length > 0) {
      noteMistyped(here);
      addOwnWords(here);
    }
    bound(outcome);
    return outcome;
  }

  /** What is found at a place is handed on from there, so it counts as often. */
  function bound({ findings, evaluated }: WalkOutcome): void {
    if (findings.length > walk.maxFindings) findings.length = walk.maxFindings;
    if (!tracks) return;
    const noted = countEvaluated(evaluated);
    spend(judges ? noted : Math.floor(findings.length / FAULTS_PER_STEP + noted / NAMES_PER_STEP));
  }

  function enter(location: SchemaLocation): WalkOutcome {
    const outcome = visit(location);
    if (walk.closedObjects === "schema") return outcome;
    // A walk with a memory keeps the other one.
    const closed = { ...outcome, findings: [...outcome.findings] };
    closeObject(walk, location, closed);
    return closed;
  }

  return walk;
}

/** Walks a value from its root. */
export function walkFrom(walk: Walk, value: unknown): WalkOutcome {
  const { schema, base } = walk.index.root;
  const place = rootPlace(value, walk.remembers);
  return walk.enter({ schema, base, scope: [], place, value, optional: false, depth: 0 });
}

function countEvaluated({ fields, items, declared, mentioned }: Evaluated): number {
  return fields.size + items.size + declared.size + (mentioned?.size ?? 0);
}

function forbid(visit: Omit<Visit, "schema">): void {
  const { location } = visit;
  const isField = typeof location.place.segment === "string";
  reportFinding(visit, isField ? "VAL-005" : "VAL-003", (): Finding => {
    const path = pathOfPlace(location);
    return isField
      ? {
          code: "VAL-005",
          path,
          expected: { kind: "absent" },
          ...hintForNeedless(location.place.segment, location.value),
        }
      : { code: "VAL-003", path, expected: { kind: "nothing" }, actual: { value: location.value } };
  });
}

/** Applies the schema's own identifier to its location. */
function inResource(
  index: SchemaIndex,
  location: SchemaLocation,
  schema: SchemaObject,
): SchemaLocation {
  const base = index.baseOf(schema, location.base);
  const { scope } = location;
  // Only the outermost resource of each name is looked for.
  const isKnown =
    scope.includes(base) || !(index.uses("$dynamicRef") || index.uses("$recursiveRef"));
  if (base === location.base && isKnown) return location;
  return { ...location, base, scope: isKnown ? scope : [...scope, base] };
}

function hasWrongType({ outcome, location }: Visit): boolean {
  const { level } = location.place;
  return outcome.findings.some(({ code, path }) => code === "VAL-002" && path.length === level);
}
