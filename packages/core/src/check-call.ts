import { parseArguments, type ParseOptions } from "./arguments/parse-arguments.ts";
import type { Repair } from "./arguments/repair-record.ts";
import { buildErrors } from "./build-errors.ts";
import type { CheckResult } from "./check-result.ts";
import { aggregate } from "./explain/aggregate.ts";
import type { Finding } from "./explain/walk.ts";
import type { Judge, Verdict } from "./judge.ts";
import { chain, type MaybePromise } from "./maybe-promise.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { runRules } from "./run-rules.ts";
import type { Sanitizer } from "./sanitize/sanitizer.ts";
import type { Rule, RuleContext } from "./tool-definition.ts";
import { unwrapNested } from "./unwrap-nested.ts";

const MAX_UNWRAPS = 3;
const NONE: readonly never[] = Object.freeze([]);

/** What checking a call needs to know of its tool and of the contract. */
export interface CallCheck {
  readonly judge: Judge;
  readonly rules: readonly Rule<never>[];
  readonly options: ResolvedOptions;
  readonly sanitizer: Sanitizer;
  readonly context: RuleContext;
  readonly parse: Pick<ParseOptions, "finishReason" | "rawText">;
  /** Reports a fault of the judge itself, over which the call goes on (promise 7). */
  readonly onFault: (stage: string, thrown: unknown) => void;
  /** Called once the judge has spoken. */
  readonly onJudged: () => void;
}

interface Judged {
  readonly input: unknown;
  readonly output: unknown;
  readonly findings: readonly Finding[];
  readonly atLeast: boolean;
  readonly repairs: readonly Repair[];
}

/** Parses, repairs, validates and applies the rules: the pure half of the contract. */
export function checkCall(raw: unknown, check: CallCheck): MaybePromise<CheckResult> {
  const { repairJson, closeDangling, unwrapStrings } = check.options;
  const parsed = parseArguments(raw, { ...check.parse, repairJson, closeDangling });
  if (!parsed.ok)
    return report(
      {
        input: raw,
        output: raw,
        findings: [parsed.fault],
        atLeast: false,
        repairs: parsed.repairs,
      },
      check,
    );
  const { value, repairs } = parsed;
  const judged = judge(value, repairs, check, unwrapStrings ? MAX_UNWRAPS : 0);
  return chain(judged, (result) =>
    chain(withRules(result, check), (complete) => report(complete, check)),
  );
}

function judge(
  value: unknown,
  repairs: readonly Repair[],
  check: CallCheck,
  unwraps: number,
): MaybePromise<Judged> {
  return chain(askJudge(value, check), (verdict) => {
    const unwrapped =
      verdict.ok || unwraps === 0 ? undefined : unwrapNested(value, verdict.findings);
    if (unwrapped)
      return judge(unwrapped.value, [...repairs, ...unwrapped.repairs], check, unwraps - 1);
    return toJudged(value, verdict, repairs, check);
  });
}

function askJudge(value: unknown, check: CallCheck): MaybePromise<Verdict> {
  try {
    return check.judge.judge(value);
  } catch (thrown) {
    check.onFault("validate", thrown);
    return { ok: true, output: value };
  }
}

function toJudged(
  value: unknown,
  verdict: Verdict,
  repairs: readonly Repair[],
  check: CallCheck,
): Judged {
  check.onJudged();
  const { unknownFields } = check.options;
  const severity = unknownFields === "reject" ? "error" : "warning";
  const strict =
    unknownFields === "schema"
      ? NONE
      : (check.judge.schema()?.unknownFields(value, severity) ?? NONE);
  if (verdict.ok)
    return { input: value, output: verdict.output, findings: strict, atLeast: false, repairs };
  return {
    input: value,
    output: value,
    findings: [...verdict.findings, ...strict],
    atLeast: verdict.atLeast,
    repairs,
  };
}

/** Rules only see arguments that the schema accepts. */
function withRules(judged: Judged, check: CallCheck): MaybePromise<Judged> {
  if (check.rules.length === 0 || judged.findings.some(isBlocking)) return judged;
  return chain(runRules(check.rules, judged.output, check.context), (found) => ({
    ...judged,
    findings: [...judged.findings, ...found],
  }));
}

function isBlocking(finding: Finding): boolean {
  return (finding.severity ?? "error") === "error";
}

function report(judged: Judged, check: CallCheck): MaybePromise<CheckResult> {
  const { input, output, repairs } = judged;
  if (judged.findings.length === 0)
    return { status: "valid", input, output, advisories: NONE, repairs };
  const findings = aggregate(judged.findings);
  const { maxErrors } = check.options.format;
  const errors = findings.filter(isBlocking);
  const advisories = findings.filter((finding) => !isBlocking(finding)).slice(0, maxErrors);
  const building = {
    tool: check.context.tool,
    sanitizer: check.sanitizer,
    redactors: check.options.redact,
    root: input,
    declares: (name: string) => check.judge.schema()?.declares(name) ?? false,
  };
  return chain(buildErrors([...errors.slice(0, maxErrors), ...advisories], building), (built) => {
    const blocking = built.slice(0, built.length - advisories.length);
    const remarks = built.slice(blocking.length);
    if (errors.length === 0)
      return { status: "valid", input, output, advisories: remarks, repairs };
    return {
      status: "invalid",
      errors: blocking,
      totalErrors: errors.length,
      atLeast: judged.atLeast,
      advisories: remarks,
      repairs,
    };
  });
}
