import {
  type MaybePromise,
  chain,
  isPromiseLike,
  writeReason,
} from "@toolcontract/explain/adapter";
import type { CountedFailure } from "../attempts/index.ts";
import { failureClass, returnedStatus } from "../kit/index.ts";
import { foundAfter, sentText } from "./check.ts";
import type { CallContext } from "./context.ts";
import type { Handled, Refused } from "./decision.ts";
import {
  AdmittedCall,
  type CallRecord,
  type CallServices,
  type NamedContext,
  recordOf,
} from "./record.ts";
import { refuseCall } from "./refuse.ts";
import type { ToolCall } from "../shared/index.ts";

/** Runs a call, and closes its tool if it has failed too often: the model reads that in place of the last failure. */
export function withFailures<TOutput>(
  admitted: AdmittedCall,
  run: () => MaybePromise<Handled<TOutput>>,
): MaybePromise<Handled<TOutput>> {
  if (admitted.record.services.failures === undefined) return run();
  let handled: MaybePromise<Handled<TOutput>>;
  try {
    handled = run();
  } catch (thrown) {
    return afterThrown(admitted, thrown);
  }
  return isPromiseLike(handled)
    ? handled.then(
        (one) => afterRun(admitted, one),
        (thrown: unknown) => afterThrown(admitted, thrown),
      )
    : afterRun(admitted, handled);
}

function afterThrown(admitted: AdmittedCall, thrown: unknown): Promise<Refused> {
  const closing = closeFailing(admitted, thrown);
  if (closing === undefined) throw thrown;
  return closing.then((closed) => {
    if (closed) return closed;
    throw thrown;
  });
}

function afterRun<TOutput>(
  admitted: AdmittedCall,
  handled: Handled<TOutput>,
): MaybePromise<Handled<TOutput>> {
  const { record } = admitted;
  if (handled.status !== "executed") return handled;
  const { result, output } = handled;
  const status = result.isError ? returnedStatus(output, result.content) : undefined;
  if (status !== undefined) {
    return chain(closeFailing(admitted, output, status), (closed) => closed ?? handled);
  }
  record.services.failures?.succeeded(record);
  return handled;
}

/** The same for a host that gets whatever its tool returns or throws: only later calls are refused. */
export function watchFailures<TResult>(admitted: AdmittedCall, run: () => TResult): TResult {
  const { record } = admitted;
  const { failures } = record.services;
  if (failures === undefined) return run();
  const failed = (thrown: unknown): void => void closeFailing(admitted, thrown);
  let output: TResult;
  try {
    output = run();
  } catch (thrown) {
    failed(thrown);
    throw thrown;
  }
  // A lazy thenable would be started by it.
  if (output instanceof Promise) output.then(() => failures.succeeded(record), failed);
  else if (!isPromiseLike(output)) failures.succeeded(record);
  return output;
}

/** Counts a failure of a call that the host runs beside the contract; answers the one that closes its tool. */
export async function failedBeside(
  call: ToolCall,
  context: CallContext,
  thrown: unknown,
  services: CallServices,
): Promise<Refused | undefined> {
  if (services.failures === undefined) return undefined;
  const { arguments: input } = call;
  const valid = { status: "valid", input, output: input, advisories: [], repairs: [] } as const;
  return closeFailing(
    new AdmittedCall(recordOf(call, inTurn(context, services), services), 1, valid),
    thrown,
  );
}

function inTurn(context: CallContext, services: CallServices): NamedContext {
  return { ...context, turnId: context.turnId ?? services.newTurnId() };
}

/** The same for a call that has succeeded; who it was is asked only if anything is counted. */
export function succeededBeside(
  call: ToolCall,
  contextOf: () => CallContext,
  services: CallServices,
): void {
  if (services.failures?.isIdle() !== false) return;
  services.failures.succeeded(recordOf(call, inTurn(contextOf(), services), services));
}

/** Counts a failure; answers the call whose failure closes its tool. */
function closeFailing(
  admitted: AdmittedCall,
  thrown: unknown,
  status?: number,
): Promise<Refused | undefined> | undefined {
  const { record, input, output } = admitted;
  const { failures, options } = record.services;
  const closed = failures?.failed(record, thrown, status);
  if (closed === undefined) return undefined;
  const kind = status === undefined ? failureClass(thrown) : `HTTP ${status}`;
  const answer = refuseFailing(record, closed, kind, { input, output });
  return options.mode === "observe" ? answer.then(() => undefined) : answer;
}

async function refuseFailing(
  record: CallRecord,
  closed: CountedFailure,
  kind: string,
  of: Pick<AdmittedCall, "input" | "output">,
): Promise<Refused> {
  const { call } = record;
  const text = sentText(call.arguments, call.rawText);
  const message = writeReason({ kind: "fails-again", how: kind });
  const finding = { code: "VAL-016", path: [], message } as const;
  const found = await foundAfter(
    [{ ...finding, severity: "error" }],
    { ...of, text },
    record.plan(),
  );
  return refuseCall(record, { ...found, lane: "outcome" }, { closed, hasRun: true });
}
