import type { CheckResult } from "@toolcontract/core";
import { isRecord, refusedWith } from "@toolcontract/core/adapter";

const MAX_CAUSES = 20;

/** Whether other middleware threw, or wrapped what a tool threw. */
export function isMiddlewareError(thrown: unknown): boolean {
  return isRecord(thrown) && thrown["~brand"] === "MiddlewareError";
}

/**
 * Whether LangChain's own validation of the arguments threw. Recognised by shape: each copy of a package has its own
 * classes.
 *
 * @param args - The arguments that the tool got; a refusal of others comes from a call inside the tool.
 */
export function isInputRefusal(thrown: unknown, args: unknown): boolean {
  const cause = causeOf(thrown);
  const refusal = isRecord(cause) && isRecord(cause["toolCall"]) ? cause["toolError"] : cause;
  if (!isRecord(refusal)) return false;
  const { constructor } = refusal;
  if (typeof constructor !== "function" || constructor.name !== "ToolInputParsingException") {
    return false;
  }
  return refusal["output"] === undefined || refusal["output"] === JSON.stringify(args);
}

/** What LangChain tells the model of arguments that it refuses itself; undefined for any other error. */
export function refusalTextOf(thrown: unknown): string | undefined {
  const cause = causeOf(thrown);
  const isOwn = cause instanceof Error && cause.constructor.name === "ToolInvocationError";
  return isOwn ? cause.message : undefined;
}

/** What was thrown inside of other middleware. */
function causeOf(thrown: unknown): unknown {
  let cause = thrown;
  for (let depth = 0; depth < MAX_CAUSES && isMiddlewareError(cause); depth += 1) {
    cause = isRecord(cause) ? cause["cause"] : undefined;
  }
  return cause;
}

/** Reported when LangChain refuses arguments that the contract accepted. */
export const REFUSED_BY_TOOL: CheckResult = refusedWith({
  errorCode: "VAL-016",
  message: "The tool refused these arguments",
});

/** Reported when a call that was refused as it was made, so that nobody was asked about it, is valid by now. */
export const HELD_BACK: CheckResult = refusedWith({
  errorCode: "VAL-016",
  message: "The call was refused when it was made, and nobody was asked about it",
});

/** Reported when a call's arguments became readable too late for it to run. */
export const READ_TOO_LATE: CheckResult = refusedWith({
  errorCode: "VAL-004",
  message: "Invalid JSON",
  expectedValue: "one JSON object",
});
