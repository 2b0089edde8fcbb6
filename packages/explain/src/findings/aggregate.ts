import {
  type Expectation,
  type Finding,
  type Hint,
  SEVERITIES,
  comparePaths,
  compareText,
  withoutHint,
} from "../shared/index.ts";
import { valueRank } from "../words/index.ts";

/**
 * Merges and sorts findings: one for each place, by severity and then by path. A misspelt key absorbs the missing
 * field it was meant to be.
 */
export function aggregate(findings: readonly Finding[]): readonly Finding[] {
  const kept = absorbRenamed(absorbHeld(withoutDoubtful(findings)));
  if (kept.length < 2) return kept;
  const merged = new Map<string, Finding>();
  for (const finding of kept) {
    const key = mergeKey(finding);
    const earlier = merged.get(key);
    merged.set(key, earlier ? joinFindings(earlier, finding) : finding);
  }
  return [...merged.values()].toSorted(
    (a, b) =>
      severityOf(a) - severityOf(b) || comparePaths(a.path, b.path) || compareText(a.code, b.code),
  );
}

/** However alike they are, no more than these are named. */
const MAX_NAMED = 50;

/** Returns the findings that fit into this many bullets: those that read alike share one. */
export function findingsWithin(findings: readonly Finding[], bullets: number): readonly Finding[] {
  if (findings.length <= bullets) return findings;
  const keys = findings.map(
    ({ code, message, reason, expected, hint, own, severity, note, actual }) =>
      actual?.value === null && hint?.kind === "leave-out"
        ? `${code} ${severity ?? "error"} null`
        : JSON.stringify([code, message, reason, expected, hint, own, severity, hint ? "" : note]),
  );
  const kept = new Set([...new Set(keys)].slice(0, bullets));
  return findings
    .filter((_, index) => kept.has(keys[index] ?? ""))
    .slice(0, Math.max(bullets, MAX_NAMED));
}

/** Merges two faults of one place: the one with priority, with what both expect. */
function joinFindings(a: Finding, b: Finding): Finding {
  // If the name itself is wrong, the value does not matter yet.
  const named = [a, b].find(({ expected }) => expected?.kind === "field-names");
  if (named) return named;
  const [first, second] = rankOf(b) < rankOf(a) ? [b, a] : [a, b];
  const variant = first.variant ?? second.variant;
  const expected = bothExpected(first, second);
  const own = first.own ?? second.own;
  return {
    ...first,
    ...(own !== undefined && { own }),
    ...(variant !== undefined && { variant }),
    ...(expected !== undefined && { expected }),
  };
}

function bothExpected(first: Finding, second: Finding): Expectation | undefined {
  const { code, expected } = first;
  const other = second.expected;
  // Nothing else matters yet for a value of the wrong kind.
  if (code === "VAL-002" || code === "VAL-008" || expected === undefined || other === undefined)
    return expected;
  return { kind: "all", of: [...partsOfExpectation(expected), ...partsOfExpectation(other)] };
}

function partsOfExpectation(expected: Expectation): readonly Expectation[] {
  return expected.kind === "all" ? expected.of : [expected];
}

function mergeKey(finding: Finding): string {
  const place = JSON.stringify(finding.path);
  if (valueRank(finding.code) !== undefined) return `${place} value ${severityOf(finding)}`;
  return `${place} ${finding.code} ${finding.message ?? ""} ${JSON.stringify([finding.reason, finding.expected])}`;
}

function rankOf(finding: Finding): number {
  return valueRank(finding.code) ?? 0;
}

function severityOf(finding: Finding): number {
  return SEVERITIES.indexOf(finding.severity ?? "error");
}

/** Drops what a condition asks for if a field that the condition reads is itself faulty. */
function withoutDoubtful(findings: readonly Finding[]): readonly Finding[] {
  if (findings.every(({ dependsOn }) => dependsOn === undefined)) return findings;
  const faulty = new Set(
    findings
      .filter((one) => one.dependsOn === undefined && severityOf(one) === 0)
      .map(({ path }) => JSON.stringify(path)),
  );
  return findings.filter(
    ({ dependsOn = [] }) => !dependsOn.some((path) => faulty.has(JSON.stringify(path))),
  );
}

/** A misspelt key replaces the fault of the missing field; in an open object it becomes that field's hint. */
function absorbRenamed(findings: readonly Finding[]): readonly Finding[] {
  if (findings.every((one) => one.renameTo === undefined && one.misnamedAs === undefined))
    return findings;
  const meant = findings.filter(({ renameTo }) => renameTo !== undefined);
  const targets = meant.map(renameTarget);
  // Two keys may be the same field, so neither is certain.
  const contested = new Set(targets.filter((target, index) => targets.indexOf(target) !== index));
  const renamed = new Set(
    meant
      .filter((one) => severityOf(one) === 0 && !contested.has(renameTarget(one)))
      .map(renameTarget),
  );
  return findings.flatMap((one) => {
    const isAsked = one.code === "VAL-001" || one.code === "VAL-014";
    if (isAsked && renamed.has(JSON.stringify(one.path))) return [];
    const isMet = one.wanted?.some((names) =>
      names.every((name) => renamed.has(JSON.stringify([...one.path, name]))),
    );
    if (isMet === true) return [];
    if (one.assumed !== undefined && contested.has(JSON.stringify(one.path.slice(0, one.assumed))))
      return [];
    if (one.renameTo !== undefined && contested.has(renameTarget(one))) return [withoutHint(one)];
    if (one.misnamedAs === undefined) return [one];
    const to = String(one.path.at(-1));
    const hint: Hint = { kind: "rename", from: one.misnamedAs, to, echoes: true };
    return [{ ...one, hint }];
  });
}

/** Merges missing fields that were sent one level too deep into one fault of the field that holds them. */
function absorbHeld(findings: readonly Finding[]): readonly Finding[] {
  if (findings.every(({ nestedUnder }) => nestedUnder === undefined)) return findings;
  const holders = new Map<string, Finding>();
  for (const { path, nestedUnder } of findings) {
    if (nestedUnder === undefined) continue;
    const place = [...path.slice(0, -1), nestedUnder];
    const unknown = findings.find(
      (one) => one.code === "VAL-005" && comparePaths(one.path, place) === 0,
    );
    const blank = nestedUnder.trim() === "";
    const hint: Hint = blank ? { kind: "lift" } : { kind: "lift", from: nestedUnder, echoes: true };
    const { severity } = unknown ?? {};
    // The hint names the fields, so the expected ones are not listed.
    const fault: Finding = { code: "VAL-005", path: place, hint };
    holders.set(JSON.stringify(place), severity ? { ...fault, severity } : fault);
  }
  const isHolder = ({ code, path }: Finding): boolean =>
    code === "VAL-005" && holders.has(JSON.stringify(path));
  const others = findings.filter((one) => one.nestedUnder === undefined && !isHolder(one));
  return [...others, ...holders.values()];
}

function renameTarget(finding: Finding): string {
  return JSON.stringify([...finding.path.slice(0, -1), finding.renameTo]);
}
