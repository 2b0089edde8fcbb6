import type { ErrorCode } from "@toolcontract/explain";
import {
  type Finding,
  type MaybePromise,
  type ParseOptions,
  type Repair,
  type Unwrapped,
  chain,
  dropNulls,
  emptyArguments,
  isBlocking,
  judge,
  parseArguments,
  startsWith,
  unwrapNested,
  write,
} from "@toolcontract/explain/adapter";
import type { CheckResult, InvalidArguments, ValidArguments } from "./decision.ts";
import type { CodeCounts, StageContext, StageRefusal } from "../shared/index.ts";
import type { ToolPlan } from "./validate.ts";
import { validResult } from "./remarks.ts";
import { runRules } from "./rules.ts";
import { type CallIdentity, askStage, refusalFindings } from "./stage.ts";

const MAX_ROUNDS = 3;
const NONE: readonly never[] = Object.freeze([]);

/** What refused arguments were read as, for a contract that only observes. */
const readings = new WeakMap<InvalidArguments, Reading>();

/** Arguments as a tool gets them. */
export type Reading = Pick<ValidArguments, "input" | "output">;

/** What refused arguments were read as; undefined if they could not be read, or were checked elsewhere. */
export function readingOf(found: InvalidArguments): Reading | undefined {
  return readings.get(found);
}

/** What the host knows about a call besides its arguments. */
export interface CallFacts extends Pick<ParseOptions, "finishReason" | "rawText" | "isText"> {
  readonly signal?: AbortSignal | undefined;
  /** What rules and a stage get about the call; made only if there are any. */
  readonly identity?: (() => CallIdentity) | undefined;
}

interface Checked {
  readonly input: unknown;
  readonly output: unknown;
  readonly findings: readonly Finding[];
  readonly atLeast: boolean;
  readonly repairs: readonly Repair[];
  /** The stage's refusal, if the arguments are valid but the stage refused them. */
  readonly refusal?: StageRefusal;
  /** The text of the arguments, if the host has it. */
  readonly text?: string | undefined;
}

/**
 * Parses, repairs, validates and applies the rules: the pure half of the contract.
 *
 * `mayWait` if the caller can wait for the tool's validator.
 */
export function checkCall(
  raw: unknown,
  plan: ToolPlan,
  facts: CallFacts | undefined,
  mayWait: boolean,
): MaybePromise<CheckResult> {
  const endTime = plan.time?.();
  const parsed = parseArguments(raw, facts ? { ...plan.parsing, ...facts } : plan.parsing);
  if (!parsed.ok) {
    endTime?.();
    if (parsed.isDoubted) plan.onDoubt(facts?.finishReason);
    return checkResult(unreadableArguments(raw, parsed.finding, parsed.repairs), plan, false);
  }
  const { value, repairs, inexact = NONE } = parsed;
  // Fast path: most calls are valid and should cost little more than the validator.
  if (inexact.length === 0 && isAccepted(value, plan)) {
    endTime?.();
    return validResult({ input: value, output: value, repairs }, plan);
  }
  const text = sentText(raw, facts?.rawText);
  const judging: Judge = (settled) =>
    judge(settled, plan.validator, { ...plan.options, mayWait, onFault: plan.onFault });
  const rounds = facts?.isText === true ? 0 : MAX_ROUNDS;
  return chain(judgeRepaired(value, judging, repairs, plan, rounds), (settled) =>
    chain(withRules(withFindings(settled, unseen(inexact, settled)), plan, facts), (complete) => {
      // The stage may wait for a person's approval.
      endTime?.();
      return chain(withStage(complete, plan, facts), (final) =>
        checkResult({ ...final, text }, plan),
      );
    }),
  );
}

/** The text of arguments, if it is known. */
export function sentText(raw: unknown, rawText: string | undefined): string | undefined {
  return typeof raw === "string" ? raw : rawText;
}

function isAccepted(value: unknown, { accepts }: ToolPlan): boolean {
  try {
    return accepts?.(value) === true;
  } catch {
    return false;
  }
}

function unreadableArguments(raw: unknown, finding: Finding, repairs: readonly Repair[]): Checked {
  return { input: raw, output: raw, findings: [finding], atLeast: false, repairs };
}

type Judge = (value: unknown) => ReturnType<typeof judge>;

/**
 * Repairs what an option allows (`unwrapStrings`, `dropNulls`) until the validator accepts the value or nothing is left.
 * A repair whose place is still wrong is taken back: the words are about what was sent.
 */
function judgeRepaired(
  value: unknown,
  judging: Judge,
  repairs: readonly Repair[],
  plan: ToolPlan,
  rounds: number,
): MaybePromise<Checked> {
  return chain(judging(value), ({ output, refusedFor, findings, atLeast }) => {
    const unrepaired: Checked = { input: value, output, findings, atLeast, repairs };
    const repaired =
      refusedFor === undefined || rounds === 0 ? undefined : repairValue(value, refusedFor, plan);
    if (!repaired) return unrepaired;
    const all = [...repairs, ...repaired.repairs];
    return chain(judgeRepaired(repaired.value, judging, all, plan, rounds - 1), (checked) => {
      const faults = repaired.repaired ?? NONE;
      const isRight = faults.every(({ path }) => !isFaultyBelow(checked, path));
      return isRight ? withFindings(checked, faults.map(toRemark)) : unrepaired;
    });
  });
}

function repairValue(
  value: unknown,
  findings: readonly Finding[],
  { options }: ToolPlan,
): Unwrapped | undefined {
  const { unwrapStrings } = options;
  const unwrapped =
    unwrapStrings === false
      ? undefined
      : (emptyArguments(value) ?? unwrapNested(value, findings, unwrapStrings === "scalars"));
  return unwrapped ?? (options.dropNulls ? dropNulls(value, findings) : undefined);
}

function isFaultyBelow({ findings }: Checked, place: Finding["path"]): boolean {
  return findings.some((finding) => isBlocking(finding) && startsWith(finding.path, place));
}

/** A fault that was repaired is a remark: the model can learn of it, and need not. */
function toRemark(repaired: Finding): Finding {
  return { ...repaired, severity: "info" };
}

/** The numbers that parsing changed, but those of which the validator already says what they must be. */
function unseen(inexact: readonly Finding[], { findings }: Checked): readonly Finding[] {
  return inexact.filter(
    ({ path }) =>
      !findings.some((one) => one.path.length === path.length && startsWith(one.path, path)),
  );
}

function withFindings(checked: Checked, more: readonly Finding[]): Checked {
  return more.length === 0 ? checked : { ...checked, findings: [...checked.findings, ...more] };
}

/** Runs the rules, only on arguments that the schema accepts. */
function withRules(checked: Checked, plan: ToolPlan, facts?: CallFacts): MaybePromise<Checked> {
  if (plan.rules.length === 0 || checked.findings.some(isBlocking)) return checked;
  const {
    call: _,
    attempts: _attempts,
    knowsRun: _knowsRun,
    knowsConversation: _knowsConversation,
    runsHere: _runsHere,
    beforeApproval: _beforeApproval,
    ...known
  } = stageContext(plan, facts);
  return chain(
    runRules(plan.rules, checked.output, { ...known, lane: "validation" }, () =>
      plan.onFault("rule", new TypeError()),
    ),
    (found) => withFindings(checked, found),
  );
}

function stageContext(
  { tool }: ToolPlan,
  facts: CallFacts | undefined,
): Omit<StageContext, "reports"> {
  const { identity, signal } = facts ?? {};
  return { tool, ...identity?.(), ...(signal && { signal }) };
}

/** Asks the stage about arguments that nothing else is wrong with. */
function withStage(checked: Checked, plan: ToolPlan, facts?: CallFacts): MaybePromise<Checked> {
  const { stage, onFault, definition, reports } = plan;
  if (stage?.check === undefined || checked.findings.some(isBlocking)) return checked;
  const context = { ...stageContext(plan, facts), definition, reports };
  if (context.beforeApproval === "rest" && stage.defers !== true) return checked;
  return chain(askStage(stage, checked.output, context, onFault), (refusal) => {
    if (refusal === undefined) return checked;
    const findings = [...checked.findings, ...refusalFindings(refusal)];
    return { ...checked, findings, refusal };
  });
}

/** Asks the rules alone about what the schema made of a call's arguments. */
export function checkRules(output: unknown, plan: ToolPlan): MaybePromise<CheckResult> {
  const accepted = { input: output, output, findings: NONE, atLeast: false, repairs: NONE };
  return chain(withRules(accepted, plan), (complete) => checkResult(complete, plan));
}

/** Writes what a stage refused a call for after the call was admitted. */
export function refusedAfter(
  refusal: Pick<StageRefusal, "errors"> | StageRefusal,
  of: Pick<Checked, "input" | "output" | "text">,
  plan: ToolPlan,
): MaybePromise<InvalidArguments> {
  return foundAfter(refusalFindings(refusal), of, plan, "lane" in refusal ? refusal : undefined);
}

/** Writes what was found, at least one error, after a call was admitted. */
export function foundAfter(
  findings: readonly Finding[],
  of: Pick<Checked, "input" | "output" | "text">,
  plan: ToolPlan,
  refusal?: StageRefusal,
): MaybePromise<InvalidArguments> {
  const checked = { ...of, findings, atLeast: false, repairs: NONE, ...(refusal && { refusal }) };
  return checkResult(checked, plan) as MaybePromise<InvalidArguments>;
}

function checkResult(checked: Checked, plan: ToolPlan, isRead = true): MaybePromise<CheckResult> {
  const { input, output, repairs, findings } = checked;
  if (findings.length === 0) return validResult({ input, output, repairs }, plan);
  const writing = {
    tool: plan.tool,
    sanitizer: plan.sanitizer,
    redactors: plan.options.redact,
    root: input,
    output,
    schema: () => plan.validator.schema(),
    text: checked.text,
    maxErrors: plan.options.format.maxErrors,
  };
  return chain(write(findings, writing), ({ errors, advisories, total, hidden }) => {
    if (errors.length === 0)
      return validResult({ input, output, repairs, remarks: advisories }, plan);
    const invalid: InvalidArguments = {
      status: "invalid",
      ...(checked.refusal && laneOfRefusal(checked.refusal, held(checked, advisories, plan))),
      ...(hidden.length > 0 && { hidden: countCodes(hidden) }),
      errors,
      totalErrors: total,
      atLeast: checked.atLeast,
      advisories,
      repairs,
    };
    if (isRead && plan.options.mode === "observe") readings.set(invalid, { input, output });
    return invalid;
  });
}

/** The arguments of a call that a person is asked about. */
function held(
  { refusal, input, output, repairs }: Checked,
  remarks: InvalidArguments["advisories"],
  plan: ToolPlan,
): ValidArguments | undefined {
  if (refusal?.request === undefined) return undefined;
  return validResult({ input, output, repairs, remarks }, plan);
}

function laneOfRefusal(
  refusal: StageRefusal,
  valid: ValidArguments | undefined,
): Pick<InvalidArguments, "lane" | "refusal"> {
  const { lane, action, request, undone, outcomeOf, feedbackOf, onCounted } = refusal;
  return {
    lane,
    refusal: {
      action,
      ...(request && { request }),
      ...(valid && { held: valid }),
      ...(undone !== undefined && { undone }),
      ...(outcomeOf !== undefined && { outcomeOf }),
      ...(feedbackOf !== undefined && { feedbackOf }),
      ...(onCounted !== undefined && { onCounted }),
    },
  };
}

function countCodes(findings: readonly Finding[]): CodeCounts {
  const counts: { [Code in ErrorCode]?: number } = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
