import { isRecord } from "./json-type.ts";
import { alternatives, plainName } from "./list-words.ts";
import type { Branch } from "./branch.ts";
import type { Location } from "./walk.ts";
import type { Finding } from "../fault.ts";

/** The faults to tell of a union that nothing fits, and the branch they belong to, if one was meant. */
export interface Choice {
  readonly findings: readonly Finding[];
  readonly branch?: Branch;
}

// A field that a branch knows speaks for it almost as much as a missing one speaks against it.
const KNOWN_FIELD = 2;

/** The branch with the fewest and deepest faults; where several are equal, what they ask for instead. */
export function chooseByFit(
  location: Location,
  branches: readonly Branch[],
  value: Readonly<Record<string, unknown>>,
): Choice {
  const ranked = branches.map((branch) => {
    const hits = hitsOf(branch, value);
    return { branch, hits, misfit: costOf(branch, location) - KNOWN_FIELD * hits };
  });
  // Where no field speaks for any of them, the one that asks for least is no better guess than the others.
  const isOpen = ranked.every(({ hits, branch }) => hits === 0 && !hasMisspelt(branch));
  const least = isOpen ? Infinity : Math.min(...ranked.map(({ misfit }) => misfit));
  const best = ranked
    .filter(({ misfit }) => isOpen || misfit === least)
    .map(({ branch }) => branch);
  const [chosen] = best;
  if (chosen && best.length === 1)
    return { findings: named(chosen.outcome.findings, chosen), branch: chosen };
  return { findings: tied(location, best) };
}

/** Puts the branch's name on the first of its findings, where no inner union has put one. */
export function named(findings: readonly Finding[], branch: Branch): readonly Finding[] {
  return findings.map((finding, position) =>
    position === 0 && finding.variant === undefined
      ? { ...finding, variant: `${branch.name} variant` }
      : finding,
  );
}

function costOf(branch: Branch, location: Location): number {
  return branch.outcome.findings.reduce((sum, finding) => sum + weightOf(finding, location), 0);
}

function weightOf(finding: Finding, location: Location): number {
  const depth = finding.path.length - location.path.length;
  if (finding.closing === true) return 0;
  if (depth > 1 || showsWhatWasMeant(finding)) return 1;
  if (finding.code === "VAL-008") return 4;
  return finding.code === "VAL-001" || finding.code === "VAL-005" ? 3 : 2;
}

/** A misspelt key or a value with a literal fix is a slip within the branch, hardly a sign of another one. */
function showsWhatWasMeant({ code, hint, misnamedAs, renameTo }: Finding): boolean {
  if (code === "VAL-005") return renameTo !== undefined;
  return misnamedAs !== undefined || hint !== undefined;
}

function hasMisspelt({ outcome }: Branch): boolean {
  return outcome.findings.some(({ misnamedAs, renameTo }) => misnamedAs ?? renameTo);
}

function hitsOf(branch: Branch, value: Readonly<Record<string, unknown>>): number {
  const { declared, fields } = branch.outcome.evaluated;
  // An object of any fields knows all of them.
  const isMap = branch.parts.some(
    ({ additionalProperties: values }) => isRecord(values) && Object.keys(values).length > 0,
  );
  return Object.keys(value).filter((name) => isMap || declared.has(name) || fields.has(name))
    .length;
}

function tied(location: Location, branches: readonly Branch[]): readonly Finding[] {
  const all = branches.map((branch) => branch.outcome.findings);
  const shared = (all[0] ?? []).filter((finding) =>
    all.every((list) => list.some((other) => same(finding, other))),
  );
  const own = all.map((list) =>
    list.filter((finding) => !shared.some((other) => same(finding, other))),
  );
  if (own.some((list) => list.length === 0)) return shared;
  const wanted = own.map((list, position) => {
    return isMissing(list)
      ? list.map((finding) => plainName(String(finding.path.at(-1)))).join(" with ")
      : (branches[position]?.name ?? "");
  });
  return [
    ...shared,
    {
      code: "VAL-013",
      path: location.path,
      expected: alternatives(wanted),
      actual: { value: location.value },
      wanted: own.filter(isMissing).map((list) => list.map(({ path }) => String(path.at(-1)))),
    },
  ];
}

function isMissing(findings: readonly Finding[]): boolean {
  return findings.every(({ code }) => code === "VAL-001");
}

function same(a: Finding, b: Finding): boolean {
  return a.code === b.code && a.expected === b.expected && a.path.join("/") === b.path.join("/");
}
