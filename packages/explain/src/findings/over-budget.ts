import { WalkBudgetExceeded } from "../schema/index.ts";
import type { Finding, Hint } from "../shared/index.ts";

/** What happens to a value that would cost more to check than the budget. */
export type OverBudget = "refuse" | "accept";

/** Nested deeper than any reasonable arguments. */
const DEEP = 50;

/** Whether a check ended for the size or the depth of the value; undefined if it ended for a fault of our own. */
export function spentOn(error: unknown, value: unknown): "steps" | "depth" | undefined {
  if (error instanceof WalkBudgetExceeded && error.spent === "steps") return "steps";
  const isEndless = error instanceof RangeError || error instanceof WalkBudgetExceeded;
  // A stack overflow on a deeply nested value is the model's fault; on a flat one it is the schema's.
  return isEndless && isNested(value, DEEP) ? "depth" : undefined;
}

function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    return levels === 0 || Object.values(value).some((inner) => isNested(inner, levels - 1));
  } catch {
    // A host's value, whose fields cannot be read.
    return false;
  }
}

/** Refuses a value of which nobody knows whether it is valid. */
export function tooMuchToCheck(of: (Hint & { kind: "send-less" })["of"]): Finding {
  return {
    code: "VAL-016",
    path: [],
    reason: { kind: "too-much-to-check" },
    hint: { kind: "send-less", of },
  };
}

/** Refuses a value that is nested too deeply to be checked. */
export function tooDeep(): Finding {
  return {
    code: "VAL-003",
    path: [],
    reason: { kind: "too-deep" },
    expected: { kind: "shallower" },
  };
}
