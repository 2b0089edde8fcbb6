import {
  type Admitted,
  CallRefusedError,
  type Executed,
  type Handled,
  type Refused,
} from "./decision.ts";
import { watchFailures, withFailures } from "./close-failing.ts";
import { closedTool } from "./examine.ts";
import { refuseBrokenOff } from "./broken-off.ts";
import { elementOf } from "./element.ts";
import { failCall } from "./fail.ts";
import type { CallEnd } from "./journal.ts";
import { type AdmittedCall, recordSuccess } from "./record.ts";
import { type ReportedEnd, endOf, reportRun } from "./report-run.ts";
import { refuseByStage } from "./refuse-by-stage.ts";
import { refuseCall } from "./refuse.ts";
import { type WireOutput, executedResult } from "./result.ts";
import { withLate } from "./late-property.ts";
import { createObservedRun } from "./run-observed.ts";
import { runTool } from "./run-tool.ts";
import { identityOf, toFailure, toRefusal } from "./stage.ts";
import { takeBack } from "./take-back.ts";
import type { Execute, ExecutionStage, StageAnswer, ToolCall } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { type MaybePromise, isPromiseLike } from "@toolcontract/explain/adapter";

/** What a host needs to run an admitted call. */
export function toAdmission(admitted: AdmittedCall): Admitted {
  const { status, attempt, input, output, repairs, hasRun, observed } = admitted;
  const admission: Omit<Admitted, "advisories"> = {
    status,
    attempt,
    input,
    output,
    hasRun,
    repairs,
    ...(observed && { observed: observed.answer }),
    note: () => admitted.note(),
    run: (execute) => runRaw(admitted, execute),
    settle: async (execute, read, runId) => runSettled(admitted, execute, read, runId),
    refusedByHost: async (thrown) => takeBack(admitted, thrown),
  };
  return withLate(admission, "advisories", () => admitted.advisories);
}

/** Runs a call for `admission.run`: what the tool returned, untouched; through the stage, if there is one. */
function runRaw<TResult>(admitted: AdmittedCall, execute: Execute<TResult>): TResult {
  checkExecute("run", execute);
  const { context, services } = admitted.record;
  const isOwn = context.element === undefined && services.options.guardrails === undefined;
  if (isOwn) return watchFailures(admitted, () => runTool(admitted, execute));
  return throughStage(admitted, execute) as TResult;
}

function checkExecute(method: "run" | "settle", execute: unknown): void {
  if (typeof execute === "function") return;
  throw new ToolContractError(
    `admission.${method}: pass the function that runs the tool, such as ${method}((args) => tool(args)).`,
  );
}

async function throughStage<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
): Promise<Awaited<TResult>> {
  const handled = await runSettled(admitted, execute);
  if (handled.status !== "executed") throw new CallRefusedError(handled);
  if (handled.failure) throw handled.failure;
  return handled.output;
}

/** Reads what the model gets from what a tool returned. */
type Read<TResult> = ((output: Awaited<TResult>) => WireOutput) | undefined;

/** Runs a call and answers it: executed, or refused by the stage. One that has run is answered with what came of it. */
export function runSettled<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
  read?: Read<TResult>,
  runId?: string,
): MaybePromise<Handled<Awaited<TResult>>> {
  checkExecute("settle", execute);
  const { end, record } = admitted;
  const { journal } = record.services;
  const { element } = record.context;
  if (end) return answerOf(end, admitted, read);
  if (journal === undefined || element === undefined) return runCall(admitted, execute, read);
  // One that came at the same time may have run meanwhile.
  const { name, call } = record;
  const elsewhere = runId === undefined ? undefined : nameInRun(admitted, runId);
  return journal.alone(element, { name, call, elsewhere }, async (known) =>
    known
      ? answerMeanwhile(known, element, noteAgain(admitted), read)
      : runKept(admitted, execute, read),
  );
}

/** Its arguments as repaired are what another process gets of it. */
function nameInRun({ record: { name, call }, input }: AdmittedCall, runId: string): string {
  return JSON.stringify([runId, elementOf({ ...call, name, arguments: input })]);
}

/** What came of a call that began before this one, or in another process. */
async function answerMeanwhile<TResult>(
  end: CallEnd,
  element: string,
  admitted: AdmittedCall,
  read: Read<TResult>,
): Promise<Handled<Awaited<TResult>>> {
  const refused = end.kind === "broken-off" ? await refuseBrokenOff(admitted, element) : undefined;
  return refused ?? answerOf(end, admitted, read);
}

function noteAgain(admitted: AdmittedCall): AdmittedCall {
  const { name, services } = admitted.record;
  const fields = { level: "info", package: "core", tool_name: name } as const;
  services.reporter.report({ kind: "noted", fields, message: CAME_AGAIN });
  return admitted;
}

/** What is logged of a call that has run. */
export const CAME_AGAIN = "A call came again and was answered with what it came to";

/** What came of a call that has run. */
async function answerOf<TResult>(
  end: CallEnd,
  admitted: AdmittedCall,
  read: Read<TResult>,
): Promise<Handled<Awaited<TResult>>> {
  if (end.kind === "threw") throw end.error;
  if (end.kind === "returned") {
    return executed<TResult>(admitted, end.output as Awaited<TResult>, read);
  }
  if (end.kind === "answered") {
    return withIdOf(admitted.record.call, end.handled) as Handled<Awaited<TResult>>;
  }
  return failCall(admitted, {
    action: "fail",
    value: undefined,
    message: "it is no longer kept",
    withheld: "done",
  });
}

/** The answer to another call, as the answer to this one: equal calls of a message run once. */
export function withIdOf<T extends Executed | Refused>({ id, wire }: ToolCall, handled: T): T {
  const { result } = handled;
  if (result.toolCallId === id && result.wire === wire) return handled;
  const { wire: _, ...shared } = result;
  const { argumentsHash } = result;
  const own = { ...shared, toolCallId: id, ...(wire && { wire }) };
  const restored =
    argumentsHash === undefined ? own : withLate(own, "argumentsHash", () => argumentsHash);
  return { ...handled, result: restored };
}

/** Runs a call, and keeps what comes of it once its tool has begun. */
async function runKept<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
  read: Read<TResult>,
): Promise<Handled<Awaited<TResult>>> {
  const { record, attempt, checked } = admitted;
  const { journal, options } = record.services;
  const { element = "", signal } = record.context;
  let hasRun = false;
  const watched: Execute<TResult> = (...given) => {
    hasRun = true;
    return execute(...given);
  };
  try {
    const handled = await runCall(admitted, watched, read);
    if (hasRun) journal?.keep(element, { kind: "answered", handled, checked });
    return handled;
  } catch (error) {
    const { brokenOff } = options.guardrails?.unrepeatable?.(record.name, record.call) ?? {};
    const run = { signal, isFinal: brokenOff !== undefined };
    if (hasRun) journal?.keepThrown(element, { error, attempt, checked }, run);
    throw error;
  }
}

function runCall<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
  read: Read<TResult>,
): MaybePromise<Handled<Awaited<TResult>>> {
  const { options, reporter } = admitted.record.services;
  const { guardrails: stage } = options;
  const run = (): MaybePromise<Handled<Awaited<TResult>>> =>
    withFailures(admitted, () =>
      stage === undefined || admitted.record.tool === undefined
        ? runAlone(admitted, execute, read)
        : runInStage(admitted, stage, execute, read),
    );
  return reporter.isWatched("call-executed") ? timed(admitted, run) : run();
}

/** Reports how long a run took. */
async function timed<TOutput>(
  admitted: AdmittedCall,
  run: () => MaybePromise<Handled<TOutput>>,
): Promise<Handled<TOutput>> {
  const { clock } = admitted.record.services.options;
  const started = clock();
  let end: ReportedEnd = { outcome: "threw", charactersOut: 0 };
  try {
    const handled = await run();
    end = endOf(handled);
    return handled;
  } finally {
    reportRun(admitted, end, clock() - started);
  }
}

/** Runs a call in no stage. */
function runAlone<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
  read: Read<TResult>,
): MaybePromise<Executed<Awaited<TResult>>> {
  const output = runTool(admitted, execute);
  return isPromiseLike(output)
    ? Promise.resolve(output).then((value) => executed<TResult>(admitted, value, read))
    : executed<TResult>(admitted, output as Awaited<TResult>, read);
}

function executed<TResult>(
  admitted: AdmittedCall,
  output: Awaited<TResult>,
  read: Read<TResult>,
): Executed<Awaited<TResult>> {
  const { record, attempt } = admitted;
  const result = executedResult(record.call, output, admitted, read);
  return { status: "executed", attempt, result, output };
}

async function runInStage<TResult>(
  admitted: AdmittedCall,
  stage: ExecutionStage,
  execute: Execute<TResult>,
  read: Read<TResult>,
): Promise<Handled<Awaited<TResult>>> {
  const { record, output } = admitted;
  const { name, context, tally, services } = record;
  const { signal, runsOnce = false, callTool } = context;
  signal?.throwIfAborted();
  // The call may have waited, for an approval for example, while the stage closed its tool.
  const { closed, numbers } = await tally.standing();
  const observing =
    services.options.mode === "observe" ? createObservedRun(admitted, execute, AROUND) : undefined;
  if (closed) {
    const found = await closedTool(record, closed);
    if (!observing) return refuseCall(record, found, { closed, hasRun: true });
    await observing.observeClosed(found, closed);
  }
  if (stage.around === undefined) {
    return executed<TResult>(admitted, await runTool(admitted, execute), read);
  }
  if (context.knowsRun === false) services.reporter.fault("run", new UnknownRun());
  let hasRun = false;
  const answer: StageAnswer | undefined = await stage.around({
    tool: name,
    definition: record.tool,
    reports: services.reports,
    ...identityOf(record, admitted.attempt, numbers),
    ...(signal && { signal }),
    args: output,
    runsOnce,
    ...(callTool && { callTool }),
    run: () => {
      if (runsOnce && hasRun) {
        throw new ToolContractError(
          `Stage '${stage.name}': this host runs a call once, so run() may be called once. Read \`runsOnce\` before you repeat a run.`,
        );
      }
      hasRun = true;
      return observing ? observing.run() : runTool(admitted, execute);
    },
    ...(observing && { observe: observing.observe }),
  });
  // A failure that the tool itself reports is not a refusal.
  const isToolsOwn =
    answer?.action === "throw" || (answer?.action === "fail" && answer.withheld === undefined);
  if (observing && !isToolsOwn) {
    const own = (await observing.end(stage, answer)) as Awaited<TResult>;
    return executed<TResult>(admitted, own, read);
  }
  switch (answer?.action) {
    case "return":
      await recordSuccess(record, admitted.attempt);
      return executed<TResult>(admitted, answer.value as Awaited<TResult>, read);
    case "throw":
      throw answer.error;
    case "fail":
      if (answer.withheld === "done") await recordSuccess(record, admitted.attempt);
      return failCall(admitted, toFailure(stage, answer), read);
    default:
      return refuseByStage(admitted, toRefusal(stage, answer, AROUND));
  }
}

/** The host cannot tell runs apart, so the stage keeps nothing of a call for later ones. */
class UnknownRun extends Error {
  override readonly name: string = "UnknownRun";
}

const AROUND = 'around() must answer { action: "return" | "fail" | "retry" | "stop" | "throw", … }';
