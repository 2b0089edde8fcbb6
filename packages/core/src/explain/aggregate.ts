import type { ErrorCode } from "../error-code.ts";
import { SEVERITIES } from "../validation-error.ts";
import type { PathSegment } from "../fault.ts";
import type { Finding } from "./walk.ts";

// Faults of a value: one of them per place is told, the first of this list that is there.
const VALUE_CODES: readonly ErrorCode[] = [
  "VAL-002",
  "VAL-008",
  "VAL-010",
  "VAL-009",
  "VAL-007",
  "VAL-006",
  "VAL-003",
  "VAL-015",
];

const JOINT = " and ";
const MAX_JOINED = 4;

/**
 * Orders the findings for telling: one per place, each once, misspelt keys absorbing the field that
 * they were meant to be, by severity and then by path (spec FR-031…034).
 */
export function aggregate(findings: readonly Finding[]): readonly Finding[] {
  const told = new Map<string, Finding>();
  for (const finding of absorbRenamed(findings)) {
    const key = keyOf(finding);
    const earlier = told.get(key);
    told.set(key, earlier ? joined(earlier, finding) : finding);
  }
  return [...told.values()].toSorted(
    (a, b) =>
      severityOf(a) - severityOf(b) || comparePaths(a.path, b.path) || compareText(a.code, b.code),
  );
}

/** Two faults of one place are one bullet: the weightier one's, with what both of them expect. */
function joined(a: Finding, b: Finding): Finding {
  const [first, second] = rankOf(b) < rankOf(a) ? [b, a] : [a, b];
  const variant = first.variant ?? second.variant;
  const expected = bothExpected(first, second);
  return {
    ...first,
    ...(variant !== undefined && { variant }),
    ...(expected !== undefined && { expected }),
  };
}

function bothExpected(first: Finding, second: Finding): string | undefined {
  const { code, expected } = first;
  const other = second.expected;
  // Of a value of the wrong kind, nothing else matters yet.
  if (code === "VAL-002" || code === "VAL-008" || expected === undefined || other === undefined)
    return expected;
  const known = expected.split(JOINT).length;
  return expected.includes(other) || known >= MAX_JOINED ? expected : `${expected}${JOINT}${other}`;
}

function keyOf(finding: Finding): string {
  const place = JSON.stringify(finding.path);
  if (VALUE_CODES.includes(finding.code)) return `${place} value ${severityOf(finding)}`;
  return `${place} ${finding.code} ${finding.message ?? ""} ${finding.expected ?? ""}`;
}

function rankOf(finding: Finding): number {
  return VALUE_CODES.indexOf(finding.code);
}

function severityOf(finding: Finding): number {
  return SEVERITIES.indexOf(finding.severity ?? "error");
}

/** A key that is a misspelt required one tells of both faults; an open object's stray key becomes a hint. */
function absorbRenamed(findings: readonly Finding[]): readonly Finding[] {
  const meant = findings.filter(({ renameTo }) => renameTo !== undefined);
  const targets = meant.map(targetOf);
  // Two keys that may be the same field: nothing is certain any more.
  const contested = new Set(targets.filter((target, index) => targets.indexOf(target) !== index));
  const renamed = new Set(
    meant.filter((one) => severityOf(one) === 0 && !contested.has(targetOf(one))).map(targetOf),
  );
  return findings.flatMap((one) => {
    if (one.code === "VAL-001" && renamed.has(JSON.stringify(one.path))) return [];
    if (one.assumed !== undefined && contested.has(JSON.stringify(one.path.slice(0, one.assumed))))
      return [];
    if (one.renameTo !== undefined && contested.has(targetOf(one))) return [withoutHint(one)];
    if (one.misnamedAs === undefined) return [one];
    const hint = `rename ${JSON.stringify(one.misnamedAs)} to ${JSON.stringify(one.path.at(-1))}`;
    return [{ ...one, hint, hintEchoes: true }];
  });
}

function withoutHint(finding: Finding): Finding {
  const { hint: _, ...rest } = finding;
  return rest;
}

function targetOf(finding: Finding): string {
  return JSON.stringify([...finding.path.slice(0, -1), finding.renameTo]);
}

/** Compares two paths segment by segment: indexes as numbers, names by code unit. */
export function comparePaths(a: readonly PathSegment[], b: readonly PathSegment[]): number {
  for (const [position, left] of a.entries()) {
    const right = b[position];
    if (right === undefined) return 1;
    if (left === right) continue;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return compareText(String(left), String(right));
  }
  return a.length - b.length;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
