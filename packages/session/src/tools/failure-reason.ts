import { readThrown } from "@toolcontract/core/adapter";
import { cleanLine } from "../shared/index.ts";

/**
 * What a model may read about anything that a tool threw, for `(tool failed: <reason>)`: the message of an error, a
 * string, or an object's `message` or `error`, as one line without secrets.
 *
 * @example
 * ```ts
 * toolFailed(failureReason(new Error("no such page"))); // "(tool failed: no such page)"
 * ```
 * @see packages/session/README.md
 */
export function failureReason(thrown: unknown): string {
  return cleanLine(readThrown(thrown)) || "the tool failed";
}
