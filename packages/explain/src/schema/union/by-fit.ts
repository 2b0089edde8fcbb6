import { type Finding, isRecord } from "../../shared/index.ts";
import type { Fields, SchemaLocation } from "../walk/index.ts";
import type { TriedBranch } from "./branch.ts";
import { type Choice, chosenBranch } from "./choice.ts";
import { tied } from "./tied.ts";

/** A known field favours a branch almost as much as a missing one counts against it. */
const KNOWN_FIELD = 2;

/** Chooses the branch with the fewest and deepest faults; if several are equal, reports what each asks for. */
export function chooseByFit(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  value: Fields,
): Choice {
  const ranked = branches.map((branch) => {
    const known = fitNames(branch, value);
    const misfit = branchCost(branch, location) - KNOWN_FIELD * known.length;
    return { branch, known, misfit, evidence: evidenceOf(branch, known, location) };
  });
  // If no field favours any branch, none is a better guess than the others.
  const isOpen = ranked.every(({ known, branch }) => known.length === 0 && !hasMisspelt(branch));
  const least = Math.min(...ranked.map(({ misfit }) => misfit));
  const closest = ranked.filter(({ misfit }) => isOpen || misfit === least);
  // That one branch asks for less does not make it the one that was meant.
  const alike = new Set(closest.map(({ evidence }) => evidence));
  const best = ranked
    .filter((one) => isOpen || one.misfit === least || alike.has(one.evidence))
    .map(({ branch }) => branch);
  const [chosen] = best;
  return chosen && best.length === 1
    ? chosenBranch(chosen)
    : { findings: tied(location, best, value) };
}

/** What a value says for and against a branch, but for the fields that are missing. */
function evidenceOf(
  { outcome }: TriedBranch,
  known: readonly string[],
  location: SchemaLocation,
): string {
  const against = outcome.findings
    .filter(
      ({ code, path, misnamedAs, nestedUnder, closing }) =>
        closing !== true &&
        (code !== "VAL-001" ||
          path.length > location.place.level + 1 ||
          misnamedAs !== undefined ||
          nestedUnder !== undefined),
    )
    .map(({ code, path }) => [code, path]);
  return JSON.stringify([known, against]);
}

/** The fields of a value that a branch knows. */
function fitNames({ outcome, parts }: TriedBranch, value: Fields): readonly string[] {
  const { declared, fields } = outcome.evaluated;
  // A map knows every field.
  const isMap = parts.some(
    ({ additionalProperties: values }) => isRecord(values) && Object.keys(values).length > 0,
  );
  return Object.keys(value).filter((name) => isMap || declared.has(name) || fields.has(name));
}

function branchCost({ outcome }: TriedBranch, location: SchemaLocation): number {
  return outcome.findings.reduce((sum, finding) => sum + weightOf(finding, location), 0);
}

function weightOf(finding: Finding, location: SchemaLocation): number {
  const depth = finding.path.length - location.place.level;
  if (finding.closing === true) return 0;
  if (depth > 1 || isSlipFinding(finding)) return 1;
  if (finding.code === "VAL-008") return 4;
  return finding.code === "VAL-001" || finding.code === "VAL-005" ? 3 : 2;
}

/** Whether a finding is a misspelt key or has a literal fix: hardly a sign that another branch was meant. */
function isSlipFinding({ code, hint, misnamedAs, renameTo }: Finding): boolean {
  if (code === "VAL-005") return renameTo !== undefined;
  return misnamedAs !== undefined || hint !== undefined;
}

function hasMisspelt({ outcome }: TriedBranch): boolean {
  return outcome.findings.some(({ misnamedAs, renameTo }) => misnamedAs ?? renameTo);
}
