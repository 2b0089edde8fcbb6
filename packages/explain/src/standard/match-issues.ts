import { narrowed } from "../schema/index.ts";
import { type Finding, isRecord, sameExpectation } from "../shared/index.ts";
import {
  type IssuePlace,
  builtFinding,
  expectedOf,
  isAboutAnother,
  laterStage,
  locateIssue,
  missingFinding,
  ruleFailed,
  sampleOfRule,
  unknownFinding,
  withFlags,
} from "./build-findings.ts";
import { unionFindings } from "./union-findings.ts";
import { type BrokenRule, type StandardIssue, broken } from "./vendors/index.ts";
import type { ExplainedFindings } from "./explained-findings.ts";

// One more than is ever shown, so the message says there are more.
const MAX_NAMES = 101;

/** Converts one issue to findings, using the JSON Schema's finding if it reports the same fault. */
export function issueFindings(
  issue: StandardIssue,
  input: unknown,
  explained: ExplainedFindings,
): readonly Finding[] {
  const findings = unsaidFindings(issue, input, explained);
  const { own, path, reading } = issue;
  if (own === undefined || reading.kind === "rule") return findings;
  const depth = path.length + (reading.kind === "unknown-fields" ? 1 : 0);
  const here = findings.filter((one) => one.path.length === depth && one.message === undefined);
  const said = here.length > 0 ? here : findings.slice(0, 1);
  return findings.map((one) => (said.includes(one) ? { own, ...one } : one));
}

function unsaidFindings(
  issue: StandardIssue,
  input: unknown,
  explained: ExplainedFindings,
): readonly Finding[] {
  const { reading } = issue;
  const place = locateIssue(input, issue.path);
  if (reading.kind === "rule") return [ruleFailed(issue, place)];
  if (reading.kind === "tag") return tagFindings(issue, place, explained);
  const findings =
    reading.kind === "unknown-fields"
      ? unknownFields(issue, reading.names, place, explained)
      : (nothingSent(issue, place, explained) ?? somethingSent(issue, place, input, explained));
  // Only the JSON Schema checks what is inside a string or one level too deep.
  const outer = findings.flatMap(({ path, hint, nested, nestedUnder }) => {
    if (nested !== undefined || hint?.kind === "lift") return [path];
    return nestedUnder === undefined ? [] : [[...path.slice(0, -1), nestedUnder]];
  });
  const inner = outer.flatMap((path) =>
    explained.below(path).filter((one) => one.path.length > path.length),
  );
  return [...findings, ...inner];
}

function somethingSent(
  issue: StandardIssue,
  place: IssuePlace,
  input: unknown,
  explained: ExplainedFindings,
): readonly Finding[] {
  const { reading } = issue;
  switch (reading.kind) {
    case "fault":
      return faultFindings(issue, reading, place, explained);
    case "extra-item":
      return [extraItem(issue, place, input, explained)];
    case "union":
      return unionFindings(place, reading, explained, (inner) =>
        issueFindings(inner, input, explained),
      );
    case "opaque":
      return (
        firstFilled(explained.at(place.path), explained.above(place.path)) ?? [
          ruleFailed(issue, place),
        ]
      );
    case "several":
      return reading.issues.flatMap((inner) => issueFindings(inner, input, explained));
    case "tag":
    case "unknown-fields":
    case "rule":
      return [ruleFailed(issue, place)];
  }
}

/** The findings for an issue about a value that was not sent; undefined for any other issue. */
function nothingSent(
  issue: StandardIssue,
  place: IssuePlace,
  explained: ExplainedFindings,
): readonly Finding[] | undefined {
  if (place.sent) return undefined;
  const { value, depth } = place.holder;
  const schema = issue.reading.kind === "fault" ? issue.reading.schema : undefined;
  if (Array.isArray(value) && typeof place.path[depth] === "number") {
    return [missingItem(issue, place, explained)];
  }
  if (!isRecord(value)) return firstFilled(explained.above(place.path));
  const here = explained
    .at(place.path)
    .filter((finding) => finding.code === "VAL-001" || finding.code === "VAL-014");
  // A value that was sent under another name may be wrong as well.
  const renamed = here.some(({ misnamedAs }) => misnamedAs !== undefined)
    ? explained.below(place.path).filter(({ assumed }) => assumed !== undefined)
    : [];
  return firstFilled([...here, ...renamed]) ?? [missingFinding(place, schema)];
}

/** An item too many is a fault of its array. */
function extraItem(
  issue: StandardIssue,
  place: IssuePlace,
  input: unknown,
  explained: ExplainedFindings,
): Finding {
  const array = locateIssue(input, place.path.slice(0, -1));
  const rule = broken("VAL-006", { type: "array", maxItems: Number(place.path.at(-1)) });
  return faultFinding(issue, rule, array, explained);
}

function unknownFields(
  issue: StandardIssue,
  names: readonly string[],
  place: IssuePlace,
  explained: ExplainedFindings,
): readonly Finding[] {
  const holder = place.sent?.value;
  // A name that was not sent may be anything, such as a value that a refinement repeats.
  const sent = names.filter((name) => isRecord(holder) && Object.hasOwn(holder, name));
  if (sent.length === 0) return [ruleFailed(issue, place)];
  return sent.slice(0, MAX_NAMES).map((name) => {
    const path = [...place.path, name];
    const known = explained.at(path).find((one) => one.code === "VAL-005" || isAboutName(one));
    return known ?? unknownFinding(path, isRecord(holder) ? holder[name] : undefined);
  });
}

/** An item that was not sent is a fault of its array. */
function missingItem(
  issue: StandardIssue,
  place: IssuePlace,
  explained: ExplainedFindings,
): Finding {
  const { value, depth } = place.holder;
  const array: IssuePlace = {
    path: place.path.slice(0, depth),
    sent: { value },
    holder: place.holder,
  };
  const rule = broken("VAL-006", { type: "array", minItems: Number(place.path[depth]) + 1 });
  return faultFinding(issue, rule, array, explained);
}

/** Joined schemas may break a rule several times at one place, each with its own limit. */
function faultFindings(
  issue: StandardIssue,
  rule: BrokenRule,
  place: IssuePlace,
  explained: ExplainedFindings,
): readonly Finding[] {
  const known = explained.at(place.path).filter((one) => one.code === rule.code);
  return known.length > 1 && rule.exact !== true
    ? known
    : [faultFinding(issue, rule, place, explained)];
}

function faultFinding(
  issue: StandardIssue,
  rule: BrokenRule,
  place: IssuePlace,
  explained: ExplainedFindings,
): Finding {
  const here = explained.at(place.path);
  const known =
    here.find((one) => one.code === rule.code) ?? here.find((one) => saysTheSame(one, rule));
  if (known && rule.exact !== true) return withLimit(withFlags(known, rule), rule);
  const { sent, path } = place;
  if (sent && isAboutAnother(rule, sent.value) && explained.refuses(path, sampleOfRule(rule)))
    return typeof sent.value === "string" ? laterStage(rule, place) : ruleFailed(issue, place);
  const variant = here.find((finding) => finding.variant !== undefined)?.variant;
  return {
    ...builtFinding(issue, rule, place),
    ...(variant === undefined ? {} : { variant }),
    ...(here.some((finding) => finding.sensitive === true) ? { sensitive: true } : {}),
  };
}

/** Adds the limit that the validator names, where its JSON Schema is looser. */
function withLimit(finding: Finding, { code, schema }: BrokenRule): Finding {
  const { expected } = finding;
  const isLimit = code === "VAL-003" || code === "VAL-009";
  if (!isLimit || schema === undefined || expected === undefined || finding.code !== code)
    return finding;
  if (expected.kind !== "string" && expected.kind !== "number") return finding;
  return { ...finding, expected: narrowed(expected, expectedOf(schema)) };
}

/** Whether an explained fault with another code is the one that the issue reports. */
function saysTheSame(finding: Finding, { code, schema }: BrokenRule): boolean {
  // Older validators do not distinguish a faulty field name from a faulty value.
  if (isAboutName(finding)) return true;
  // A validator that stops at the first branch of the value's type knows less about a union.
  if (finding.code === "VAL-013") return true;
  if (finding.code === "VAL-010" && (code === "VAL-007" || code === "VAL-009")) return true;
  if (finding.code !== "VAL-002" || (code !== "VAL-008" && code !== "VAL-010")) return false;
  return schema === undefined || sameExpectation(finding.expected, expectedOf(schema));
}

function isAboutName(finding: Finding): boolean {
  return finding.code === "VAL-003" && finding.actual === undefined;
}

/** A wrong tag, with the faults of the variant that was probably meant. */
function tagFindings(
  issue: StandardIssue,
  place: IssuePlace,
  explained: ExplainedFindings,
): readonly Finding[] {
  const here = explained.at(place.path);
  if (here.length > 0) {
    // Until the variant is chosen, it is unknown whether it rejects unknown fields.
    const around = explained.below(place.path.slice(0, -1)).filter((one) => one.code !== "VAL-005");
    return [...here, ...around];
  }
  const { reading } = issue;
  const schema = reading.kind === "tag" ? reading.schema : undefined;
  const missing = nothingSent({ ...issue, reading: broken("VAL-001", schema) }, place, explained);
  return missing ?? [faultFinding(issue, broken("VAL-008", schema), place, explained)];
}

function firstFilled(...lists: readonly (readonly Finding[])[]): readonly Finding[] | undefined {
  return lists.find((list) => list.length > 0);
}
