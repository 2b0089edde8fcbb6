import * as v from "valibot";

/** What a worker is asked. */
export interface Asked<Request> {
  readonly id: number;
  readonly request: Request;
}

/** What it sends back: that it has begun, at most once, and then its reply. */
export type Answer = v.InferOutput<typeof ANSWER>;

/** Whoever sends it: nothing is known about a reply. */
export const ANSWER = v.union([
  v.strictObject({ id: v.number(), begun: v.literal(true) }),
  v.strictObject({ id: v.number(), reply: v.unknown() }),
]);
