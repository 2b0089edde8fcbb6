import type {
  Blocked,
  CheckResult,
  Escalation,
  InvalidArguments,
  Refused,
} from "@toolcontract/core";
import { TypeValidationError } from "ai";

const CHECKED = Symbol("what the contract found");
const ANSWER = Symbol.for("toolcontract.ai-sdk.answer");
const MAX_CAUSES = 4;

/**
 * Makes an error show exactly this text to the model and in a log.
 *
 * Version 7 of the SDK calls `toString()`, versions 5 and 6 read `message`.
 *
 * @remarks The SDK's errors also carry the raw arguments: those stay readable by name, but are not printed.
 */
export function setText<T extends Error>(error: T, text: string): T {
  hide(error, "message", text);
  hide(error, "toString", toMessage);
  // No frames: they are the SDK's own, and formatting them takes as long as validating the call.
  hide(error, "stack", `${error.name}: ${text}`);
  hide(error, "cause", undefined);
  for (const [name, getter] of RAW_GETTERS) {
    if (!Object.hasOwn(error, name)) continue;
    const raw: unknown = Reflect.get(error, name);
    rawValues.set(error, { ...rawValues.get(error), [name]: raw });
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

// Getters, because inspectors print hidden values but do not run getters. Shared by all errors, because a getter per
// object would give every error a hidden class of its own.
const RAW_GETTERS = ["toolInput", "value"].map((name) => {
  const get = function (this: Error): unknown {
    return rawValues.get(this)?.[name];
  };
  return [name, { get, enumerable: false, configurable: true }] as const;
});

/** Creates an error that a tool's function may throw: the model reads exactly this text. */
export function rejectionError(text: string): Error {
  const error = new Error();
  error.name = "ToolCallRejected";
  return setText(error, text);
}

/**
 * Creates the error that the guarded schema returns: every fault, without the values.
 *
 * It carries the value itself, or the SDK would wrap it in an error of its own that prints the value.
 */
export function validationError(value: unknown, checked: InvalidArguments): Error {
  const error = new TypeValidationError({ value: undefined, cause: undefined });
  Object.defineProperty(error, "value", { value, configurable: true });
  Object.defineProperty(error, CHECKED, { value: checked });
  // No hints of ours: they may repeat what was sent. Those of guardrails are what the model reads if an approval came too late.
  const lines = checked.errors.map(({ fieldPath, errorCode, message, expectedValue, hint }) => {
    const place = fieldPath === "" ? "(arguments)" : fieldPath;
    const expected = expectedValue === undefined ? "" : `; expected ${expectedValue}`;
    const help = checked.refusal === undefined || hint === undefined ? "" : `; hint: ${hint}`;
    return `${place} (${errorCode}): ${message}${expected}${help}`;
  });
  return setText(error, lines.join("\n"));
}

/** The guarded schema's result for the arguments that this error of the SDK is about; undefined for any other error. */
export function checkedOf(error: unknown): CheckResult | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES; depth += 1) {
    if (typeof cause !== "object" || cause === null) return undefined;
    if (CHECKED in cause) return cause[CHECKED] as CheckResult;
    cause = "cause" in cause ? cause.cause : undefined;
  }
  return undefined;
}

/** Attaches the contract's answer to the error that the SDK keeps; nothing prints or copies it. */
export function attachAnswer(error: object, answer: Refused): void {
  Object.defineProperty(error, ANSWER, { value: answer, configurable: true });
}

/** The part of a step that this package reads; every step of generateText, streamText or an agent fits. */
export interface StepLike {
  /** The parts of the step. */
  readonly content: readonly object[];
}

/**
 * Returns the contract's answer to a refused call, from a part of a step's content such as `result.toolCalls[0]`;
 * undefined for anything else, also if the step has no call.
 *
 * @example
 * ```ts
 * const [call] = result.steps[0]?.toolCalls ?? [];
 * answerOf(call)?.attempt; // 1: the call was refused
 * ```
 * @see packages/ai-sdk/README.md
 */
export function answerOf(part: object | undefined): Refused | undefined {
  const error: unknown = part && "error" in part ? part.error : undefined;
  if (typeof error !== "object" || error === null || !(ANSWER in error)) return undefined;
  return error[ANSWER] as Refused;
}

/** All answers of a step, one for each refused call. */
function answersOf(step: StepLike): readonly Refused[] {
  return step.content.flatMap((part) => answerOf(part) ?? []);
}

/**
 * Returns the escalations of a run, oldest first, one per tool and turn: `escalationsOf(result.steps)`.
 *
 * @example
 * ```ts
 * for (const { toolName, summary } of escalationsOf(result.steps)) console.warn(toolName, summary);
 * ```
 * @see packages/ai-sdk/README.md
 */
export function escalationsOf(steps: readonly StepLike[]): readonly Escalation[] {
  return steps.flatMap((step) => {
    const spent = answersOf(step).filter(spentLastAttempt);
    const names = spent.map(countedAs);
    return spent
      .filter((_, index) => names.indexOf(names[index]) === index)
      .map(({ escalation }) => escalation);
  });
}

/** The name an escalation is counted under: all unknown tools count as one. */
function countedAs({ errors, escalation }: Blocked): string | undefined {
  const isUnknown = errors.some(({ errorCode }) => errorCode === "VAL-012");
  return isUnknown ? undefined : escalation.toolName;
}

/** Whether this call used up its tool's attempts; later calls of a blocked tool do not escalate again. */
function spentLastAttempt(answer: Refused): answer is Blocked {
  return answer.status === "blocked" && !answer.settled;
}
