import { createRecentMap } from "@toolcontract/core/adapter";
import { sameArguments } from "./message-calls.ts";
import type { CallItem } from "./sdk.ts";

const MAX_KEPT = 1_000;

/** A call that was judged. */
interface JudgedCall {
  /** As the provider sent it. */
  readonly sent: Pick<CallItem, "callId" | "arguments">;
  /** The arguments as the runner and the history have them. */
  readonly written: string;
  /** That of the run in which it was judged. */
  readonly signal: AbortSignal | undefined;
}

/** The calls that were judged in this process. */
export interface JudgedCalls {
  add(id: string, call: JudgedCall): void;
  /** The call with this id and these arguments: histories and stored states of other processes have ids of their own. */
  find(id: string, args: unknown): JudgedCall | undefined;
}

/** Creates an empty record of calls, which keeps the latest. */
export function createJudgedCalls(): JudgedCalls {
  const calls = createRecentMap<string, JudgedCall>(MAX_KEPT);
  return {
    add(id, call) {
      calls.set(id, call);
    },
    find(id, args) {
      const call = calls.get(id);
      return call && sameArguments(call.written, args) ? call : undefined;
    },
  };
}
