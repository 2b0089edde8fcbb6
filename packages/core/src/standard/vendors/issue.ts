import type { ErrorCode, JsonSchema, PathSegment } from "../../shared/index.ts";

/** A validator's issue, as far as its own structure could be read. */
export interface StandardIssue {
  readonly path: readonly PathSegment[];
  readonly message: string;
  readonly reading: IssueReading;
}

/** A broken schema keyword: its code, and the one rule as a JSON Schema where that can be written. */
export interface BrokenRule {
  readonly kind: "fault";
  readonly code: ErrorCode;
  readonly schema?: JsonSchema;
  /** True where the JSON Schema form of the rule says something else than the validator checks. */
  readonly exact?: boolean;
}

/** What the structure of an issue says, beyond its message. */
export type IssueReading =
  | BrokenRule
  /** Fields of the object at the path that it does not know. */
  | { readonly kind: "unknown-fields"; readonly names: readonly string[] }
  /** No branch of a union fits; the issues of each branch, if the library kept them. */
  | { readonly kind: "union"; readonly branches: readonly (readonly StandardIssue[])[] }
  /** The field that names a union's variant names none. */
  | { readonly kind: "tag"; readonly schema?: JsonSchema }
  /** More items than the array at the path's parent may have. */
  | { readonly kind: "extra-item" }
  /** A requirement of the tool's own, beyond any schema; its words, if not the issue's message. */
  | { readonly kind: "rule"; readonly message?: string }
  /** Several issues in one. */
  | { readonly kind: "several"; readonly issues: readonly StandardIssue[] }
  /** Nothing but a path and a message. */
  | { readonly kind: "opaque" };

/** Reads issues inside of an issue; `relative` where their paths start at the outer one's. */
type ReadInner = (issues: unknown, relative: boolean) => readonly StandardIssue[];

/** Reads what one library's structure says of an issue. */
export type IssueReader = (
  issue: Readonly<Record<string, unknown>>,
  readInner: ReadInner,
) => IssueReading;

/** A broken rule, with the rule itself where it can be written as a JSON Schema. */
export function broken(code: ErrorCode, schema?: JsonSchema): BrokenRule {
  return schema === undefined ? { kind: "fault", code } : { kind: "fault", code, schema };
}

/** The pattern of a text that begins with, ends with or holds another. */
export function textPattern(part: "start" | "end" | "anywhere", text: string): string {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  if (part === "start") return `^${literal}`;
  return part === "end" ? `${literal}$` : literal;
}

/** The source of a regular expression, given as one or written as `/source/flags`. */
export function patternSource(pattern: unknown): string | undefined {
  // Its source writes every slash with a backslash, which no pattern needs.
  if (pattern instanceof RegExp) return pattern.source.replaceAll(String.raw`\/`, "/");
  if (typeof pattern !== "string") return undefined;
  return /^\/(.*)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern;
}
