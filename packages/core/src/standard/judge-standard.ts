import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Finding } from "../fault.ts";
import { isPromiseLike, type MaybePromise } from "../maybe-promise.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import { ruleFailed } from "./built-finding.ts";
import { explainedFindings, type ExplainedFindings } from "./explained-findings.ts";
import { issueFindings } from "./issue-findings.ts";
import { readIssues } from "./read-issues.ts";
import { runValidator } from "./run-validator.ts";
import type { StandardIssue } from "./standard-issue.ts";

const MAX_ISSUES = 100;

/** What a tool's own validator made of the arguments. */
export type StandardVerdict =
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly findings: readonly Finding[];
      /** True where there may be more faults than were looked at. */
      readonly atLeast: boolean;
    };

/**
 * Lets a tool's own validator judge, alone; the tool's JSON Schema only words what it refused.
 *
 * `compiled` is asked for only after a refusal, and `onThrow` is told what the validator threw.
 *
 * @remarks A validator that throws or rejects refuses the call; its error is never repeated.
 */
export function judgeStandard(
  validator: StandardSchemaV1,
  input: unknown,
  compiled: () => CompiledSchema | undefined,
  onThrow: (thrown: unknown) => void = () => undefined,
): MaybePromise<StandardVerdict> {
  const failed = (thrown: unknown): StandardVerdict => {
    onThrow(thrown);
    return couldNotRun();
  };
  const verdict = (result: unknown): StandardVerdict =>
    verdictOf(result, validator, input, compiled);
  try {
    const result = runValidator(validator, input);
    return isPromiseLike(result)
      ? Promise.resolve(result).then(verdict).catch(failed)
      : verdict(result);
  } catch (thrown) {
    return failed(thrown);
  }
}

function verdictOf(
  result: unknown,
  validator: StandardSchemaV1,
  input: unknown,
  compiled: () => CompiledSchema | undefined,
): StandardVerdict {
  // A list is an object too: some libraries answer with one that carries its issues.
  if (typeof result !== "object" || result === null) return couldNotRun();
  const { issues, value } = result as { readonly issues?: unknown; readonly value?: unknown };
  if (!issues) return { ok: true, output: value };
  const explained = explainedFindings(compiled, input);
  const found = readIssues(issues, validator["~standard"].vendor, MAX_ISSUES).flatMap((issue) =>
    findingsOf(issue, input, explained),
  );
  const findings = withoutRepeats(found);
  const more = Array.isArray(issues) && issues.length > MAX_ISSUES;
  return {
    ok: false,
    findings: findings.length > 0 ? findings.slice(0, MAX_ISSUES) : [refusedAsAWhole()],
    atLeast: more || findings.length > MAX_ISSUES,
  };
}

function findingsOf(
  issue: StandardIssue,
  input: unknown,
  explained: ExplainedFindings,
): readonly Finding[] {
  try {
    return issueFindings(issue, input, explained);
  } catch {
    // Hosts may hand in values that no reading survives, such as fields that throw.
    return [ruleFailed(issue, { path: issue.path, holder: { value: undefined, depth: 0 } })];
  }
}

function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const told = new Map(
    findings.map((finding) => {
      const { code, path, message, expected } = finding;
      return [JSON.stringify([code, path, message, expected]), finding] as const;
    }),
  );
  return [...told.values()];
}

function couldNotRun(): StandardVerdict {
  const finding: Finding = {
    code: "VAL-016",
    path: [],
    message: "The tool's validator could not run",
  };
  return { ok: false, findings: [finding], atLeast: false };
}

function refusedAsAWhole(): Finding {
  return { code: "VAL-016", path: [], message: "The tool's validator refused the arguments" };
}
