import { errorClass, isPause } from "@toolcontract/core/adapter";
import type { CallReservation, SpendingFault, Spendings } from "../ledger/index.ts";
import {
  type Ended,
  type RefusedTransaction,
  type TransactionEnd,
  violatedBy,
  withoutRun,
} from "./judgement.ts";
import { limitReached } from "./limit-reached.ts";
import type { Engine, TransactionRequest } from "./request.ts";

/** What one call spends: it reserves once, however often its tool runs. */
export interface CallSpending {
  /** Reserves before the tool runs; returns how the call ends if it may not. */
  reserve(): Promise<Ended<RefusedTransaction> | undefined>;
  /** What is reserved. */
  reservation(): CallReservation | undefined;
  /** Ends the reservation with its call. */
  end(end: TransactionEnd): Promise<void>;
}

/** Begins what a call spends; undefined for a tool that spends nothing. */
export function callSpending(
  request: TransactionRequest,
  { spendings }: Engine,
): CallSpending | undefined {
  if (spendings?.spends(request.tool) !== true) return undefined;
  const call = nameOfCall(request);
  let reservation: CallReservation | undefined;
  return {
    async reserve() {
      const spending = spendingOf(request);
      if (call !== undefined) reservation ??= await spendings.resume(call, spending);
      if (reservation) return undefined;
      const reserved = await spendings.reserve(spending);
      if (reserved.kind === "reserved") ({ reservation } = reserved);
      if (reserved.kind !== "refused") return undefined;
      reserved.faults.forEach((fault) => report(fault, request));
      return withoutRun(violatedBy(reserved.faults.map(limitReached)));
    },
    reservation: () => reservation,
    async end(end) {
      const isPaused = end.kind === "threw" && isPauseOf(end.error, request);
      // The same call goes on with it.
      if (isPaused && call !== undefined && reservation) {
        await spendings.pause(call, reservation);
        return;
      }
      await reservation?.end(end.kind === "succeeded" ? { result: end.value } : undefined);
    },
  };
}

/** Whether the call pauses, and goes on later. */
export function isPauseOf(
  thrown: unknown,
  { signal }: Pick<TransactionRequest, "signal">,
): boolean {
  return signal?.aborted !== true && isPause(thrown);
}

/** Names a call among all of its conversation; undefined if it cannot be known when it goes on. */
function nameOfCall({
  spender: { conversationId, knowsConversation, runId, knowsRun },
  tool,
  callId,
  agent,
  args,
}: TransactionRequest): string | undefined {
  const isAlone = knowsConversation === false && (runId === undefined || knowsRun === false);
  if (isAlone || callId === "") return undefined;
  try {
    return JSON.stringify([conversationId, runId, agent, tool, callId, args]);
  } catch {
    // Such as a bigint.
    return undefined;
  }
}

function spendingOf(request: TransactionRequest): Parameters<Spendings["reserve"]>[0] {
  const { tool, args, callId, spender, trace, log, policy } = request;
  const isIdempotent = policy.effect === "idempotent";
  const idempotencyKey = (): string | undefined => trace.keyOf(args);
  return { ...spender, tool, args, callId, idempotencyKey, isIdempotent, log };
}

/** What only the operator can change goes to the log. */
function report(fault: SpendingFault, { log }: TransactionRequest): void {
  if (fault.kind === "scope") {
    log("The scope of a limit has no value, so the call is refused", { limit: fault.limit });
  }
  if (fault.kind === "failed") {
    log("What a call spends could not be computed", { error: errorClass(fault.thrown) });
  }
}
