import type { Expectation, Hint, Note, Reason } from "./facts.ts";
import type { ErrorCode } from "./error-codes.ts";
import type { Severity } from "./validation-error.ts";

/** One step of a path from the arguments' root to a value: a property name or an index. */
export type PathSegment = string | number;

/** Which branch of a union the arguments were checked against. */
export type Variant =
  | { readonly kind: "branch"; readonly name: string }
  | { readonly kind: "words"; readonly text: string };

/**
 * What is wrong with a call's arguments, as facts with the raw value still in them.
 *
 * Findings never leave core: `message/` writes each once, as a sanitized ValidationError.
 */
export interface Finding {
  readonly code: ErrorCode;
  readonly path: readonly PathSegment[];
  readonly severity?: Severity;
  /** What happened, for the codes whose message does not follow from what was expected and sent. */
  readonly reason?: Reason;
  /** A rule's, a validator's or a host's own message. */
  readonly message?: string;
  readonly expected?: Expectation;
  /** The raw value that was sent; absent if showing one makes no sense (VAL-001, VAL-005). */
  readonly actual?: {
    readonly value: unknown;
    /** What was sent for an integer that parsing has rounded. */
    readonly digits?: string;
  };
  readonly hint?: Hint;
  /** What the author of the schema wrote for this very fault, in place of a hint. */
  readonly own?: string;
  /** For a missing or mistyped value: what is said of its place; shown only without a hint. */
  readonly note?: Note;
  readonly variant?: Variant;
  /** True if the schema marks the value as a secret (`writeOnly`, `format: password`). */
  readonly sensitive?: boolean;
  /** True if somebody else built the error, so that none of its words is trusted. */
  readonly foreign?: boolean;
  /** True if the expectation is from a validator's issue, in which a refinement may repeat what was sent. */
  readonly issued?: boolean;
  /** True if the value is already written as messages show it. */
  readonly preview?: boolean;
  /** Found only because the `unknownFields` option closes open objects; never decides a union. */
  readonly closing?: boolean;
  /** For an unknown field: the declared field that was probably meant. */
  readonly renameTo?: string;
  /** Set on faults found by re-checking a misspelt field under its intended name: the length of that field's path. */
  readonly assumed?: number;
  /** For a string where an array or object was wanted: the value whose JSON the string holds. */
  readonly nested?: { readonly value: unknown };
  /** For a missing field: the undeclared field under which it was probably sent. */
  readonly misnamedAs?: string;
  /** For a missing field: the undeclared object beside it that holds it. */
  readonly nestedUnder?: string;
  /** For a value that no JSON can be: the type that the validator wants. */
  readonly beyond?: string;
  /** For a union without a matching variant: the fields that each variant lacks, if only fields are missing. */
  readonly wanted?: readonly (readonly string[])[];
  /** For a fault of a conditional schema: the places that the condition reads. */
  readonly dependsOn?: readonly (readonly PathSegment[])[];
}

/** Whether a finding refuses the value. */
export function isBlocking({ severity = "error" }: Finding): boolean {
  return severity === "error";
}

/** Copies a finding without its hint. */
export function withoutHint(finding: Finding): Finding {
  const { hint: _, ...rest } = finding;
  return rest;
}

/** Whether a place is another one, or inside it. */
export function startsWith(path: readonly PathSegment[], start: readonly PathSegment[]): boolean {
  return (
    start.length <= path.length && start.every((segment, position) => path[position] === segment)
  );
}

/** Compares two paths segment by segment: indexes as numbers, names by code unit. */
export function comparePaths(a: readonly PathSegment[], b: readonly PathSegment[]): number {
  for (let position = 0; position < a.length; position += 1) {
    const left = a[position];
    const right = b[position];
    if (left === right) continue;
    if (left === undefined || right === undefined) break;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return compareText(String(left), String(right));
  }
  return a.length - b.length;
}

/** Compares two strings by code unit. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
