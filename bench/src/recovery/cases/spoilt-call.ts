import type { SchemaObject } from "@toolcontract/core";
import type { CorpusCall } from "../../corpus.ts";
import { without, withValue } from "../json.ts";

/** An invalid call with its ground truth. */
export interface SpoiltCall extends CorpusCall {
  /** The corpus that the tool and the valid call come from. */
  readonly source: string;
  /** The valid arguments. */
  readonly golden: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
  /** The secret parts of planted secrets: no message may contain them. */
  readonly secrets: readonly string[];
  /** Whether zod, with the same schema, reports each of the faults too. */
  readonly zodAgrees: boolean;
}

/** One fault put into a valid call, with what a good message says about it. */
export interface Fault {
  readonly kind:
    | "type"
    | "missing"
    | "enum"
    | "unknown"
    | "misspelt"
    | "limit"
    | "pattern"
    | "format"
    | "duplicate";
  readonly pointer: string;
  /** Other places it may be reported at: the right key for a misspelt one. */
  readonly also: readonly string[];
  /** What a message must contain to give the fix: one string of each group. */
  readonly fix: readonly (readonly string[])[];
  /** The intended name or value, if the slip is a near miss of it. */
  readonly near?: string;
  /** The edit that restores the valid call. */
  readonly undo: Edit;
  /** The schema at that place. */
  readonly schema: SchemaObject;
  readonly optional: boolean;
  /** The keys declared beside it. */
  readonly siblings: readonly string[];
  /** Whether it is inside a union. */
  readonly inUnion: boolean;
  /** The value means something else, so every did-you-mean is wrong. */
  readonly foreign?: true;
}

/** A change of arguments: first removals, then assignments. */
export interface Edit {
  readonly remove: readonly string[];
  readonly set: readonly (readonly [pointer: string, value: unknown])[];
}

/** Returns the arguments after an edit. */
export function applyEdit(args: unknown, { remove, set }: Edit): SpoiltCall["args"] {
  const removed = remove.reduce(without, args);
  return set.reduce((at, [pointer, value]) => withValue(at, pointer, value), removed) as Readonly<
    Record<string, unknown>
  >;
}
