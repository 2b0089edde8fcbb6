import {
  causesOf,
  errorClass,
  firstOf,
  isControlFlow,
  isError,
  readMember,
  retryAfterIn,
} from "@toolcontract/core/adapter";

import { FAILURE_CLASSES } from "../shared/index.ts";
import type { Classification, Classify, FailureContext } from "../shared/index.ts";
import { byBug, byFailedFetch, byFileCode, byInterruption, byWorldCode } from "./by-code.ts";
import type { NamedClass } from "./by-code.ts";
import { ADAPTIVE, byGrpcCode, byHttpStatus, httpStatusOf } from "./by-status.ts";
import { failureMessage } from "./failure-message.ts";
import { GuardrailViolation } from "./guardrail-violation.ts";
import { isErrorOutcome, isTypeName } from "./outcome.ts";
import type { ErrorOutcome } from "./outcome.ts";
import { isProblemResult, problemOf } from "./problem.ts";
import { askOwn } from "./own-classify.ts";
import { readString } from "./read.ts";
import { byClientName, byService } from "./service-failures.ts";

/** What a failed run was. */
export type ClassifiedFailure =
  /** Not a failure: it must reach the host as the same object. */
  | { readonly kind: "control-flow" }
  /** The tool found that the call is not allowed. */
  | { readonly kind: "violation"; readonly violation: GuardrailViolation }
  | {
      readonly kind: "failure";
      readonly classification: Classification;
      /** What went wrong, not sanitised yet: an author's words, or the first line of what was thrown. */
      readonly message: string;
      /** What was wrong with the answer of the user's own `classify`, which was not used. */
      readonly fault?: string;
    };

/** What the classification of a failure needs besides its error. */
export interface ClassifyOptions {
  /** The user's own; it wins for what it answers. */
  readonly classify?: Classify | undefined;
  /** The host's own signal, not a time limit's. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds of the clock, for a `Retry-After` that is a date.
   *
   * @default Date.now()
   */
  readonly now?: number;
}

/**
 * Whether what a tool returned says that it failed: an `Outcome.error`, an MCP result with `isError`, an error message of
 * LangChain, or a problem of RFC 9457.
 */
export function isFailedResult(result: unknown): boolean {
  return isErrorOutcome(result) || isToolError(result) || isProblemResult(result);
}

function isToolError(result: unknown): boolean {
  if (readMember(result, "isError") === true) return true;
  return (
    readMember(result, "lc_direct_tool_output") === true && readMember(result, "status") === "error"
  );
}

/** Says who could repair a failure. Never throws, whatever was thrown; the first rule that knows the failure decides. */
export function classifyFailure(
  error: unknown,
  context: FailureContext,
  options: ClassifyOptions = {},
): ClassifiedFailure {
  if (context.thrown && isControlFlow(error, options.signal)) return { kind: "control-flow" };
  if (GuardrailViolation.isInstance(error)) return { kind: "violation", violation: error };
  const own = askOwn(options.classify, error, context);
  const message = failureMessage(error);
  if (own !== undefined && "classification" in own) {
    return { kind: "failure", classification: own.classification, message };
  }
  const classification = classify(error, context, options.now ?? Date.now());
  return {
    kind: "failure",
    classification,
    message,
    ...(own !== undefined && { fault: own.fault }),
  };
}

function classify(error: unknown, context: FailureContext, now: number): Classification {
  if (isErrorOutcome(error)) return byOutcome(error);
  const causes = causesOf(error);
  const named = firstOf(causes, byProblem) ??
    firstOf(causes, byInterruption) ??
    firstOf(causes, byWorldCode) ??
    byService(causes, context.args) ??
    firstOf(causes, byStatus) ??
    firstOf(causes, byGrpcCode) ??
    firstOf(causes, (cause) => byFileCode(cause, context.args)) ??
    byToolError(error) ??
    firstOf(causes, byFailedFetch) ??
    byBug(error) ??
    firstOf(causes, byClientName) ?? { ...ADAPTIVE, error_type: typeNameOf(error) };
  const retryAfterMs =
    named.class === "extrinsic" ? firstOf(causes, (cause) => retryAfterOf(cause, now)) : undefined;
  return retryAfterMs === undefined ? named : { ...named, retryAfterMs };
}

/** An author's own words win; without a kind, an HTTP status in the metadata says what it would say of an error. */
function byOutcome(outcome: ErrorOutcome): Classification {
  const { error_type, retriable } = outcome;
  // Another install's outcome may have a kind that this one does not know.
  const kind = FAILURE_CLASSES.find((known) => known === readMember(outcome, "kind"));
  const byMetadata = byHttpStatus(readMember(readMember(outcome, "metadata"), "status"))?.class;
  return { class: kind ?? byMetadata ?? "adaptive", error_type, retriable };
}

function byProblem(error: unknown): NamedClass | undefined {
  const problem = problemOf(error);
  if (problem === undefined) return undefined;
  const status = problem.status ?? httpStatusOf(error);
  const treatment = byHttpStatus(status);
  return treatment && { ...treatment, error_type: problem.type ?? `http_${status}` };
}

function byStatus(error: unknown): NamedClass | undefined {
  const status = httpStatusOf(error);
  const treatment = byHttpStatus(status);
  return treatment && { ...treatment, error_type: `http_${status}` };
}

/** A result of MCP or a message of LangChain that says it is an error; both mean it for the model. */
function byToolError(error: unknown): NamedClass | undefined {
  return isToolError(error) ? { ...ADAPTIVE, error_type: "tool_error" } : undefined;
}

/** The name that an author gave an error, or else that of its class. */
function typeNameOf(error: unknown): string {
  if (!isError(error)) return "error";
  const name = readString(error, "name");
  return name !== "Error" && isTypeName(name) ? name : errorClass(error);
}

function retryAfterOf(error: unknown, now: number): number | undefined {
  const parts = [error, readMember(error, "response"), readMember(error, "$response")];
  const found = retryAfterIn(parts, now);
  return found === undefined ? undefined : Math.round(found);
}
