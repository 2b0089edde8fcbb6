import type { Blocked, Escalation, Rejected } from "@toolcontract/core";

const ANSWER = Symbol.for("toolcontract.ai-sdk.answer");

/** A step of generateText, streamText or an agent, as far as this package reads it. */
export interface StepLike {
  readonly content: readonly object[];
}

/** Keeps the contract's answer on the error that the SDK keeps; nothing prints or copies it. */
export function attachAnswer(error: object, answer: Rejected | Blocked): void {
  Object.defineProperty(error, ANSWER, { value: answer, configurable: true });
}

/** The contract's answer to a call: from a part of a step's content, such as `result.toolCalls[0]`. */
export function answerOf(part: object): Rejected | Blocked | undefined {
  const error: unknown = "error" in part ? part.error : undefined;
  if (typeof error !== "object" || error === null || !(ANSWER in error)) return undefined;
  return error[ANSWER] as Rejected | Blocked;
}

/** All answers of a step, one for each refused call. */
export function answersOf(step: StepLike): readonly (Rejected | Blocked)[] {
  return step.content.flatMap((part) => answerOf(part) ?? []);
}

/** The escalations of a run, oldest first, one for each tool and turn: `escalationsOf(result.steps)`. */
export function escalationsOf(steps: readonly StepLike[]): readonly Escalation[] {
  return steps.flatMap((step) => {
    const fresh = answersOf(step).filter(isFresh);
    const names = fresh.map(countedAs);
    return fresh
      .filter((_, index) => names.indexOf(names[index]) === index)
      .map(({ escalation }) => escalation);
  });
}

/** All names that no tool has are counted as one. */
function countedAs({ errors, escalation }: Blocked): string | undefined {
  const isUnknown = errors.some(({ errorCode }) => errorCode === "VAL-012");
  return isUnknown ? undefined : escalation.toolName;
}

/** Tells whether the call spent its tool's last attempt; later calls of a blocked tool escalate nothing. */
function isFresh(answer: Rejected | Blocked): answer is Blocked {
  return answer.status === "blocked" && !answer.settled;
}

/** Tells whether the call was one of a tool whose attempts were spent in an earlier turn. */
export function isSettled(answer: Rejected | Blocked): boolean {
  return answer.status === "blocked" && answer.settled;
}
