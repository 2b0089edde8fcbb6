import type { CheckResult, InvalidArguments } from "@toolcontract/core";
import { TypeValidationError } from "ai";

const FRAMES = "\n    at ";
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
  const { stack = "", name } = error;
  const frames = stack.includes(FRAMES) ? stack.slice(stack.indexOf(FRAMES)) : "";
  const hide = (key: string, value: unknown): void => {
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  };
  hide("message", text);
  hide("toString", () => text);
  hide("stack", `${name}: ${text}${frames}`);
  hide("cause", undefined);
  for (const raw of ["toolInput", "value"]) {
    if (!Object.hasOwn(error, raw)) continue;
    const kept = (error as Readonly<Record<string, unknown>>)[raw];
    // A getter, because inspectors print hidden values but do not run getters.
    Object.defineProperty(error, raw, { get: () => kept, enumerable: false, configurable: true });
  }
  return error;
}

/** An error of ours that a tool's function may throw: the model reads exactly its text. */
export function rejectionError(text: string): Error {
  const error = setText(new Error(text), text);
  error.name = "ToolCallRejected";
  return error;
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
