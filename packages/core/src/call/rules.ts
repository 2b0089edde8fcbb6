import { type ErrorCode, type Severity, ToolContractError } from "@toolcontract/explain";
import {
  type Finding,
  type MaybePromise,
  type PathSegment,
  SEVERITIES,
  all,
  isErrorCode,
  chain,
  isPromiseLike,
  isRecord,
  looksLikeErrorCode,
  pointerKeys,
} from "@toolcontract/explain/adapter";
import type { Rule, RuleContext } from "../shared/index.ts";

const MAX_FINDINGS = 100;

/**
 * Runs a tool's rules over accepted arguments.
 *
 * A rule that throws, rejects or returns anything but an array fails closed: the call is refused.
 */
export function runRules(
  rules: readonly Rule<never>[],
  args: unknown,
  context: RuleContext,
  onUnreadable: () => void,
): MaybePromise<readonly Finding[]> {
  const read = (errors: unknown): readonly Finding[] => {
    if (errors !== undefined && errors !== null && !Array.isArray(errors)) onUnreadable();
    return readErrors(errors);
  };
  return chain(all(rules.map((rule) => runRule(rule, args, context, read))), (found) =>
    found.flat(),
  );
}

function runRule(
  rule: Rule<never>,
  args: unknown,
  context: RuleContext,
  read: (errors: unknown) => readonly Finding[],
): MaybePromise<readonly Finding[]> {
  return chain(callRule(rule, args, context), (errors) => {
    if (errors === FAILED) return ruleCouldNotRun();
    try {
      return read(errors);
    } catch (thrown) {
      // A code that nobody registered is a mistake of the rule's author, who should see it.
      if (thrown instanceof ToolContractError) throw thrown;
      return ruleCouldNotRun();
    }
  });
}

const FAILED: unique symbol = Symbol("the rule failed");

function callRule(rule: Rule<never>, args: unknown, context: RuleContext): MaybePromise<unknown> {
  try {
    const errors: MaybePromise<unknown> = rule(args as never, context);
    return isPromiseLike(errors) ? Promise.resolve(errors).catch(() => FAILED) : errors;
  } catch {
    return FAILED;
  }
}

/** The finding for a call that a rule or a stage could not judge. */
export function ruleCouldNotRun(): readonly Finding[] {
  return [{ code: "VAL-016", path: [], reason: { kind: "rule-could-not-run" } }];
}

/** Converts what a rule or a stage reports, at most 100 errors. */
export function readErrors(errors: unknown): readonly Finding[] {
  if (errors === undefined || errors === null) return [];
  if (!Array.isArray(errors)) return ruleCouldNotRun();
  return errors
    .slice(0, MAX_FINDINGS)
    .flatMap((error) => (isRecord(error) ? [toFinding(error)] : ruleCouldNotRun()));
}

/** Converts a foreign error; unusable members fall back to VAL-016, "error" and the root. */
export function toFinding(
  error: Readonly<Record<string, unknown>>,
  isKnown: (code: string) => code is ErrorCode = isRegistered,
): Finding {
  const { errorCode, fieldPath, message, severity, expectedValue, actualValue, hint } = error;
  return {
    code: typeof errorCode === "string" && isKnown(errorCode) ? errorCode : "VAL-016",
    path: typeof fieldPath === "string" ? parsePointer(fieldPath) : [],
    severity: isSeverity(severity) ? severity : "error",
    ...(typeof message === "string" && message.trim() !== ""
      ? { message }
      : { reason: { kind: "rule-unmet" } }),
    ...(typeof expectedValue === "string" && { expected: { kind: "words", text: expectedValue } }),
    ...(actualValue !== undefined && { actual: { value: actualValue } }),
    ...(typeof hint === "string" && { hint: { kind: "words", text: hint } }),
  };
}

/** A code of a package that has not registered it is a mistake of that package's author, not of the model. */
function isRegistered(code: string): code is ErrorCode {
  if (isErrorCode(code)) return true;
  const [prefix] = code.split("-");
  if (!looksLikeErrorCode(code)) return false;
  throw new ToolContractError(
    `The error code ${code} is not registered. Call registerErrorCodes({ prefix: "${prefix}", codes, page }) of @toolcontract/core/adapter before a rule or a stage reports it.`,
  );
}

function isSeverity(value: unknown): value is Severity {
  return SEVERITIES.some((severity) => severity === value);
}

/** Splits a JSON Pointer; digits become array indexes, and the first slash may be missing. */
function parsePointer(pointer: string): readonly PathSegment[] {
  if (pointer === "") return [];
  return pointerKeys(pointer.startsWith("/") ? pointer : `/${pointer}`).map((key) =>
    /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key,
  );
}
