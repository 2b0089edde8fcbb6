import { comparePaths } from "../fault.ts";
import type { Location } from "./walk.ts";
import type { Finding } from "../fault.ts";

const SCALAR =
  /(?:^| or )(?:[a-z0-9-]+ )?(?:string|number|integer|boolean|one of|["\d]|true|false)/;

/** Tells whether a value may be meant for a place: it is of the right kind, or near enough to be told how to mend it. */
export function fitsAs(
  { path, value }: Pick<Location, "path" | "value">,
  findings: readonly Finding[],
): boolean {
  if (value === null) return true;
  const isContainer = typeof value === "object";
  return !findings.some(
    ({ code, hint, expected = "", path: at }) =>
      code === "VAL-002" &&
      comparePaths(at, path) === 0 &&
      hint === undefined &&
      (isContainer || !SCALAR.test(expected)),
  );
}
