import type { Admission, CallContext } from "../call/index.ts";
import { createRecentMap } from "@toolcontract/explain/adapter";
import type { ToolCall } from "../shared/index.ts";
import type { Contract } from "./contract.ts";

/** Keeps the verdicts on the calls of a message until the framework asks for each. */
export interface VerdictBook {
  /** Decides on all calls of one message, as `contract.admitTurn` does, and keeps the verdicts. */
  judge(calls: readonly ToolCall[], context: CallContext): Promise<readonly Admission[]>;
  /** The verdict on a call; undefined if it was never judged, or so long ago that it is forgotten. */
  of(callId: string): Admission | undefined;
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
export function createVerdictBook(contract: Pick<Contract, "admitTurn">): VerdictBook {
  const verdicts = createRecentMap<string, Admission>(MAX_VERDICTS);
  return {
    async judge(calls, context) {
      const admissions = await contract.admitTurn(calls, context);
      for (const [index, { id }] of calls.entries()) {
        const admission = admissions[index];
        if (admission) verdicts.set(id, admission);
      }
      return admissions;
    },
    of: (callId) => verdicts.get(callId),
  };
}
