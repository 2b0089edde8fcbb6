import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Finding, type MaybePromise, isPromiseLike } from "../shared/index.ts";
import type { CompiledSchema } from "../schema/index.ts";
import { locateIssue, ruleFailed } from "./build-findings.ts";
import { type ExplainedFindings, explainedFindings } from "./explained-findings.ts";
import { issueFindings } from "./match-issues.ts";
import { ownWords } from "./own-words.ts";
import { readIssues } from "./read-issues.ts";
import { runValidator } from "./run-validator.ts";
import { type StandardIssue, arktypeWords } from "./vendors/index.ts";

const MAX_ISSUES = 100;

/** The result of validating a value: the validator's output, or what is wrong. */
export type Validation =
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly findings: readonly Finding[];
      /** True if there may be more faults than were read. */
      readonly atLeast: boolean;
    };

/** What validating needs besides the validator and the value. */
export interface StandardOptions {
  /** Whether the caller can wait; if not, a validator that is certainly asynchronous still returns a promise. */
  readonly mayWait?: boolean;
  /** Gets what the validator threw. */
  readonly onThrow?: (thrown: unknown) => void;
}

/**
 * Validates with the tool's own validator alone; the tool's JSON Schema only explains what it refused.
 *
 * `compiled` is called only after a refusal.
 *
 * @remarks A validator that throws or rejects refuses the call; its error is never shown.
 */
export function validateStandard(
  validator: StandardSchemaV1,
  input: unknown,
  compiled: () => CompiledSchema | undefined,
  { mayWait = false, onThrow }: StandardOptions = {},
): MaybePromise<Validation> {
  const failed = (thrown: unknown): Validation => {
    onThrow?.(thrown);
    return validatorCouldNotRun(thrown, explainedFindings(compiled, input).below([]));
  };
  const validation = (result: unknown): Validation =>
    validationOfResult(result, validator, input, compiled);
  try {
    const result = runValidator(validator, input, mayWait);
    return isPromiseLike(result)
      ? Promise.resolve(result).then(validation).catch(failed)
      : validation(result);
  } catch (thrown) {
    return failed(thrown);
  }
}

function validationOfResult(
  result: unknown,
  validator: StandardSchemaV1,
  input: unknown,
  compiled: () => CompiledSchema | undefined,
): Validation {
  // Arrays pass: some libraries return one that carries its issues.
  if (typeof result !== "object" || result === null) return validatorCouldNotRun();
  const { issues, value } = result as { readonly issues?: unknown; readonly value?: unknown };
  if (!issues) return { ok: true, output: value };
  const explained = explainedFindings(compiled, input);
  const { vendor } = validator["~standard"];
  const read = readIssues(issues, vendor, MAX_ISSUES, (issue, message, path) =>
    vendor === "arktype"
      ? arktypeWords(issue, message)
      : ownMessage(validator, issue, message, locateIssue(input, path).sent?.value),
  );
  const found = read.flatMap((issue) => findingsOfIssue(issue, input, explained));
  const findings = withoutRepeatedFindings(found);
  const more = Array.isArray(issues) && issues.length > MAX_ISSUES;
  return {
    ok: false,
    findings: findings.length > 0 ? findings.slice(0, MAX_ISSUES) : [refusedAsAWhole()],
    atLeast: more || findings.length > MAX_ISSUES,
  };
}

function ownMessage(
  validator: object,
  issue: Readonly<Record<string, unknown>>,
  message: string,
  sent: unknown,
): string | undefined {
  return ownWords(validator).wrote(message, issue, sent) ? message : undefined;
}

function findingsOfIssue(
  issue: StandardIssue,
  input: unknown,
  explained: ExplainedFindings,
): readonly Finding[] {
  try {
    return issueFindings(issue, input, explained);
  } catch {
    // Hosts may pass values that cannot be read, such as getters that throw.
    return [ruleFailed(issue, { path: issue.path, holder: { value: undefined, depth: 0 } })];
  }
}

function withoutRepeatedFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  const shown = new Map(
    findings.map((finding) => {
      const { code, path, message, reason, expected } = finding;
      return [JSON.stringify([code, path, message, reason, expected]), finding] as const;
    }),
  );
  return [...shown.values()];
}

/** What a validator that throws has not said is said by the JSON Schema; what it threw may name what is wrong. */
function validatorCouldNotRun(thrown?: unknown, explained: readonly Finding[] = []): Validation {
  const detail = firstLine(thrown);
  const finding: Finding = {
    code: "VAL-016",
    path: [],
    reason: { kind: "validator-could-not-run", ...(detail !== undefined && { detail }) },
  };
  return {
    ok: false,
    findings: [...explained, finding].slice(0, MAX_ISSUES),
    atLeast: explained.length > 0,
  };
}

const MAX_DETAIL = 120;

/** What `JSON.parse` threw in a transform, which is about the value; any other error may be about anything. */
function firstLine(thrown: unknown): string | undefined {
  try {
    if (!(thrown instanceof SyntaxError) || !thrown.message.includes("JSON")) return undefined;
    const [line = ""] = thrown.message.trim().split("\n");
    return line === "" ? undefined : line.slice(0, MAX_DETAIL);
  } catch {
    return undefined;
  }
}

function refusedAsAWhole(): Finding {
  return { code: "VAL-016", path: [], reason: { kind: "validator-refused" } };
}
