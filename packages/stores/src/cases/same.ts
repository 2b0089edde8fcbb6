import { jsonEqual } from "@toolcontract/core/adapter";

/** Throws if two values differ as JSON: the cases run with any test runner, or none. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value) ?? "undefined");
  if (is === should || jsonEqual(jsonCopy(actual), jsonCopy(expected))) return;
  throw new Error(`${what}: expected ${should}, not ${is}`);
}

/** Only what JSON keeps: a member that is undefined equals one that is absent. */
function jsonCopy(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
