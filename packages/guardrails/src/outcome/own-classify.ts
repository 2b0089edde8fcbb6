import { readMember } from "@toolcontract/core/adapter";
import { FAILURE_CLASSES, isTerminalReason } from "../shared/index.ts";
import type { Classification, Classify, FailureContext } from "../shared/index.ts";
import { isTypeName } from "./outcome.ts";
import { isPlainObject } from "./read.ts";

/** What the user's own `classify` said: its answer, nothing, or what was wrong with it. */
export type OwnAnswer =
  | { readonly classification: Classification }
  | { readonly fault: string }
  | undefined;

/** Asks the user's own `classify`. An invalid answer is reported and ignored, so that it cannot make a failure worse. */
export function askOwn(
  classify: Classify | undefined,
  error: unknown,
  context: FailureContext,
): OwnAnswer {
  if (classify === undefined) return undefined;
  let answer: unknown;
  try {
    answer = classify(error, context);
  } catch {
    return { fault: "classify threw" };
  }
  if (answer === undefined) return undefined;
  if (typeof readMember(answer, "then") === "function") {
    // Nobody waits for it, so its rejection must not end the process.
    Promise.resolve(answer).catch(() => undefined);
    return { fault: "classify returned a promise" };
  }
  return isPlainObject(answer) ? readOwnAnswer(answer) : { fault: "classify returned no object" };
}

function readOwnAnswer(answer: object): OwnAnswer {
  const kind = FAILURE_CLASSES.find((known) => known === readMember(answer, "class"));
  const type = readMember(answer, "error_type");
  const retriable = readMember(answer, "retriable");
  const reason = readMember(answer, "terminal");
  const terminal = isTerminalReason(reason) ? reason : undefined;
  const retryAfterMs = readMember(answer, "retryAfterMs");
  if (kind === undefined) return { fault: "classify returned an unknown class" };
  if (!isTypeName(type)) return { fault: "classify returned an error_type that is not a name" };
  if (typeof retriable !== "boolean") return { fault: "classify returned no retriable" };
  if (reason !== undefined && terminal === undefined) {
    return { fault: "classify returned an unknown terminal reason" };
  }
  const wait = typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : undefined;
  if (retryAfterMs !== undefined && (wait === undefined || !Number.isFinite(wait))) {
    return { fault: "classify returned a retryAfterMs that is not a time" };
  }
  return {
    classification: {
      class: kind,
      error_type: type,
      retriable,
      ...(terminal !== undefined && { terminal }),
      ...(wait !== undefined && { retryAfterMs: wait }),
    },
  };
}
