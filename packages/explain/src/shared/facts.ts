import type { JsonType } from "./json.ts";

/** A lower and an upper limit; either may be absent. */
export interface Limits {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A number's limits; `above` and `below` exclude the limit itself. */
export interface NumberLimits extends Limits {
  readonly above?: number | undefined;
  readonly below?: number | undefined;
}

/** A required field, with its value if only one is allowed; or one that may be sent, if none is required. */
export interface ExpectedField {
  readonly name: string;
  readonly isOptional?: true;
  readonly only?: { readonly value: unknown };
}

/** What a tool accepts at a place: facts, which `message/` turns into words. */
export type Expectation =
  | { readonly kind: "anything" }
  | { readonly kind: "nothing" }
  /** Nothing may stand at this place at all. */
  | { readonly kind: "absent" }
  | { readonly kind: "one-json-object" }
  | { readonly kind: "complete-json" }
  /** A value with fewer levels of nesting. */
  | { readonly kind: "shallower" }
  /** What the named branch of a union asks for. */
  | { readonly kind: "variant"; readonly name: string }
  /** Words of a rule, a validator or a host, which are shown as they are. */
  | { readonly kind: "words"; readonly text: string }
  /** One of these values; `brief` lists only the first few, because a hint names the likely one. */
  | {
      readonly kind: "values";
      readonly values: readonly unknown[];
      readonly brief?: boolean;
      /** Those to list first if not all of them fit. */
      readonly closest?: readonly unknown[];
    }
  /** A type that has nothing more to say: `boolean`, `null`, or a name of the author's. */
  | { readonly kind: "type"; readonly type: string }
  | {
      readonly kind: "number";
      readonly type: "integer" | "number";
      readonly limits: NumberLimits;
      readonly multipleOf?: number;
    }
  | {
      readonly kind: "string";
      readonly length: Limits;
      readonly format?: string;
      readonly pattern?: string;
      /** The flags of the pattern, such as `i`. */
      readonly flags?: string;
    }
  /** A string from which the validator makes another value, and what that must be. */
  | { readonly kind: "holding"; readonly of: Expectation }
  | {
      readonly kind: "array";
      readonly count: Limits;
      readonly items?: Expectation;
    }
  | {
      readonly kind: "tuple";
      readonly items: readonly Expectation[];
      readonly count: Limits;
      readonly rest?: Expectation;
    }
  /** An array whose number of items is wrong; the limits are shown even if `of` does not end in them. */
  | { readonly kind: "counted"; readonly of: Expectation; readonly count: Limits }
  | {
      readonly kind: "containing";
      readonly min: number;
      readonly max?: number;
      readonly of: Expectation;
    }
  /** Items that all differ; the two indexes are of equal ones. */
  | { readonly kind: "distinct"; readonly equal: readonly [number, number] }
  | { readonly kind: "object"; readonly fields: readonly ExpectedField[] }
  /** An object of any fields whose values are alike. */
  | { readonly kind: "map"; readonly values: Expectation }
  /** A choice of objects that one field tells apart. */
  | { readonly kind: "tagged"; readonly tag: string; readonly values: readonly unknown[] }
  /** An object with too many or too few fields. */
  | { readonly kind: "size"; readonly limits: Limits }
  /** The fields that an object may have: by name, and by pattern. */
  | {
      readonly kind: "fields";
      readonly names: readonly string[];
      readonly patterns: readonly string[];
      readonly brief?: boolean;
      readonly closest?: readonly string[];
    }
  | { readonly kind: "field-names"; readonly of: Expectation }
  /** Any of these; `more` were left out. */
  | { readonly kind: "either"; readonly of: readonly Expectation[]; readonly more?: number }
  /** What the branches of a union ask for, in their own order or the plain ones first. */
  | {
      readonly kind: "branches";
      readonly of: readonly Expectation[];
      readonly plainFirst?: boolean;
    }
  /** An object with fields that were not sent, and have to be sent together. */
  | { readonly kind: "branch"; readonly missing: readonly string[] }
  /** All of these at once. */
  | { readonly kind: "all"; readonly of: readonly Expectation[] }
  | { readonly kind: "not"; readonly of: Expectation }
  | { readonly kind: "not-all"; readonly names: readonly string[] }
  | { readonly kind: "only-one"; readonly names: readonly string[] }
  /** A value of which only one of these is true. */
  | { readonly kind: "exactly-one"; readonly of: readonly Expectation[] }
  /** The tools that a host has, the likely one first. */
  | { readonly kind: "tools"; readonly names: readonly string[] };

/** What the author of a schema says of a place. */
export interface Note {
  readonly description?: string;
  /** The default, if the place accepts it. */
  readonly usual?: { readonly value: unknown };
}

/** The literal fix of a finding, where one is nearly certain. `echoes`: it repeats what was sent. */
export type Hint = { readonly echoes?: boolean } & (
  | { readonly kind: "leave-out" }
  /** A field that the tool does not have, although the call may mean something else without it. */
  | { readonly kind: "no-option" }
  /** A declared field that takes what an unknown one holds. */
  | { readonly kind: "did-you-mean"; readonly name: string }
  | { readonly kind: "use"; readonly value: unknown }
  /** A tool that is offered once another one has found it. */
  | { readonly kind: "find-with"; readonly name: string }
  /** A number, boolean or null that was sent in quotes; `literal` is how JSON writes it. */
  | { readonly kind: "unquote"; readonly literal: string }
  /** An array or object that was sent as JSON text. */
  | { readonly kind: "unstringify"; readonly type: JsonType }
  | { readonly kind: "unwrap-array" }
  | { readonly kind: "unwrap-object" }
  | { readonly kind: "wrap-in-array" }
  /** An array of the parts of a string; an example, because a separator may belong to an item. */
  | { readonly kind: "send-array"; readonly value: readonly unknown[] }
  | { readonly kind: "rename-to"; readonly name: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  /** Fields that were sent one level too deep, in an object of this name. */
  | { readonly kind: "lift"; readonly from?: string }
  /** A field that belongs beside the object that it was sent in. */
  | { readonly kind: "move-up" }
  /** A field that belongs into an object beside it, or into an item of a list. */
  | { readonly kind: "move-into"; readonly name: string; readonly isOfItems?: boolean }
  /** A list of objects, each of which is what the tool takes. */
  | { readonly kind: "lift-items" }
  /** A time without its zone. */
  | { readonly kind: "add-zone" }
  /** A date in the right form, such as `2026-02-30`. */
  | { readonly kind: "use-real-date" }
  /** Several values for a field of one thing: the call has to be made for each. */
  | { readonly kind: "one-by-one" }
  /** One value is wanted in place of a list: a string, which the items may be parts of, or a value that cannot be split. */
  | { readonly kind: "one-value"; readonly of: "text" | "value" }
  /** A number whose digits are not known as they were sent. */
  | { readonly kind: "quote" }
  /** A field that has to be sent, and may be null. */
  | { readonly kind: "send-null" }
  /** An array or object where a string of JSON is wanted. */
  | { readonly kind: "stringify"; readonly value: unknown }
  /** The schema itself was sent. */
  | { readonly kind: "not-schema" }
  /** Several different calls in one string. */
  | { readonly kind: "one-call-each"; readonly count: number }
  /** `brackets` are the one that is open and the one that was sent to close it. */
  | { readonly kind: "json"; readonly rule: JsonRule; readonly brackets?: string }
  | { readonly kind: "send-shorter" }
  | { readonly kind: "send-whole" }
  /** What takes too long to check: all of it, or a string that has to match a pattern. */
  | { readonly kind: "send-less"; readonly of: "parts" | "string" }
  | { readonly kind: "words"; readonly text: string }
);

/** The rule of JSON that a string breaks. */
export type JsonRule =
  | "one-object"
  | "only-json"
  | "strict"
  | "value"
  | "calculation"
  | "quote"
  | "double-quotes"
  | "close-string"
  | "comments"
  | "plus"
  | "twice"
  | "bracket"
  | "backslash";

/** What happened, for the codes whose message does not follow from what was expected and sent. */
export type Reason =
  | {
      readonly kind: "invalid-json";
      readonly offset: number;
      readonly line: number;
      readonly column: number;
      /** The text around it, with a mark; absent if it may hold a secret. */
      readonly near?: string;
    }
  /** A number with a fraction where an integer is expected. */
  | { readonly kind: "fraction" }
  /** A number that parsing changes. */
  | { readonly kind: "inexact" }
  /** `after` is how many UTF-16 units arrived, if that is known. */
  | { readonly kind: "cut-off"; readonly after?: number | undefined }
  | { readonly kind: "unknown-tool"; readonly name: string }
  /** A tool that exists, and that the model is not offered in this turn. */
  | { readonly kind: "unavailable-tool"; readonly name: string }
  | { readonly kind: "blocked" }
  /** Required only because of other fields: those that were sent, or the one named. */
  | { readonly kind: "required-because"; readonly field: string; readonly given?: string }
  | { readonly kind: "exclusive-fields" }
  | { readonly kind: "ruled-out" }
  | { readonly kind: "conflict" }
  | { readonly kind: "several-variants"; readonly names: readonly string[] }
  | { readonly kind: "too-deep" }
  | { readonly kind: "too-much-to-check" }
  /** A tool only fails at run time: the class of its errors, never what they say. */
  | { readonly kind: "fails-again"; readonly how: string }
  | { readonly kind: "rule-unmet" }
  | { readonly kind: "rule-failed" }
  | { readonly kind: "rule-could-not-run" }
  /** `detail` is the first line of what the validator threw. */
  | { readonly kind: "validator-could-not-run"; readonly detail?: string }
  | { readonly kind: "validator-refused" }
  | { readonly kind: "unreadable-error" };

/** Whether two expectations ask for the same, however briefly they are written. */
export function sameExpectation(a: Expectation | undefined, b: Expectation | undefined): boolean {
  return a === b || canonicalExpectation(a) === canonicalExpectation(b);
}

/** Writes an expectation so that those that ask for the same are equal. */
export function canonicalExpectation(expected: Expectation | undefined): string | undefined {
  return JSON.stringify(expected, (key, value: unknown) =>
    key === "brief" || key === "closest" ? undefined : value,
  );
}
