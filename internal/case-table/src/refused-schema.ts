/** A schema that providers refuse as it is, since variants stand at its top. */
export const REFUSED_SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, zone: { type: "string" } },
  anyOf: [{ required: ["city"] }, { required: ["zone"] }],
} as const;

/** Arguments that the schema takes, and arguments that only its variants refuse. */
export const FITS_VARIANT = '{"city":"Oslo"}';
export const FITS_NO_VARIANT = "{}";

/** What a schema has at its top. */
export const topOf = (schema: unknown): readonly string[] =>
  Object.keys(schema as object).toSorted();

/** What the schema has at its top once it is written for a provider. */
export const WRITTEN = ["description", "properties", "type"] as const;
