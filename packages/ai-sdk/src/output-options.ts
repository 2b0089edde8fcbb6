import type { Schema } from "ai";

/** A schema as `Output.object` takes it: version 5 exports no name for it. */
type FlexibleSchema<OBJECT> =
  | Schema<OBJECT>
  | (() => Schema<OBJECT>)
  | { readonly "~standard": { readonly types?: { readonly output: OBJECT } | undefined } };

/**
 * What the final answer of a run must be.
 *
 * @example
 * ```ts
 * const output: OutputOptions = { schema: z.object({ rating: z.number().max(5) }), maxAttempts: 3 };
 * ```
 * @see packages/ai-sdk/README.md
 */
export interface OutputOptions<OBJECT = unknown> {
  /** The schema, as `Output.object` takes it. */
  readonly schema: FlexibleSchema<OBJECT>;
  /**
   * How many answers may be wrong.
   *
   * @default the contract's `maxAttempts`
   */
  readonly maxAttempts?: number;
}
