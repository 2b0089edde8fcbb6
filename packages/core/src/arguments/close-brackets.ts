import { findRoot } from "./find-root.ts";
import type { Repair } from "./repair-record.ts";
import { MAX_REPAIR_DEPTH, parseNative, repairText, type RepairedText } from "./repair-text.ts";
import type { JsonScan } from "./scan-json.ts";

/**
 * Adds the closing brackets that a cut text lacks, or answers undefined where more than brackets is missing.
 *
 * @remarks A number at the end is never taken for complete: `"amount": 10` may have been 1000.
 */
export function closeBrackets(
  text: string,
  scan: JsonScan | undefined,
  repairJson: boolean,
): RepairedText | undefined {
  if (scan === undefined || !scan.settled || scan.open.length > MAX_REPAIR_DEPTH) return undefined;
  const closers = scan.open.map((bracket) => (bracket === "{" ? "}" : "]")).toReversed();
  const closed = text + closers.join("");
  const close: Repair = {
    step: "close",
    offset: text.length,
    removed: 0,
    inserted: closers.length,
  };
  const native = parseNative(closed);
  if (native !== undefined) return { value: native.value, repairs: [close] };
  const root = repairJson ? findRoot(closed) : undefined;
  const repaired = root?.status === "closed" ? repairText(closed, root) : undefined;
  return repaired && { value: repaired.value, repairs: [...repaired.repairs, close] };
}
