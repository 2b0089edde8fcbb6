import { ToolContractError } from "@toolcontract/explain";
import { createRecentMap } from "@toolcontract/explain/adapter";
import { countAttempts, type ModelTurn, type ResultMarker } from "../attempts/index.ts";
import {
  type Admission,
  type CallContext,
  markerFor,
  noted,
  positionsIn,
  resultMarker,
  THREW,
  toolNames,
} from "../call/index.ts";
import type { Execute, ToolCall } from "../shared/index.ts";
import type { Contract } from "./contract.ts";

/** What a message is judged with. */
export interface JudgeContext extends CallContext {
  /**
   * The turns before the message, oldest first: the attempts of each call are then counted from them. For frameworks with a history;
   * `tools` must have all tools, and `turnId` must be new for each message.
   */
  readonly turns?: readonly ModelTurn[];
}

/** How the run of a call ended: with what the tool returned, or with what the model reads in place of it. */
export type RunEnd =
  | {
      /** The tool ran. */
      readonly isAnswer: false;
      /** What it returned, with the note on the call's advisories. */
      readonly output: unknown;
    }
  | {
      /** The call was refused, before or after the tool ran, or the tool failed. */
      readonly isAnswer: true;
      /** What the model reads. */
      readonly output: string;
    };

/** Keeps the verdicts on the calls of a message until the framework asks for each, and how each call ended. */
export interface VerdictBook {
  /** Decides on all calls of one message, as `contract.admitTurn` does, and keeps the verdicts. */
  judge(calls: readonly ToolCall[], context: JudgeContext): Promise<readonly Admission[]>;
  /** The verdict on a call; undefined if it was never judged, or so long ago that it is forgotten. */
  of(callId: string): Admission | undefined;
  /** The name that the model wrote in a call, which the framework may have changed. */
  nameOf(callId: string): string | undefined;
  /** The marker of a call: of its refusal, or of how its run ended; undefined until then. */
  markerOf(callId: string): ResultMarker | undefined;
  /**
   * Runs the tool of a call, unless the call was refused; a result has the note on the call's advisories. What the tool throws
   * comes through.
   *
   * @param runId - The run, for frameworks that tell it only as the call runs: other processes know the call by it.
   */
  run(callId: string, execute: Execute, runId?: string): Promise<RunEnd>;
  /** The answer to a call that the framework itself refused although it was admitted, as `admission.refusedByHost` has it. */
  refusedByHost(callId: string, thrown: unknown): Promise<string>;
}

/** Far more calls than are under way at once. */
const MAX_VERDICTS = 1_000;

/**
 * Creates a book of verdicts for an adapter that sees the whole message in one hook and each call in another. It keeps the
 * latest 1,000.
 *
 * @remarks Calls are found by their id alone. If one book serves several runs, give a call whose id is empty or in the book already a
 * new one before it is judged: some models begin anew with `call_0` in each message.
 */
export function createVerdictBook(
  contract: Pick<Contract, "admit" | "admitTurn" | "settings">,
): VerdictBook {
  const verdicts = createRecentMap<string, Admission>(MAX_VERDICTS);
  const names = createRecentMap<string, string>(MAX_VERDICTS);
  const ends = createRecentMap<string, ResultMarker>(MAX_VERDICTS);

  async function admitAll(
    calls: readonly ToolCall[],
    { turns, ...context }: JudgeContext,
  ): Promise<readonly Admission[]> {
    if (turns === undefined) return contract.admitTurn(calls, context);
    const { finishReason, ...rest } = context;
    const declaredTools = new Set(toolNames(context));
    const all = [...turns, { calls, results: [] }];
    const last = calls.at(-1);
    const positionAt = positionsIn(calls);
    return Promise.all(
      calls.map(async (call, index) =>
        contract.admit(call, {
          ...rest,
          position: positionAt(index),
          attempts: countAttempts(all, call.name, contract.settings.scope, { declaredTools }),
          // Output is cut at its end, so only the last call can be.
          ...(call === last && finishReason !== undefined && { finishReason }),
        }),
      ),
    );
  }

  return {
    async judge(calls, context) {
      const admissions = await admitAll(calls, context);
      for (const [index, { id, name }] of calls.entries()) {
        const admission = admissions[index];
        if (admission) verdicts.set(id, admission);
        names.set(id, name);
        // That of the call that had this id before.
        ends.take(id);
      }
      return admissions;
    },
    of: (callId) => verdicts.get(callId),
    nameOf: (callId) => names.get(callId),
    markerOf: (callId) => markerFor(verdicts.get(callId), ends.get(callId)),
    async run(callId, execute, runId) {
      const verdict = verdicts.get(callId);
      if (verdict === undefined) {
        throw new ToolContractError(
          `verdictBook.run: the call '${callId}' is not in the book. Pass its message to judge() first.`,
        );
      }
      if (verdict.status !== "admitted") return answer(verdict.result.content);
      try {
        const handled = await verdict.settle(execute, undefined, runId);
        ends.set(callId, resultMarker(handled.result));
        if (handled.status !== "executed") return answer(handled.result.content);
        if (handled.failure) return answer(handled.failure.message);
        return { isAnswer: false, output: noted(handled.output, verdict.note()) };
      } catch (thrown) {
        ends.set(callId, THREW);
        throw thrown;
      }
    },
    async refusedByHost(callId, thrown) {
      const verdict = verdicts.get(callId);
      if (verdict?.status !== "admitted") {
        throw new ToolContractError(
          `verdictBook.refusedByHost: the call '${callId}' was not admitted. See of() before you call it.`,
        );
      }
      const { result } = await verdict.refusedByHost(thrown);
      ends.set(callId, resultMarker(result));
      return result.content;
    },
  };
}

function answer(output: string): RunEnd {
  return { isAnswer: true, output };
}
