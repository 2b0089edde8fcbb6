import { ToolContractError } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import { type Ended, failedIn, notPossible, withoutRun } from "./judgement.ts";
import type { TransactionRequest } from "./request.ts";

/** A store that failed before the tool ran. */
class StoreFailedError extends Error {
  override readonly name: string = "StoreFailedError";
}

/** The error for a store that failed; a mistake of the program is passed on unchanged. */
export function storeFailed(cause: unknown, log: TransactionRequest["log"]): unknown {
  if (cause instanceof ToolContractError) return cause;
  log("The store failed before the tool ran", { error: errorClass(cause) });
  return new StoreFailedError("The store failed", { cause });
}

/** Asks the store. */
export function asked<T>(log: TransactionRequest["log"], ask: () => T): T {
  try {
    return ask();
  } catch (cause) {
    throw storeFailed(cause, log);
  }
}

/** The end of a call whose tool has not run: it was cancelled while it waited, or it could not begin. */
export function notBegun(thrown: unknown): Ended {
  if (!(thrown instanceof StoreFailedError)) return withoutRun({ kind: "threw", error: thrown });
  const found = notPossible(errorClass(thrown.cause));
  return withoutRun(failedIn("execution", found, "dependency_unavailable"));
}
