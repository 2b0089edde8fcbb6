import { createSeenOnce } from "./shared/index.ts";

/** A part of a schema that was not enforced, so that a value may pass which the schema forbids. */
export interface Degradation {
  /** What it is, in a few words, such as `schema: keyword-left-out`. */
  readonly reason: string;
  /** JSON Pointers into the schema; empty if it is about all of it. */
  readonly places: readonly string[];
  /** What was thrown. */
  readonly error: unknown;
}

const isFirst = createSeenOnce();

/** Warns on the console, once for each degradation. */
export function warnOnce({ reason, places }: Degradation): void {
  const what = [reason, ...places].join(" ");
  if (isFirst(what)) console.warn(`@toolcontract/explain does not enforce everything: ${what}`);
}
