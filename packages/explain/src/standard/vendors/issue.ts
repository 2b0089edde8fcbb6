import {
  type ErrorCode,
  JSON_TYPES,
  type JsonSchema,
  type PathSegment,
} from "../../shared/index.ts";

/** The readable parts of a validator's issue. */
export interface StandardIssue {
  readonly path: readonly PathSegment[];
  readonly message: string;
  /** What the author of the schema wrote for this fault; absent if the library's own words are all there is. */
  readonly own?: string;
  readonly reading: IssueReading;
}

/** A broken rule: its code, and the rule as a JSON Schema if it can be written as one. */
export interface BrokenRule {
  readonly kind: "fault";
  readonly code: ErrorCode;
  readonly schema?: JsonSchema;
  /** True if the rule's JSON Schema form differs from what the validator checks. */
  readonly exact?: boolean;
  /** The flags of the rule's pattern, which JSON Schema cannot express. */
  readonly flags?: string;
  /** What the validator wants that no JSON holds, such as `date` or `map`. */
  readonly beyond?: string;
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

/** Reads what the author of a schema wrote for an issue; undefined if the message is the library's. */
export type ReadOwn = (
  issue: Readonly<Record<string, unknown>>,
  message: string,
  path: readonly PathSegment[],
) => string | undefined;

/** Reads what one library's structure says of an issue. */
export type IssueReader = (
  issue: Readonly<Record<string, unknown>>,
  readInner: ReadInner,
) => IssueReading;

/** Builds a broken rule, with its JSON Schema form if it has one. */
export function broken(code: ErrorCode, schema?: JsonSchema): BrokenRule {
  return schema === undefined ? { kind: "fault", code } : { kind: "fault", code, schema };
}

/** A validator wants a Date: the nearest that JSON has is a string of its format. */
export const WANTS_DATE: BrokenRule = {
  ...broken("VAL-010", { type: "string", format: "date-time" }),
  beyond: "date",
};

/** A validator wants another type, which may be one that no JSON holds: the nearest to a bigint is an integer. */
export function wrongType(code: ErrorCode, type: unknown): BrokenRule {
  if (type === "bigint") return { ...broken(code, { type: "integer" }), beyond: type };
  if (typeof type !== "string" || !/^\w+$/.test(type)) return broken(code);
  const rule = broken(code, { type });
  return JSON_TYPES.includes(type) ? rule : { ...rule, beyond: type };
}

/** The pattern for a string that starts with, ends with or contains another. */
export function textPattern(part: "start" | "end" | "anywhere", text: string): string {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  if (part === "start") return `^${literal}`;
  return part === "end" ? `${literal}$` : literal;
}

/** The rule of a regular expression, given as a RegExp or as `/source/flags`. */
export function patternRule(pattern: unknown): BrokenRule | undefined {
  const written = pattern instanceof RegExp ? String(pattern) : pattern;
  if (typeof written !== "string") return undefined;
  const [, source = written, all = ""] = /^\/(.*)\/([a-z]*)$/s.exec(written) ?? [];
  const flags = all.replaceAll(/[^ims]/g, "");
  // A RegExp's source escapes every slash, which no pattern needs.
  const bare = pattern instanceof RegExp ? source.replaceAll(String.raw`\/`, "/") : source;
  const rule = broken("VAL-007", { type: "string", pattern: bare });
  return flags === "" ? rule : { ...rule, flags };
}
