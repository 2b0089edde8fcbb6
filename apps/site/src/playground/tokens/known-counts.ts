import counts from "./known-counts.json" with { type: "json" };

/** The tokens of the examples' messages by their key, so that the page shows them without a tokenizer. */
export const knownCounts: ReadonlyMap<string, number> = new Map(Object.entries(counts));
