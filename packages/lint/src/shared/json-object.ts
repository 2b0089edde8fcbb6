/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;
