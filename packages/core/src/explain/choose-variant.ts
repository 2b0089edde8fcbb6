import { alternatives, chooseByFit, type Choice } from "./choose-by-fit.ts";
import { chooseByTag } from "./choose-by-tag.ts";
import { allowedValues, hintForValue } from "./check-type.ts";
import { ANYTHING, listValues } from "./describe.ts";
import { isRecord } from "./json-type.ts";
import type { Branch } from "./branch.ts";
import type { Finding, Location } from "./walk.ts";

/** Finds the branch that the model meant: by type, by tag, else by the fewest and deepest faults. */
export function chooseVariant(location: Location, branches: readonly Branch[]): Choice {
  const isRefused = (code: Finding["code"]) => (branch: Branch) =>
    branch.outcome.findings.some((found) => isHere(found, location, code));
  const others = branches.filter(isRefused("VAL-002"));
  const candidates = branches.filter((branch) => !others.includes(branch));
  if (candidates.length === 0) return { findings: [wrongType(location, branches)] };
  if (candidates.every(isRefused("VAL-008"))) {
    return { findings: [wrongValue(location, candidates, others)] };
  }
  const [only] = candidates;
  if (only && candidates.length === 1) return { findings: only.outcome.findings, branch: only };
  if (!isRecord(location.value)) return { findings: [noneFits(location, candidates)] };
  return (
    chooseByTag(location, candidates, location.value) ??
    chooseByFit(location, candidates, location.value)
  );
}

function isHere(finding: Finding, location: Location, code: Finding["code"]): boolean {
  return finding.code === code && finding.path.length === location.path.length;
}

function wrongType(location: Location, branches: readonly Branch[]): Finding {
  const findings = branches.flatMap((branch) =>
    branch.outcome.findings.filter((found) => isHere(found, location, "VAL-002")),
  );
  // Where an object or a list may stand, a scalar in quotes is hardly what was meant.
  const isScalar = !findings.some((finding) => /^(?:object|array)/.test(finding.expected ?? ""));
  const hinted = findings.filter(
    ({ hint }) => hint !== undefined && (isScalar || !hint.startsWith("use ")),
  );
  // Two ways to mend it are no certain one.
  const [only] = new Set(hinted.map(({ hint }) => hint)).size === 1 ? hinted : [];
  return {
    code: "VAL-002",
    path: location.path,
    expected: alternatives(findings.map((finding) => finding.expected ?? ANYTHING)),
    actual: { value: location.value },
    sensitive: findings.some((finding) => finding.sensitive === true),
    ...(only?.hint !== undefined && { hint: only.hint, hintEchoes: only.hintEchoes === true }),
    ...(only?.nested && { nested: only.nested }),
  };
}

/** Several lists of values read as one; branches of another type stand beside it. */
function wrongValue(
  location: Location,
  branches: readonly Branch[],
  others: readonly Branch[],
): Finding {
  const allowed = branches.flatMap((branch) =>
    branch.parts.flatMap((part) => allowedValues(part) ?? []),
  );
  const { value, path } = location;
  const types = others.flatMap((branch) =>
    branch.outcome.findings.map(({ expected }) => expected ?? ANYTHING),
  );
  return {
    code: "VAL-008",
    path,
    expected: alternatives([listValues(allowed), ...types]),
    actual: { value },
    sensitive: branches.some((branch) => branch.outcome.findings.some((found) => found.sensitive)),
    ...hintForValue(allowed, value),
  };
}

function noneFits(location: Location, branches: readonly Branch[]): Finding {
  const findings = branches.flatMap((branch) => branch.outcome.findings.slice(0, 1));
  const [first] = findings;
  const agree =
    first !== undefined &&
    findings.every((found) => found.code === first.code && found.path.length === first.path.length);
  return {
    code: agree ? first.code : "VAL-013",
    path: location.path,
    expected: alternatives(findings.map((finding) => finding.expected ?? ANYTHING)),
    actual: { value: location.value },
    sensitive: findings.some((finding) => finding.sensitive === true),
  };
}
