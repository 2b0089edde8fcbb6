import type { SchemaObject } from "@toolcontract/core";

/** The ways in which a call is spoilt. */
type FaultKind =
  | "type"
  | "missing"
  | "enum"
  | "unknown"
  | "misspelt"
  | "limit"
  | "pattern"
  | "format"
  | "duplicate";

/** One thing that was made wrong in a valid call, with all that a good text says of it. */
export interface Fault {
  readonly kind: FaultKind;
  /** Where it is. */
  readonly pointer: string;
  /** Where a complaint may point too: a misspelt key's right place. */
  readonly also: readonly string[];
  /** The literal fix: of each group one text must be said. */
  readonly fix: readonly (readonly string[])[];
  /** The name or value that was surely meant, where the slip is a near miss. */
  readonly near?: string;
  /** How the valid call had it. */
  readonly undo: Edit;
  /** What the tool asks for there, and whether it asks at all. */
  readonly schema: SchemaObject;
  readonly optional: boolean;
  /** The keys that are allowed beside it. */
  readonly siblings: readonly string[];
  /** Whether a choice of variants is on the way there. */
  readonly inUnion: boolean;
  /** A value that means something else, so that every did-you-mean is wrong. */
  readonly foreign?: true;
  /** The wrong key is itself a secret and must not be shown. */
  readonly secretKey?: true;
}

/** A change of arguments: what is taken out, then what is put in. */
export interface Edit {
  readonly remove: readonly string[];
  readonly set: readonly (readonly [pointer: string, value: unknown])[];
}
