import {
  type ParseOptions,
  type Repair,
  parseArguments,
  unwrapNested,
} from "../arguments/index.ts";
import { buildErrors } from "./build-errors.ts";
import type { CheckResult } from "./decision.ts";
import { aggregate } from "./aggregate.ts";
import { type Finding, type MaybePromise, type ValidationError, chain } from "../shared/index.ts";
import type { Validation } from "./validate.ts";
import { runRules } from "./rules.ts";
import type { ToolPlan } from "./tool-plan.ts";

const MAX_UNWRAPS = 3;
const NONE: readonly never[] = Object.freeze([]);

/** What the host knows of a call beside its arguments. */
export interface CallFacts extends Pick<ParseOptions, "finishReason" | "rawText"> {
  readonly signal?: AbortSignal | undefined;
}

interface Judged {
  readonly input: unknown;
  readonly output: unknown;
  readonly findings: readonly Finding[];
  readonly atLeast: boolean;
  readonly repairs: readonly Repair[];
}

/** Parses, repairs, validates and applies the rules: the pure half of the contract. */
export function checkCall(
  raw: unknown,
  plan: ToolPlan,
  facts?: CallFacts,
): MaybePromise<CheckResult> {
  const parsed = parseArguments(raw, facts ? { ...plan.parsing, ...facts } : plan.parsing);
  if (!parsed.ok) return report(unreadable(raw, parsed.finding, parsed.repairs), plan);
  const { value, repairs } = parsed;
  // Most calls are valid and need nothing more; this way they cost little more than their judge.
  if (isAccepted(value, plan)) {
    return { status: "valid", input: value, output: value, advisories: NONE, repairs };
  }
  return chain(settle(value, askJudge(value, plan), repairs, plan), (judged) =>
    chain(withRules(judged, plan, facts), (complete) => report(complete, plan)),
  );
}

function isAccepted(value: unknown, { accepts }: ToolPlan): boolean {
  try {
    return accepts?.(value) === true;
  } catch {
    return false;
  }
}

function unreadable(raw: unknown, finding: Finding, repairs: readonly Repair[]): Judged {
  return { input: raw, output: raw, findings: [finding], atLeast: false, repairs };
}

/** Takes stringified JSON apart, where that is asked for, until the judge has nothing against it. */
function settle(
  value: unknown,
  pending: MaybePromise<Validation>,
  repairs: readonly Repair[],
  plan: ToolPlan,
  unwraps: number = plan.options.unwrapStrings ? MAX_UNWRAPS : 0,
): MaybePromise<Judged> {
  return chain(pending, (verdict) => {
    const nested = verdict.ok || unwraps === 0 ? undefined : unwrapNested(value, verdict.findings);
    if (!nested) return toJudged(value, verdict, repairs, plan);
    const again = askJudge(nested.value, plan);
    return settle(nested.value, again, [...repairs, ...nested.repairs], plan, unwraps - 1);
  });
}

function askJudge(value: unknown, plan: ToolPlan): MaybePromise<Validation> {
  try {
    return plan.judge.judge(value);
  } catch (thrown) {
    plan.onFault("validate", thrown);
    return { ok: true, output: value };
  }
}

function toJudged(
  value: unknown,
  verdict: Validation,
  repairs: readonly Repair[],
  plan: ToolPlan,
): Judged {
  const strict = unknownFields(value, plan);
  if (verdict.ok)
    return { input: value, output: verdict.output, findings: strict, atLeast: false, repairs };
  const unknown = verdict.findings.filter(({ code }) => code === "VAL-005");
  const reported = new Set(unknown.map(({ path }) => JSON.stringify(path)));
  const others = strict.filter(({ path }) => !reported.has(JSON.stringify(path)));
  return {
    input: value,
    output: value,
    findings: [...verdict.findings, ...others],
    atLeast: verdict.atLeast,
    repairs,
  };
}

/** The fields that the user does not want although the tool takes them. */
function unknownFields(value: unknown, { judge, options, onFault }: ToolPlan): readonly Finding[] {
  if (options.unknownFields === "schema") return NONE;
  const severity = options.unknownFields === "reject" ? "error" : "warning";
  try {
    return judge.schema()?.unknownFields(value, severity) ?? NONE;
  } catch (thrown) {
    onFault("unknown fields", thrown);
    return NONE;
  }
}

/** Rules only see arguments that the schema accepts. */
function withRules(judged: Judged, plan: ToolPlan, facts?: CallFacts): MaybePromise<Judged> {
  if (plan.rules.length === 0 || judged.findings.some(isBlocking)) return judged;
  const context = { tool: plan.tool, ...(facts?.signal && { signal: facts.signal }) };
  return chain(
    runRules(plan.rules, judged.output, context, () => plan.onFault("rule", new TypeError())),
    (found) => ({
      ...judged,
      findings: [...judged.findings, ...found],
    }),
  );
}

function isBlocking(finding: Finding): boolean {
  return (finding.severity ?? "error") === "error";
}

function report(judged: Judged, plan: ToolPlan): MaybePromise<CheckResult> {
  const { input, output, repairs } = judged;
  if (judged.findings.length === 0)
    return { status: "valid", input, output, advisories: NONE, repairs };
  const findings = aggregate(judged.findings);
  const { maxErrors } = plan.options.format;
  const errors = findings.filter(isBlocking);
  const advisories = findings.filter((finding) => !isBlocking(finding)).slice(0, maxErrors);
  const building = {
    tool: plan.tool,
    sanitizer: plan.sanitizer,
    redactors: plan.options.redact,
    root: input,
    output: judged.output,
    schema: () => plan.judge.schema(),
  };
  return chain(buildErrors([...errors.slice(0, maxErrors), ...advisories], building), (built) => {
    const shown = built.length - advisories.length;
    const blocking = withoutRepeats(built.slice(0, shown));
    const remarks = withoutRepeats(built.slice(shown));
    if (errors.length === 0)
      return { status: "valid", input, output, advisories: remarks, repairs };
    return {
      status: "invalid",
      errors: blocking,
      totalErrors: errors.length - (shown - blocking.length),
      atLeast: judged.atLeast,
      advisories: remarks,
      repairs,
    };
  });
}

/** Keys that are not shown all read alike, and one bullet is enough for them. */
function withoutRepeats(errors: readonly ValidationError[]): readonly ValidationError[] {
  const places = new Set(errors.map(({ errorCode, fieldPath }) => `${fieldPath} ${errorCode}`));
  if (places.size === errors.length) return errors;
  const texts = errors.map((error) => JSON.stringify(error));
  return errors.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
}
