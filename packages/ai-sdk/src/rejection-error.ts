import type {
  Blocked,
  CheckResult,
  Escalation,
  InvalidArguments,
  Rejected,
} from "@toolcontract/core";
import { TypeValidationError } from "ai";

const CHECKED = Symbol("what the contract found");
const MAX_CAUSES = 4;

/**
 * Makes an error say exactly this to the model and to a log.
 *
 * Version 7 of the SDK asks `toString()`, versions 5 and 6 read `message`.
 *
 * @remarks The SDK's errors also carry the raw arguments; they stay readable by name, but are not printed.
 */
export function setText<T extends Error>(error: T, text: string): T {
  hide(error, "message", text);
  hide(error, "toString", toMessage);
  // Without the frames, which are the SDK's own: writing them out takes as long as judging the call.
  hide(error, "stack", `${error.name}: ${text}`);
  hide(error, "cause", undefined);
  for (const [name, getter] of RAW_GETTERS) {
    if (!Object.hasOwn(error, name)) continue;
    const kept: unknown = Reflect.get(error, name);
    rawValues.set(error, { ...rawValues.get(error), [name]: kept });
    Object.defineProperty(error, name, getter);
  }
  return error;
}

function hide(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, configurable: true, writable: true });
}

function toMessage(this: Error): string {
  return this.message;
}

const rawValues = new WeakMap<Error, Readonly<Record<string, unknown>>>();

// Getters, because inspectors print hidden values but do not run getters; the same for all errors, because engines
// take every object with a getter of its own for a kind of its own.
const RAW_GETTERS = ["toolInput", "value"].map((name) => {
  const get = function (this: Error): unknown {
    return rawValues.get(this)?.[name];
  };
  return [name, { get, enumerable: false, configurable: true }] as const;
});

/** An error of ours that a tool's function may throw: the model reads exactly its text. */
export function rejectionError(text: string): Error {
  const error = new Error();
  error.name = "ToolCallRejected";
  return setText(error, text);
}

/**
 * What the guarded schema answers with: the faults without a value.
 *
 * It carries the value's identity, or the SDK would wrap it into one of its own that prints the value.
 */
export function validationError(value: unknown, checked: InvalidArguments): Error {
  const error = new TypeValidationError({ value: undefined, cause: undefined });
  Object.defineProperty(error, "value", { value, configurable: true });
  Object.defineProperty(error, CHECKED, { value: checked });
  // Without the hints: they may repeat what was sent.
  const lines = checked.errors.map(({ fieldPath, errorCode, message, expectedValue }) => {
    const place = fieldPath === "" ? "(arguments)" : fieldPath;
    const expected = expectedValue === undefined ? "" : `; expected ${expectedValue}`;
    return `${place} (${errorCode}): ${message}${expected}`;
  });
  return setText(error, lines.join("\n"));
}

/** What the guarded schema found in the arguments that an error of the SDK is about; undefined for any other error. */
export function checkedOf(error: unknown): CheckResult | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES; depth += 1) {
    if (typeof cause !== "object" || cause === null) return undefined;
    if (CHECKED in cause) return cause[CHECKED] as CheckResult;
    cause = "cause" in cause ? cause.cause : undefined;
  }
  return undefined;
}

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
