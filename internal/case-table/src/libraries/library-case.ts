import type { GenericSchema } from "valibot";
import type { ZodTypeAny } from "zod3";

/** A tool whose schema comes from a library, a call that its validator refuses, and what the model reads. */
export interface LibraryCase {
  readonly name: string;
  /** The schema in zod 3, which a framework converts to JSON Schema itself. */
  readonly zod3?: ZodTypeAny;
  /** The same rules in valibot, as the JSON Schema that it exports describes them. */
  readonly valibot?: GenericSchema;
  /** The arguments that the model sends. */
  readonly sent: unknown;
  /** The errors in the compact style, a line each; the same words for both libraries. */
  readonly lines: readonly string[];
}
