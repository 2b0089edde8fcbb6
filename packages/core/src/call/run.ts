import type {
  Admitted,
  Blocked,
  Execute,
  Executed,
  Handled,
  Rejected,
  WireOutput,
} from "./decision.ts";
import { CallRefusedError } from "./decision.ts";
import { buildErrors } from "./build-errors.ts";
import {
  type CallInProgress,
  attemptNumber,
  countValid,
  countedName,
  stageLanes,
} from "./progress.ts";
import { announceRecovery, refuseCall, shownCorrelation } from "./refuse.ts";
import { executedResult } from "./result.ts";
import { readRefusal } from "./rules.ts";
import {
  type ExecutionStage,
  type Lane,
  type StageAnswer,
  type StageLane,
  type StageRefusal,
  ToolContractError,
} from "../shared/index.ts";

/** An admitted call and what running it takes. */
export interface AdmittedCall extends Pick<Admitted, "attempt" | "output" | "advisories" | "note"> {
  readonly progress: CallInProgress;
}

/** Runs a call for `admission.run`: what the tool returned, untouched; through the stage, if there is one. */
export function runRaw<TResult>(admitted: AdmittedCall, execute: Execute<TResult>): TResult {
  const { guardrails } = admitted.progress.services.options;
  if (guardrails?.around === undefined) return runTool(admitted, execute);
  return throughStage(admitted, execute) as TResult;
}

async function throughStage<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
): Promise<Awaited<TResult>> {
  const handled = await runSettled(admitted, execute);
  if (handled.status !== "executed") throw new CallRefusedError(handled);
  return handled.output;
}

/** Reads what the model gets from what a tool returned. */
type Read<TResult> = ((output: Awaited<TResult>) => WireOutput) | undefined;

/** Runs a call and answers it: executed, or refused by the stage. */
export async function runSettled<TResult>(
  admitted: AdmittedCall,
  execute: Execute<TResult>,
  read?: Read<TResult>,
): Promise<Handled<Awaited<TResult>>> {
  const { options, faults } = admitted.progress.services;
  const { guardrails: stage, clock } = options;
  const isTimed = faults.events.isWatched("call-executed");
  const started = isTimed ? clock() : 0;
  const finish = (run: Omit<FinishedRun, "durationMs">): void => {
    if (isTimed) announceRun(admitted, { ...run, durationMs: clock() - started });
  };
  try {
    const handled =
      stage?.around === undefined
        ? executed<TResult>(admitted, await runTool(admitted, execute), read)
        : await runInStage(admitted, stage, execute, read);
    finish(
      handled.status === "executed"
        ? {
            outcome: handled.result.isError ? "failed" : "returned",
            charactersOut: handled.result.content.length,
          }
        : {
            outcome: handled.status,
            lane: handled.lane,
            charactersOut: handled.result.content.length,
          },
    );
    return handled;
  } catch (thrown) {
    finish({ outcome: "threw", charactersOut: 0 });
    throw thrown;
  }
}

function runTool<TResult>({ progress, output }: AdmittedCall, execute: Execute<TResult>): TResult {
  const { call, context } = progress;
  const { signal } = context;
  signal?.throwIfAborted();
  return execute(output as never, { call, ...(signal && { signal }) });
}

function executed<TResult>(
  admitted: AdmittedCall,
  output: Awaited<TResult>,
  read: Read<TResult>,
): Executed<Awaited<TResult>> {
  const { progress, attempt } = admitted;
  const result = executedResult(progress.call, output, admitted, read);
  return { status: "executed", attempt, result, output };
}

async function runInStage<TResult>(
  admitted: AdmittedCall,
  stage: ExecutionStage,
  execute: Execute<TResult>,
  read: Read<TResult>,
): Promise<Handled<Awaited<TResult>>> {
  const { progress, output } = admitted;
  const { call, context, services } = progress;
  const { conversationId, turnId, runId, signal } = context;
  const lanes = stageLanes(services.options);
  const numbers = await Promise.all(lanes.map(async (lane) => attemptNumber(progress, lane)));
  const attempts = Object.fromEntries(lanes.map((lane, index) => [lane, numbers[index] ?? 1]));
  let hasRun = false;
  const answer: StageAnswer | undefined = await stage.around?.({
    tool: countedName(progress.tool),
    call,
    callId: call.id,
    conversationId,
    turnId,
    ...(runId !== undefined && { runId }),
    ...(signal && { signal }),
    attempt: admitted.attempt,
    attempts,
    args: output,
    run: () => {
      if (hasRun) throw new ToolContractError(`Stage '${stage.name}': run() may be called once.`);
      hasRun = true;
      return runTool(admitted, execute);
    },
  });
  switch (answer?.action) {
    case "return":
      await Promise.all(lanes.map(async (lane) => recordSuccess(progress, lane)));
      return executed<TResult>(admitted, answer.value as Awaited<TResult>, read);
    case "throw":
      throw answer.error;
    case "retry":
    case "stop":
      return refuseByStage(progress, answer);
    default:
      throw new ToolContractError(
        `Stage '${stage.name}': around() must answer { action: "return" | "retry" | "stop" | "throw", … }.`,
      );
  }
}

async function recordSuccess(progress: CallInProgress, lane: StageLane): Promise<void> {
  const attempt = await countValid(progress, lane);
  if (attempt > 1) announceRecovery(progress, lane, attempt);
}

async function refuseByStage(
  progress: CallInProgress,
  refusal: StageRefusal,
): Promise<Rejected | Blocked> {
  const { call, tool, services } = progress;
  const plan = tool && services.planOf(tool);
  const findings = readRefusal(refusal);
  const { maxErrors } = services.options.format;
  const errors = await buildErrors(findings.slice(0, maxErrors), {
    tool: countedName(tool),
    sanitizer: services.sanitizer,
    redactors: plan?.options.redact ?? services.options.redact,
    schema: () => plan?.validator.schema(),
    root: call.arguments,
  });
  return refuseCall(
    progress,
    {
      status: "invalid",
      lane: refusal.lane,
      refusal,
      errors,
      totalErrors: findings.length,
      atLeast: false,
      advisories: [],
      repairs: [],
    },
    true,
  );
}

/** How a run ended. */
interface FinishedRun {
  readonly outcome: "returned" | "failed" | "threw" | "rejected" | "blocked";
  readonly lane?: Lane | undefined;
  readonly durationMs: number;
  readonly charactersOut: number;
}

function announceRun(
  { progress, attempt, output }: AdmittedCall,
  { lane, ...run }: FinishedRun,
): void {
  const { call, tool, context, services } = progress;
  const { conversationId, correlationId = conversationId } = context;
  services.faults.events.emit("call-executed", () => ({
    toolName: countedName(tool),
    toolCallId: call.id,
    conversationId,
    correlationId: shownCorrelation(correlationId, services.sanitizer),
    attempt,
    ...(lane !== undefined && { lane }),
    ...run,
    charactersIn: lengthOf(
      call.rawText ?? (typeof call.arguments === "string" ? call.arguments : output),
    ),
  }));
}

/** The length of a value as JSON, or of a string; 0 if it has none. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return 0;
  }
}
