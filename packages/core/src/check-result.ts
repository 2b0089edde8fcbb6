import type { Repair } from "./arguments/repair-record.ts";
import type { ValidationError } from "./validation-error.ts";

/** What checking a call's arguments found; it counts nothing and runs nothing. */
export type CheckResult = ValidArguments | InvalidArguments;

/** The tool accepts the arguments. */
export interface ValidArguments {
  readonly status: "valid";
  /** The arguments as sent, parsed and repaired: for hosts that validate again. */
  readonly input: unknown;
  /** The judge's value, with defaults and transforms: for the tool. Equal to `input` for JSON Schema. */
  readonly output: unknown;
  /** Warnings and remarks; they block nothing. */
  readonly advisories: readonly ValidationError[];
  /** What was changed to read the text. */
  readonly repairs: readonly Repair[];
}

/** The tool does not accept the arguments. */
export interface InvalidArguments {
  readonly status: "invalid";
  /** The errors in the order of telling, at most `format.maxErrors` of them. */
  readonly errors: readonly ValidationError[];
  /** How many errors there are. */
  readonly totalErrors: number;
  /** True where counting stopped early, so that there may be more than `totalErrors`. */
  readonly atLeast: boolean;
  readonly advisories: readonly ValidationError[];
  readonly repairs: readonly Repair[];
}
