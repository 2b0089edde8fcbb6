import * as v from "valibot";

/** What the sandbox of a tool is asked: to run its code, once, and then to validate values. */
export type ToolRequest = { readonly code: string } | { readonly value: unknown };

/** What the code of a tool defines, as it leaves the sandbox. */
export const DEFINED = v.union([
  v.strictObject({ fault: v.string() }),
  v.strictObject({
    name: v.exactOptional(v.string()),
    /** Absent if the code defines no Standard Schema. */
    validator: v.exactOptional(
      v.strictObject({
        vendor: v.fallback(v.string(), ""),
        jsonSchema: v.exactOptional(v.record(v.string(), v.unknown())),
      }),
    ),
  }),
]);

/** What a validator says, as it leaves the sandbox; core reads issues and values as foreign ones. */
export const VALIDATED = v.union([
  v.strictObject({ issues: v.custom<readonly unknown[]>(Array.isArray) }),
  v.strictObject({ value: v.unknown() }),
  v.strictObject({ threw: v.literal(true) }),
]);

export type Defined = v.InferOutput<typeof DEFINED>;
export type Validated = v.InferOutput<typeof VALIDATED>;
