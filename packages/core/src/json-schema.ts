/** A JSON Schema: an object of any dialect, or the boolean schemas `true` and `false`. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** The object form of a JSON Schema. */
export type SchemaObject = Exclude<JsonSchema, boolean>;
