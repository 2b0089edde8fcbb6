import { CallNotMade } from "@toolcontract/core/adapter";
import { type LostCall, type Message, outcomeOfLost, INTERNAL_ERROR } from "../wire/index.ts";

/** The answer to a call is lost: nobody knows whether the tool has run. */
class AnswerLost extends Error {
  override readonly name: string = "AnswerLost";
  readonly code: string | undefined;
  readonly status: number | undefined;

  constructor({ words, code, status }: ReturnType<typeof outcomeOfLost>) {
    super(words);
    this.code = code;
    this.status = status;
  }
}

/** What a stage's run of a call fails with if the call gets no answer. */
export function thrownByLost(lost: LostCall): Error {
  const outcome = outcomeOfLost(lost);
  return outcome.mayHaveRun ? new AnswerLost(outcome) : new CallNotMade(outcome.words);
}

/** What the client got for a call that failed with this; undefined if it was not the call that failed. */
export function errorOf(thrown: unknown): Message | undefined {
  if (!(thrown instanceof AnswerLost)) return undefined;
  return { code: INTERNAL_ERROR, message: thrown.message };
}

/** Whether a client has cancelled a call because it waited for too long: its model reads so, and may repeat the call. */
export function isTimeout(reason: unknown): boolean {
  return typeof reason === "string" && /-32001\b|time[ds]? ?-?out/i.test(reason);
}
