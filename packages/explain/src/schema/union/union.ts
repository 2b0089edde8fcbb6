import type { Finding } from "../../shared/index.ts";
import { acceptsNothing } from "../hints/index.ts";
import {
  type WalkOutcome,
  type SchemaLocation,
  type Visit,
  addEvaluated,
  passes,
  under,
} from "../walk/index.ts";
import { type Branch, readBranches } from "./branch.ts";
import { chooseBranch } from "./choose.ts";

/** Checks `anyOf` and `oneOf`; if no branch fits, reports only the faults of the one that was meant. */
export function checkUnion({ walk, location, schema, outcome }: Visit): void {
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const schemas = schema[keyword];
    if (!Array.isArray(schemas) || schemas.length === 0) continue;
    const outcomes = schemas.map((branch) => walk.visit(under(location, branch)));
    const fitting = outcomes.filter(passes);
    for (const { evaluated } of fitting) addEvaluated(outcome.evaluated, evaluated);
    // Nobody reads which branch was meant: a value is only validated.
    if (walk.maxFindings === 1 && !isSettled(keyword, fitting.length)) {
      outcome.findings.push({ code: "VAL-003", path: location.path });
    } else if (fitting.length === 0) {
      const branches = readBranches(walk, location, schemas, outcomes);
      const choice = chooseBranch(location, possible(branches));
      outcome.findings.push(...choice.findings);
      if (choice.branch) addEvaluated(outcome.evaluated, choice.branch.outcome.evaluated);
    } else if (keyword === "oneOf" && fitting.length > 1) {
      const branches = readBranches(walk, location, schemas, outcomes);
      outcome.findings.push(
        severalFit(
          location,
          branches.filter((branch) => passes(branch.outcome)),
        ),
      );
    } else {
      outcome.findings.push(...fewestFindings(fitting));
    }
  }
}

/** Whether the number of branches that fit is one that the keyword accepts. */
function isSettled(keyword: "anyOf" | "oneOf", fitting: number): boolean {
  return keyword === "anyOf" ? fitting > 0 : fitting === 1;
}

/** Returns the branches that accept any value at all; all of them if none does. */
function possible(branches: readonly Branch[]): readonly Branch[] {
  const open = branches.filter(
    ({ schema, parts }) => !acceptsNothing(schema) && !parts.some(acceptsNothing),
  );
  return open.length > 0 ? open : branches;
}

function severalFit({ path, value }: SchemaLocation, fitting: readonly Branch[]): Finding {
  const names = fitting.slice(0, 3).map((branch) => branch.name);
  return {
    code: "VAL-014",
    path,
    reason: { kind: "several-variants", names },
    expected: { kind: "only-one", names },
    actual: { value },
  };
}

/** Returns the advisories of the branch that has the fewest. */
function fewestFindings(fitting: readonly WalkOutcome[]): readonly Finding[] {
  return fitting.map(({ findings }) => findings).reduce((a, b) => (b.length < a.length ? b : a));
}
