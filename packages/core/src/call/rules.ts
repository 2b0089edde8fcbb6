import {
  type Finding,
  type MaybePromise,
  type PathSegment,
  type Rule,
  type RuleContext,
  SEVERITIES,
  type Severity,
  all,
  chain,
  isErrorCode,
  isPromiseLike,
  isRecord,
} from "../shared/index.ts";

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
    return toFindings(errors);
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
  try {
    const errors: MaybePromise<unknown> = rule(args as never, context);
    if (isPromiseLike(errors)) return Promise.resolve(errors).then(read).catch(couldNotRun);
    return read(errors);
  } catch {
    return couldNotRun();
  }
}

function couldNotRun(): readonly Finding[] {
  return [{ code: "VAL-016", path: [], reason: { kind: "rule-could-not-run" } }];
}

function toFindings(errors: unknown): readonly Finding[] {
  if (errors === undefined || errors === null) return [];
  if (!Array.isArray(errors)) return couldNotRun();
  return errors
    .slice(0, MAX_FINDINGS)
    .flatMap((error) => (isRecord(error) ? [toFinding(error)] : couldNotRun()));
}

/** Converts a foreign error; unusable members fall back to VAL-016, "error" and the root. */
export function toFinding(error: Readonly<Record<string, unknown>>): Finding {
  const { errorCode, fieldPath, message, severity, expectedValue, actualValue, hint } = error;
  return {
    code: typeof errorCode === "string" && isErrorCode(errorCode) ? errorCode : "VAL-016",
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

function isSeverity(value: unknown): value is Severity {
  return SEVERITIES.some((severity) => severity === value);
}

/** Splits a JSON Pointer; digits become array indexes, and the first slash may be missing. */
function parsePointer(pointer: string): readonly PathSegment[] {
  if (pointer === "") return [];
  const text = pointer.startsWith("/") ? pointer.slice(1) : pointer;
  return text.split("/").map((segment) => {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key;
  });
}
