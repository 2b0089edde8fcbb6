import type { CheckResult, InvalidArguments } from "@toolcontract/core";
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
