import type { CountedFailure, Standing } from "../attempts/index.ts";
import {
  quoteName,
  type Finding,
  type MaybePromise,
  chain,
  buildErrors,
} from "@toolcontract/explain/adapter";
import { meantTool, toolsByCloseness } from "../shared/index.ts";
import { checkCall } from "./check.ts";
import { toolNames } from "./context.ts";
import { type CheckResult, type InvalidArguments, invalidBy } from "./decision.ts";
import { cleanErrors, cleanResult } from "./host-errors.ts";
import type { CallRecord, NamedContext } from "./record.ts";
import { type CallIdentity, identityOf } from "./stage.ts";

/**
 * Finds what is wrong with a call, if anything: its tool is closed or unknown, whatever the arguments are; or the arguments are, as the
 * host has found or as the check finds. Returns no promise if there is nothing to wait for.
 */
export function examine(
  record: CallRecord,
  { closed, numbers }: Standing,
): MaybePromise<CheckResult> {
  const { call, tool, context } = record;
  if (closed) return closedTool(record, closed);
  if (!tool) return unknownTool(record);
  const { finishReason, signal, checked } = context;
  if (checked) return cleanResult(withoutAsk(checked, context), record);
  const plan = record.plan();
  const isText = call.text !== undefined;
  const facts = { finishReason, signal, rawText: call.rawText, isText };
  const isTold = plan.rules.length > 0 || plan.stage?.check !== undefined;
  if (!isTold) return checkCall(call.arguments, plan, facts, true);
  return chain(record.tally.number(), (attempt) => {
    const identity = (): CallIdentity => identityOf(record, attempt, numbers);
    return checkCall(call.arguments, plan, { ...facts, identity }, true);
  });
}

/** A stage asks again when the call runs, and then knows where it is made; one that runs elsewhere is not asked again. */
function withoutAsk(checked: CheckResult, { runsHere }: NamedContext): CheckResult {
  if (checked.status === "valid" || runsHere === false) return checked;
  return checked.refusal?.held ?? checked;
}

/** A call of a tool that a lane of the stage has closed, in that lane's words. */
export function closedTool(
  record: CallRecord,
  { history }: CountedFailure,
): MaybePromise<InvalidArguments> {
  const latest = history.at(-1)?.errors ?? [];
  if (latest.length === 0) return spentTool(record);
  const told = latest.map(({ errorCode, fieldPath, summary }) => ({
    errorCode,
    fieldPath,
    message: summary,
    severity: "error" as const,
  }));
  return chain(cleanErrors(told, record), invalidBy);
}

/** The tools that a message lists; more are listed by how close they are to the called name. */
const MAX_LISTED = 10;

/** A call of a tool that is unknown or not offered (VAL-012); lists the tool that was meant first. */
function unknownTool(record: CallRecord): MaybePromise<InvalidArguments> {
  const { call, context } = record;
  const { unavailable } = context;
  const known = toolNames(context);
  const meant = unavailable ? undefined : meantTool(call.name, known);
  const finder = unavailable?.foundWith;
  const sorted = known.length > MAX_LISTED ? toolsByCloseness(call.name, known) : known;
  const names = meant === undefined ? sorted : [meant, ...sorted.filter((one) => one !== meant)];
  return invalidCall(record, {
    code: "VAL-012",
    path: [],
    reason: { kind: unavailable ? "unavailable-tool" : "unknown-tool", name: quoteName(call.name) },
    expected: { kind: "tools", names },
    ...(meant !== undefined && { hint: { kind: "use", value: meant } }),
    ...(finder !== undefined && { hint: { kind: "find-with", name: finder } }),
  });
}

/** A call of a tool whose attempts are spent, if nothing else is wrong with it. */
export function spentTool(record: CallRecord): MaybePromise<InvalidArguments> {
  return invalidCall(record, { code: "VAL-016", path: [], reason: { kind: "blocked" } });
}

function invalidCall({ services }: CallRecord, finding: Finding): MaybePromise<InvalidArguments> {
  const building = { tool: "", sanitizer: services.sanitizer, redactors: [] };
  return chain(buildErrors([finding], building), invalidBy);
}
