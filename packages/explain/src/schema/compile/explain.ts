import type { Finding, Severity } from "../../shared/index.ts";
import type { SchemaIndex } from "../document/index.ts";
import { inMeaning } from "../hints/index.ts";
import type { Walk } from "../walk/index.ts";
import { WalkBudgetExceeded, createWalk, walkFrom } from "./create-walk.ts";
import { withHelpfulHints, withMovesUp } from "./helpful-hints.ts";
import { type WalkServices, limitsFor } from "./interpret.ts";
import type { SchemaJudge } from "./judge.ts";

const MAX_FINDINGS = 100;
const LIMITS = {
  maxFindings: MAX_FINDINGS,
  maxEntries: 1_000,
  maxSteps: 50_000,
  maxDepth: 200,
} as const;

/** Explaining on the way takes several times as long as judging. */
const MOST_STEPS = 200_000;

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

/** Finds the faults of a value, within limits that hold for any value and any schema. */
export function explainBySchema(
  index: SchemaIndex,
  value: unknown,
  { judge, ...services }: ExplainServices,
): Explanation {
  const walk = createWalk({
    ...services,
    ...LIMITS,
    index,
    judges: false,
    closedObjects: "schema",
  });
  const found = findingsOfWalk(walk, value);
  if (found === undefined) return { findings: [], atLeast: true };
  const accepts = (other: unknown): boolean => judge?.accepts(other) === true;
  const findings = hinted(walk, value, found.slice(0, MAX_FINDINGS), accepts);
  return { findings, atLeast: found.length >= MAX_FINDINGS };
}

/**
 * Finds the fields of a value that the schema neither declares nor forbids. Those that are errors are looked for in all of
 * the value, and if that would cost too much, it throws.
 */
export function undeclaredBySchema(
  index: SchemaIndex,
  value: unknown,
  services: WalkServices,
  severity: Severity,
): readonly Finding[] {
  const limits =
    severity === "error"
      ? { ...limitsFor(MOST_STEPS, value, services), maxFindings: Infinity }
      : LIMITS;
  const walk = createWalk({
    ...services,
    ...limits,
    index,
    judges: false,
    closedObjects: severity,
  });
  const found =
    severity === "error" ? walkFrom(walk, value).findings : (findingsOfWalk(walk, value) ?? []);
  // A schema that describes a validator may close an object that the validator leaves open.
  const undeclared = found.filter(({ closing, code }) => closing === true || code === "VAL-005");
  return hinted(walk, value, undeclared.slice(0, MAX_FINDINGS), () => false).map((finding) => ({
    ...finding,
    severity,
  }));
}

function hinted(
  walk: Walk,
  value: unknown,
  found: readonly Finding[],
  accepts: (other: unknown) => boolean,
): readonly Finding[] {
  const meant = found.map((finding) => inMeaning(finding, walk.index));
  return withHelpfulHints(
    withMovesUp(meant, value, walk.index.root.schema),
    value,
    (other) => (accepts(other) ? [] : (findingsOfWalk(walk, other) ?? [])),
    (other) => walk.namesOf(other),
  );
}

/** Returns the findings of one walk; undefined if it exceeds its budget. */
function findingsOfWalk(walk: Walk, value: unknown): readonly Finding[] | undefined {
  try {
    return walkFrom(walk, value).findings;
  } catch (error) {
    if (error instanceof WalkBudgetExceeded) return undefined;
    throw error;
  }
}
