import type { ErrorCode, Severity } from "./validation-error.ts";

/** One step of the way from the arguments' root to a value. */
export type PathSegment = string | number;

/**
 * A fault as the explaining stages find it, with the raw value still in it.
 *
 * Faults never leave core: each is turned into a sanitised ValidationError at once.
 */
export interface Fault {
  readonly code: ErrorCode;
  readonly path: readonly PathSegment[];
  readonly severity?: Severity;
  /** Replaces the message that follows from the code (needed for VAL-004, 011, 012, 014 and 016). */
  readonly message?: string;
  readonly expected?: string;
  /** The raw value that was sent; absent where showing one makes no sense (VAL-001, VAL-005). */
  readonly actual?: { readonly value: unknown };
  readonly hint?: string;
  /** True where the hint repeats the value, so that it is dropped when the value is masked. */
  readonly hintEchoes?: boolean;
  readonly variant?: string;
  /** True where the schema says that the value is a secret (`writeOnly`, `format: password`). */
  readonly sensitive?: boolean;
}

/** A fault on its way, with what the later steps of explaining need to know of it. */
export interface Finding extends Fault {
  /** Found only because the user closed open objects; never decides a union. */
  readonly closing?: boolean;
  /** For an unknown field: the declared one that it was probably meant to be. */
  readonly renameTo?: string;
  /** For what a misspelt field would be refused for under its right name: how long that name's path is. */
  readonly assumed?: number;
  /** For text where an array or object was wanted: what the text holds. */
  readonly nested?: { readonly value: unknown };
  /** For a missing field: the undeclared one under which it was probably sent. */
  readonly misnamedAs?: string;
  /** For a missing field: the undeclared one beside it whose fields it was sent among. */
  readonly heldIn?: {
    readonly name: string;
    /** All that it holds. */
    readonly fields: readonly string[];
  };
  /** For a union that nothing fits: the fields that each of its variants lacks, where only fields are missing. */
  readonly wanted?: readonly (readonly string[])[];
  /** For what a condition asks for: the places that the condition reads. */
  readonly dependsOn?: readonly (readonly PathSegment[])[];
}

/** The finding without its hint. */
export function withoutHint(finding: Finding): Finding {
  const { hint: _, ...rest } = finding;
  return rest;
}

/** Compares two paths segment by segment: indexes as numbers, names by code unit. */
export function comparePaths(a: readonly PathSegment[], b: readonly PathSegment[]): number {
  for (const [position, left] of a.entries()) {
    const right = b[position];
    if (right === undefined) return 1;
    if (left === right) continue;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return compareText(String(left), String(right));
  }
  return a.length - b.length;
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
