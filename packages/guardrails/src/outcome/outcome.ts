import { ToolContractError } from "@toolcontract/core";
import {
  type OptionTable,
  checkMembers,
  isBoolean,
  isCallNotMade,
  isObject,
  oneOf,
  readMember,
} from "@toolcontract/core/adapter";

import { FAILURE_CLASSES } from "../shared/index.ts";
import type { FailureClass } from "../shared/index.ts";
import { plainCopy } from "./plain-copy.ts";

// Two installs of the package recognise each other's outcomes.
const BRAND = Symbol.for("toolcontract.outcome");
const NOT_DONE = Symbol.for("toolcontract.not-done");

/** A tool's result, marked as one; the host gets its value. */
export interface OkOutcome<T = unknown> {
  readonly status: "ok";
  /** What the host gets. */
  readonly value: T;
}

/** A tool's failure in its author's words, returned instead of thrown. */
export interface ErrorOutcome {
  readonly status: "error";
  /** A stable, low-cardinality name, such as `sold_out`. */
  readonly error_type: string;
  /** What went wrong, for the model. */
  readonly error_message: string;
  /** Whether another call may repair it. */
  readonly retriable: boolean;
  /** Who could repair it; if absent, `metadata.status` decides. */
  readonly kind?: FailureClass;
  /** Plain JSON data for logs and telemetry. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * What `Outcome.error` says about a failure besides its type and message.
 *
 * @example
 * ```ts
 * const options: ErrorOutcomeOptions = { retriable: true, metadata: { status: 409 } };
 * ```
 * @see docs/outcomes.md
 */
export interface ErrorOutcomeOptions {
  /**
   * Whether another call may repair it.
   *
   * @default false
   */
  readonly retriable?: boolean;
  /**
   * Who could repair it.
   *
   * @default what `metadata.status` means as an HTTP status, without it `"adaptive"`
   */
  readonly kind?: FailureClass;
  /** Plain JSON data for logs and telemetry, such as `{ status: 409 }`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const OUTCOME_OPTIONS: OptionTable<keyof ErrorOutcomeOptions> = {
  retriable: isBoolean,
  kind: oneOf(...FAILURE_CLASSES),
  metadata: { wants: "an object such as { status: 409 }", fits: isObject.fits },
};

/** What a tool returns to say how it went. */
export interface OutcomeFactory {
  /** The tool succeeded; the same as returning the value. */
  ok<T>(value: T): OkOutcome<T>;
  /**
   * The tool failed: what it staged is rolled back, and if the failure is repairable the model is asked for another call.
   *
   * @param type - A stable, low-cardinality name such as `sold_out`: no ids and no values.
   * @param message - What went wrong, in words for the model.
   * @throws ToolContractError if an argument is invalid.
   */
  error(type: string, message: string, options?: ErrorOutcomeOptions): ErrorOutcome;
  /**
   * The tool failed, and it is certain that nothing has happened, such as a payment that the bank declined: what the call has
   * reserved from limits is given back. Everything else is like `Outcome.error`.
   *
   * @param code - A stable, low-cardinality name such as `declined`: no ids and no values.
   * @param message - What went wrong, in words for the model.
   * @throws ToolContractError if an argument is invalid.
   */
  notDone(code: string, message: string, options?: ErrorOutcomeOptions): ErrorOutcome;
}

/**
 * Says how a tool's run went: `Outcome.ok(value)`, `Outcome.error(type, message)` or `Outcome.notDone(code, message)`.
 *
 * @example
 * ```ts
 * const outcome = seats === 0 ? Outcome.error("sold_out", "No seat is left") : Outcome.ok({ seats });
 * ```
 */
export const Outcome: OutcomeFactory = Object.freeze({
  ok: <T>(value: T): OkOutcome<T> => branded({ status: "ok", value }),
  error: (type: string, message: string, options?: ErrorOutcomeOptions): ErrorOutcome =>
    branded(createError("error", type, message, options)),
  notDone(code: string, message: string, options?: ErrorOutcomeOptions): ErrorOutcome {
    const outcome = createError("notDone", code, message, options);
    Object.defineProperty(outcome, NOT_DONE, { value: true });
    return branded(outcome);
  },
});

/** Whether a value was made by `Outcome`, in this install or another one. */
export function isOutcome(value: unknown): value is OkOutcome | ErrorOutcome {
  if (readMember(value, BRAND) !== true) return false;
  const status = readMember(value, "status");
  if (status === "ok") return true;
  return (
    status === "error" &&
    isTypeName(readMember(value, "error_type")) &&
    typeof readMember(value, "error_message") === "string" &&
    typeof readMember(value, "retriable") === "boolean"
  );
}

/** Whether a value was made by `Outcome.error` or `Outcome.notDone`. */
export function isErrorOutcome(value: unknown): value is ErrorOutcome {
  return isOutcome(value) && value.status === "error";
}

/** Whether a tool's answer says that nothing has happened: `Outcome.notDone`, or a host that could not make the call. */
export function isNotDone(value: unknown): boolean {
  if (isCallNotMade(value)) return true;
  return readMember(value, NOT_DONE) === true && isErrorOutcome(value);
}

function createError(
  method: "error" | "notDone",
  type: string,
  message: string,
  options: ErrorOutcomeOptions = {},
): ErrorOutcome {
  const misuse = (fault: string): ToolContractError =>
    new ToolContractError(`Outcome.${method}: ${fault}`);
  if (!isTypeName(type)) {
    throw misuse(
      "the type is not a name. Pass a stable one of letters, digits and '_-.:/', at most 64, such as 'sold_out'; ids and values belong in the metadata.",
    );
  }
  if (typeof message !== "string" || message.trim() === "") {
    throw misuse(`the message of '${type}' is empty. Pass a sentence that tells the model why.`);
  }
  checkMembers(`Outcome.${method}`, options, OUTCOME_OPTIONS);
  const { kind, retriable = false } = options;
  return {
    status: "error",
    error_type: type,
    error_message: message,
    retriable,
    ...(kind !== undefined && { kind }),
    metadata: metadataOf(type, options.metadata, misuse),
  };
}

/** Whether a string can name a type of failures: short, and of letters, digits and `_ - . : /`. */
export function isTypeName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z_][\w.:/-]{0,63}$/.test(value);
}

function metadataOf(
  type: string,
  metadata: unknown,
  misuse: (fault: string) => ToolContractError,
): Readonly<Record<string, unknown>> {
  const copied = plainCopy(metadata ?? {});
  if ("fault" in copied) {
    throw misuse(
      `the metadata of '${type}' is not plain JSON data: ${copied.fault}. Pass strings, finite numbers, booleans, null, and arrays and objects of them.`,
    );
  }
  return copied.value as Readonly<Record<string, unknown>>;
}

function branded<T extends object>(outcome: T): T {
  Object.defineProperty(outcome, BRAND, { value: true });
  // LangChain hands such an object on as it is, instead of writing it into a message.
  Object.defineProperty(outcome, "lc_direct_tool_output", { value: true });
  return Object.freeze(outcome);
}
