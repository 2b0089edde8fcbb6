import type { SpendingFault } from "../ledger/index.ts";
import type { Found } from "./read-verdict.ts";

/** What the model reads of a call that may not spend what it wants to. */
export function limitReached(fault: SpendingFault): Found {
  switch (fault.kind) {
    case "short":
      return found(fault.limit, "GRD-008", allowed(fault), wayOut(fault));
    case "amount": {
      const message = `the amount for limit '${fault.limit}' must be a finite number of at least 0`;
      return found(fault.limit, "GRD-001", message);
    }
    case "scope": {
      const message = `limit '${fault.limit}' cannot be checked for this call`;
      return { ...found(fault.limit, "GRD-004", message), isHosts: true };
    }
    case "failed": {
      const message = "The limits of this call could not be checked";
      return { ...found("limits", "GRD-004", message), terminal: "guardrail_failed" };
    }
    case "unavailable":
      return found("limits", "GRD-004", "Limits cannot be checked now", "try again later");
  }
}

type Short = Extract<SpendingFault, { readonly kind: "short" }>;

function allowed({ limit, max, per, left }: Short): string {
  const time = per === undefined ? "" : ` per ${per}`;
  return `limit '${limit}' allows ${max}${time}, and ${left} ${left === 1 ? "is" : "are"} left`;
}

function wayOut({ per, left }: Short): string {
  if (left > 0) return `stay within ${left}`;
  const isWindow = per !== undefined && per !== "run";
  return isWindow ? "go on without it, or try again later" : "go on without it";
}

function found(
  type: string,
  errorCode: "GRD-001" | "GRD-004" | "GRD-008",
  message: string,
  hint?: string,
): Found {
  const correction = hint === undefined ? {} : { correction: hint };
  return {
    type,
    message,
    error: { errorCode, message, ...(hint !== undefined && { hint }) },
    ...correction,
  };
}
