import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Finding, type MaybePromise, chain, isPromiseLike } from "../shared/index.ts";
import type { CompiledSchema } from "../schema/index.ts";
import { ruleFailed } from "./build-findings.ts";
import { type ExplainedFindings, explainedFindings, issueFindings } from "./match-issues.ts";
import { readIssues } from "./read-issues.ts";
import type { StandardIssue } from "./vendors/index.ts";

const MAX_ISSUES = 100;

/** The result of a tool's own validator. */
export type StandardValidation =
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly findings: readonly Finding[];
      /** True if there may be more faults than were read. */
      readonly atLeast: boolean;
    };

/**
 * Validates with the tool's own validator alone; the tool's JSON Schema only explains what it refused.
 *
 * `compiled` is called only after a refusal, and `onThrow` gets what the validator threw.
 *
 * @remarks A validator that throws or rejects refuses the call; its error is never shown.
 */
export function validateStandard(
  validator: StandardSchemaV1,
  input: unknown,
  compiled: () => CompiledSchema | undefined,
  onThrow: (thrown: unknown) => void = () => undefined,
): MaybePromise<StandardValidation> {
  const failed = (thrown: unknown): StandardValidation => {
    onThrow(thrown);
    return couldNotRun();
  };
  const validation = (result: unknown): StandardValidation =>
    validationOf(result, validator, input, compiled);
  try {
    const result = runValidator(validator, input);
    return isPromiseLike(result)
      ? Promise.resolve(result).then(validation).catch(failed)
      : validation(result);
  } catch (thrown) {
    return failed(thrown);
  }
}

function validationOf(
  result: unknown,
  validator: StandardSchemaV1,
  input: unknown,
  compiled: () => CompiledSchema | undefined,
): StandardValidation {
  // Arrays pass: some libraries return one that carries its issues.
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
    // Hosts may pass values that cannot be read, such as getters that throw.
    return [ruleFailed(issue, { path: issue.path, holder: { value: undefined, depth: 0 } })];
  }
}

function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const shown = new Map(
    findings.map((finding) => {
      const { code, path, message, reason, expected } = finding;
      return [JSON.stringify([code, path, message, reason, expected]), finding] as const;
    }),
  );
  return [...shown.values()];
}

function couldNotRun(): StandardValidation {
  const finding: Finding = {
    code: "VAL-016",
    path: [],
    reason: { kind: "validator-could-not-run" },
  };
  return { ok: false, findings: [finding], atLeast: false };
}

function refusedAsAWhole(): Finding {
  return { code: "VAL-016", path: [], reason: { kind: "validator-refused" } };
}

interface Parser {
  safeParse(input: unknown): unknown;
  safeParseAsync(input: unknown): Promise<unknown>;
}

const asynchronous = new WeakSet<object>();

/**
 * Runs a validator, synchronously if possible, and returns its result.
 *
 * @remarks If a refinement throws, zod's Standard Schema entry starts over asynchronously, so an ordinary bug looks
 * like an asynchronous validator. It also tries every asynchronous validator synchronously first, which runs its
 * refinements twice and leaves an unhandled promise. Hence zod's own methods.
 */
function runValidator(validator: StandardSchemaV1, input: unknown): MaybePromise<unknown> {
  const parser = parserOf(validator);
  if (!parser) return validator["~standard"].validate(input);
  if (asynchronous.has(validator)) return chain(parser.safeParseAsync(input), resultOf);
  try {
    return resultOf(parser.safeParse(input));
  } catch (error) {
    if (!wantsPromise(error)) throw error;
    asynchronous.add(validator);
    return chain(parser.safeParseAsync(input), resultOf);
  }
}

function parserOf(validator: StandardSchemaV1): Parser | undefined {
  const { safeParse, safeParseAsync } = validator as Partial<Parser>;
  const isZod = validator["~standard"].vendor === "zod";
  return isZod && typeof safeParse === "function" && typeof safeParseAsync === "function"
    ? (validator as StandardSchemaV1 & Parser)
    : undefined;
}

/** Every version uses these words; the error's class is private. */
function wantsPromise(error: unknown): boolean {
  return error instanceof Error && error.message.includes("parseAsync");
}

function resultOf(parsed: unknown): unknown {
  const { success, data, error } = parsed as {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: unknown };
  };
  return success ? { value: data } : { issues: error?.issues };
}
