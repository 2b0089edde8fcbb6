import type { ErrorCode, JsonSchema, PathSegment } from "../../shared/index.ts";

/** A validator's issue, as far as its structure could be read. */
export interface StandardIssue {
  readonly path: readonly PathSegment[];
  readonly message: string;
  readonly reading: IssueReading;
}

/** A broken rule: its code, and the rule as a JSON Schema if it can be written as one. */
export interface BrokenRule {
  readonly kind: "fault";
  readonly code: ErrorCode;
  readonly schema?: JsonSchema;
  /** True if the rule's JSON Schema form differs from what the validator checks. */
  readonly exact?: boolean;
}

/** What an issue's structure says, without its message. */
export type IssueReading =
  | BrokenRule
  /** Unknown fields of the object at the path. */
  | { readonly kind: "unknown-fields"; readonly names: readonly string[] }
  /** No branch of a union matches; `isMixed` if the library lists all issues without their branches. */
  | {
      readonly kind: "union";
      readonly branches: readonly (readonly StandardIssue[])[];
      readonly isMixed?: boolean;
    }
  /** The tag of a union names no variant. */
  | { readonly kind: "tag"; readonly schema?: JsonSchema }
  /** More items than the array around the path allows. */
  | { readonly kind: "extra-item" }
  /** A refinement; `message` replaces the issue's message. */
  | { readonly kind: "rule"; readonly message?: string }
  /** Several issues in one. */
  | { readonly kind: "several"; readonly issues: readonly StandardIssue[] }
  /** Nothing but a path and a message. */
  | { readonly kind: "opaque" };

/** Reads the issues inside an issue; `relative` if their paths start at the outer one's. */
export type ReadInner = (issues: unknown, relative: boolean) => readonly StandardIssue[];

/** Reads what one library's structure says of an issue. */
export type IssueReader = (
  issue: Readonly<Record<string, unknown>>,
  readInner: ReadInner,
) => IssueReading;

/** Builds a broken rule, with its JSON Schema form if it has one. */
export function broken(code: ErrorCode, schema?: JsonSchema): BrokenRule {
  return schema === undefined ? { kind: "fault", code } : { kind: "fault", code, schema };
}

/** The pattern for a string that starts with, ends with or contains another. */
export function textPattern(part: "start" | "end" | "anywhere", text: string): string {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  if (part === "start") return `^${literal}`;
  return part === "end" ? `${literal}$` : literal;
}

/** The source of a regular expression, given as a RegExp or as `/source/flags`. */
export function patternSource(pattern: unknown): string | undefined {
  // A RegExp's source escapes every slash, which no pattern needs.
  if (pattern instanceof RegExp) return pattern.source.replaceAll(String.raw`\/`, "/");
  if (typeof pattern !== "string") return undefined;
  return /^\/(.*)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern;
}
