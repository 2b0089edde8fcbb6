import { type MaybePromise, chain, isPromiseLike } from "@toolcontract/explain/adapter";
import type { Standing } from "../attempts/index.ts";
import { untilAborted } from "../kit/index.ts";
import { formatAdvisories } from "../message/index.ts";
import type { ToolCall } from "../shared/index.ts";
import { checkCall } from "./check.ts";
import type { CheckResult, Refused, ValidArguments } from "./decision.ts";
import { cleanResult } from "./host-errors.ts";
import {
  type AdmittedCall,
  type CallRecord,
  type CallServices,
  recordOf,
  recordSuccess,
} from "./record.ts";
import { refuseCall } from "./refuse.ts";
import { identityOf } from "./stage.ts";
import { ruledOut, spentTool } from "./unchecked.ts";

/** Decides on one call: finds the tool, checks, counts, then admits or refuses. */
export async function admitCall(
  call: ToolCall,
  context: CallRecord["context"],
  services: CallServices,
): Promise<AdmittedCall | Refused> {
  const { signal } = context;
  signal?.throwIfAborted();
  const record = recordOf(call, context, services);
  const { tool, tally } = record;
  // A name that the model invented is answered, whatever the host's tools are.
  if (tool) services.checkTools(tool, context);
  // Waits in any case: calls that are begun together join one turn before the first of them leaves it.
  const found = await tally.standing();
  const { closed } = found;
  const checking = closed || !tool ? ruledOut(record, closed) : checkArguments(record, found);
  const isWaiting = isPromiseLike(checking);
  const checked = isWaiting ? await untilAborted(checking, closed ? undefined : signal) : checking;
  // A call cancelled during the check counts as never made.
  if (!closed) signal?.throwIfAborted();
  const { repairs } = checked;
  reportRepairs(record, checked);
  const isSpent =
    checked.status === "valid" &&
    services.options.onBlocked === "refuse" &&
    (await tally.isBlocked());
  const result = isSpent ? { ...(await spentTool(record)), repairs } : checked;
  if (result.status === "valid") return await admit(record, result);
  return refuseCall(record, result, { closed });
}

/** Returns no promise if there is nothing to wait for. */
function checkArguments(record: CallRecord, { numbers }: Standing): MaybePromise<CheckResult> {
  const { call, context } = record;
  const { finishReason, signal, checked } = context;
  if (checked) return cleanResult(withoutAsk(checked, context), record);
  const { rawText } = call;
  const plan = record.plan();
  const facts = { finishReason, signal, rawText };
  const isTold = plan.rules.length > 0 || plan.stage?.check !== undefined;
  if (!isTold) return checkCall(call.arguments, plan, facts, true);
  return chain(record.tally.number(), (attempt) => {
    const identity = identityOf(record, attempt, numbers);
    return checkCall(call.arguments, plan, { ...facts, identity }, true);
  });
}

/** A stage asks again when the call runs, and then knows where it is made; one that runs elsewhere is not asked again. */
function withoutAsk(checked: CheckResult, { runsHere }: CallRecord["context"]): CheckResult {
  if (checked.status === "valid" || runsHere === false) return checked;
  return checked.refusal?.held ?? checked;
}

/**
 * Counts a valid call that runs whatever its count is, for a host that has checked it and waits for nothing. Where valid
 * calls may be refused, by a stage or by a limit, {@link admitCall} decides.
 */
export function countValid(
  call: ToolCall,
  context: CallRecord["context"],
  checked: ValidArguments,
  services: CallServices,
): MaybePromise<number> {
  const record = recordOf(call, context, services);
  return chain(cleanResult(checked, record), (result) => {
    reportRepairs(record, result);
    return countAdmitted(record, result as ValidArguments);
  });
}

function reportRepairs({ reported, services }: CallRecord, { repairs }: CheckResult): void {
  if (repairs.length > 0) services.reporter.report({ kind: "repaired", call: reported, repairs });
}

/** Counts and reports a valid call; gives the number of its attempt. */
function countAdmitted(record: CallRecord, result: ValidArguments): MaybePromise<number> {
  const { reported, tally, services } = record;
  return chain(tally.valid("validation"), (attempt) => {
    const { guardrails } = services.options;
    const report = (): number => {
      const isRepaired = result.repairs.length > 0;
      services.reporter.report({ kind: "admitted", call: reported, checked: result, isRepaired });
      return attempt;
    };
    // A stage may still refuse the call. Without one, only recoveries are reported.
    const isSuccess = guardrails ? guardrails.around === undefined : attempt > 1;
    return isSuccess ? chain(recordSuccess(record, attempt), report) : report();
  });
}

function admit(record: CallRecord, result: ValidArguments): MaybePromise<AdmittedCall> {
  return chain(
    countAdmitted(record, result),
    (attempt) => new CountedCall(record, attempt, result),
  );
}

/** A class, because a getter of an object literal costs a hidden class for each object. */
class CountedCall implements AdmittedCall {
  readonly status = "admitted";
  readonly record: CallRecord;
  readonly attempt: number;
  readonly input: unknown;
  readonly output: unknown;
  readonly repairs: AdmittedCall["repairs"];
  readonly #result: ValidArguments;

  constructor(record: CallRecord, attempt: number, result: ValidArguments) {
    this.record = record;
    this.attempt = attempt;
    this.input = result.input;
    this.output = result.output;
    this.repairs = result.repairs;
    this.#result = result;
  }

  get advisories(): AdmittedCall["advisories"] {
    return this.#result.advisories;
  }

  note(): string {
    const { reportAdvisories, format } = this.record.services.options;
    return reportAdvisories ? formatAdvisories(this.advisories, format) : "";
  }
}
