import type { Finding } from "../../shared/index.ts";
import { acceptsNothing } from "../hints/index.ts";
import {
  type SchemaLocation,
  type Visit,
  type WalkOutcome,
  addEvaluated,
  passes,
  pathOfPlace,
  reportFinding,
  under,
} from "../walk/index.ts";
import { type Branch, type TriedBranch, readBranches } from "./branch.ts";
import { chooseBranch } from "./choose.ts";
import { withoutRuledOut } from "./ruled-out.ts";

type Keyword = "anyOf" | "oneOf";

/** Checks `anyOf` and `oneOf`; if no branch fits, reports only the faults of the one that was meant. */
export function checkUnion(visit: Visit): void {
  const { walk, location, schema, outcome } = visit;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const schemas = schema[keyword];
    if (!Array.isArray(schemas) || schemas.length === 0) continue;
    const branches = readBranches(walk.index, schemas, location.base);
    const likely = withoutRuledOut(branches, location.value);
    const tried = tryBranches(visit, likely, keyword);
    const fitting = tried.filter((branch) => passes(branch.outcome));
    if (walk.tracks)
      for (const branch of fitting) addEvaluated(outcome.evaluated, branch.outcome.evaluated);
    if (isSettled(keyword, fitting.length)) {
      outcome.findings.push(...fewestFindings(fitting));
      continue;
    }
    reportFinding(visit, "VAL-013", () => {
      if (fitting.length > 0) return severalFit(location, fitting);
      // What was meant may be one of the others: its tag may be what is wrong.
      const known = new Set(likely);
      const others = branches.filter((branch) => !known.has(branch));
      const all = [...tried, ...tryBranches(visit, others, keyword)].toSorted(
        (a, b) => a.position - b.position,
      );
      const choice = chooseBranch(location, possible(all));
      // If none was chosen, a field that any of them declares is not an unknown one.
      if (walk.tracks)
        for (const branch of choice.branch ? [choice.branch] : all)
          addEvaluated(outcome.evaluated, branch.outcome.evaluated);
      return choice.findings;
    });
  }
}

/** Tries branches; where only the verdict counts, no more of them than decide it. */
function tryBranches(
  { walk, location }: Visit,
  branches: readonly Branch[],
  keyword: Keyword,
): readonly TriedBranch[] {
  const enough = walk.tracks ? Infinity : keyword === "anyOf" ? 1 : 2;
  const tried: TriedBranch[] = [];
  let fitting = 0;
  for (const branch of branches) {
    const outcome = walk.visit(under(location, branch.schema));
    const fits = passes(outcome);
    if (fits) fitting += 1;
    if (fits || !walk.judges) tried.push({ ...branch, outcome });
    if (fitting >= enough) break;
  }
  return tried;
}

/** Whether the number of branches that fit is one that the keyword accepts. */
function isSettled(keyword: Keyword, fitting: number): boolean {
  return keyword === "anyOf" ? fitting > 0 : fitting === 1;
}

/** Returns the branches that accept any value at all; all of them if none does. */
function possible(branches: readonly TriedBranch[]): readonly TriedBranch[] {
  const open = branches.filter(
    ({ schema, parts }) => !acceptsNothing(schema) && !parts.some(acceptsNothing),
  );
  return open.length > 0 ? open : branches;
}

function severalFit(location: SchemaLocation, fitting: readonly Branch[]): Finding {
  const few = fitting.slice(0, 3);
  const names = few.map((branch) => branch.name);
  // A number says nothing of a variant.
  if (few.some((branch) => branch.isNumbered))
    return {
      code: "VAL-014",
      path: pathOfPlace(location),
      reason: { kind: "several-variants", names: [] },
      expected: { kind: "exactly-one", of: few.map((branch) => branch.expects()) },
      actual: { value: location.value },
    };
  return {
    code: "VAL-014",
    path: pathOfPlace(location),
    reason: { kind: "several-variants", names },
    expected: { kind: "only-one", names },
    actual: { value: location.value },
  };
}

/** Returns the advisories of the branch that has the fewest. */
function fewestFindings(fitting: readonly TriedBranch[]): WalkOutcome["findings"] {
  return fitting
    .map(({ outcome }) => outcome.findings)
    .reduce((a, b) => (b.length < a.length ? b : a));
}
