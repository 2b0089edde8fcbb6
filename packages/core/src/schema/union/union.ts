import type { SchemaObject } from "../../shared/index.ts";
import {
  type Location,
  type Outcome,
  type Walk,
  addEvaluated,
  passes,
  under,
} from "../walk/index.ts";
import { chooseVariant } from "./choose.ts";
import { type Branch, resolveBranches } from "./branch.ts";

/** `anyOf` and `oneOf`: where no branch fits, only the faults of the one that was meant are told. */
export function checkUnion(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  for (const keyword of ["anyOf", "oneOf"]) {
    const schemas = schema[keyword];
    if (!Array.isArray(schemas) || schemas.length === 0) continue;
    const branches = resolveBranches(walk, location, schemas);
    for (const branch of branches) branch.outcome = walk.visit(under(location, branch.schema));
    const fitting = branches.filter((branch) => passes(branch.outcome));
    for (const branch of fitting) addEvaluated(outcome.evaluated, branch.outcome.evaluated);
    if (fitting.length === 0) {
      const choice = chooseVariant(location, branches);
      outcome.findings.push(...choice.findings);
      if (choice.branch) addEvaluated(outcome.evaluated, choice.branch.outcome.evaluated);
    } else if (keyword === "oneOf" && fitting.length > 1) {
      outcome.findings.push(severalFit(location, fitting));
    } else {
      outcome.findings.push(...fewestFindings(fitting));
    }
  }
}

function severalFit(location: Location, fitting: readonly Branch[]): Outcome["findings"][number] {
  const names = fitting.slice(0, 3).map((branch) => branch.name);
  return {
    code: "VAL-014",
    path: location.path,
    reason: { kind: "several-variants", names },
    expected: { kind: "only-one", names },
    actual: { value: location.value },
  };
}

function fewestFindings(fitting: readonly Branch[]): Outcome["findings"] {
  return fitting
    .map((branch) => branch.outcome.findings)
    .reduce((a, b) => (b.length < a.length ? b : a));
}
