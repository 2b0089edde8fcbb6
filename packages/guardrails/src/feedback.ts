import type { StageReports } from "@toolcontract/core/stage";
import { errorClass } from "@toolcontract/core/adapter";
import type { RefusedTransaction } from "./transaction/index.ts";
import { failureMessage } from "./outcome/index.ts";

/**
 * What `generate` reads about the failed attempt before another one; a call's result has it as `feedback`, with the verdict of guardrails.
 *
 * Source: the guardrail recovery ADR, "Structured Recovery Feedback Contract".
 */
export interface Feedback {
  /** The guardrail's name, the type of the outcome, or the class of what `generate` threw. */
  readonly violation_type: string;
  /** What is wrong, without secrets. */
  readonly violation_message: string;
  /** Where, as a JSON Pointer into the arguments, if it is known. */
  readonly violation_location?: string;
  /** What to do instead; it names the mechanism, not the answer. */
  readonly required_correction: string;
  /** The number of the attempt that failed, from 1. */
  readonly attempt_number: number;
  /** How many more attempts the lane of the failure allows. */
  readonly remaining_budget: number;
  /** `failed` if guardrails refused the attempt. */
  readonly validation_result?: "failed";
  /** Whether another attempt may pass, if guardrails refused this one. */
  readonly guardrail_class?: "recoverable_guardrail" | "terminal_guardrail";
}

const ANOTHER: Readonly<Record<RefusedTransaction["lane"] | "closed", string>> = {
  guardrail: "Change it so that the guardrail passes.",
  outcome: "Try another way: this one failed.",
  closed: "Go on without the tool: no call of it can succeed until something outside changes.",
};

/** The feedback after an attempt that guardrails or its outcome refused. */
export function feedbackOn(
  { found, lane, type, closes }: Pick<RefusedTransaction, "found" | "lane" | "type" | "closes">,
  numbers: Pick<Feedback, "attempt_number" | "remaining_budget">,
  reports: Pick<StageReports, "sanitize">,
): Feedback {
  const location = found.find((one) => one.location !== undefined)?.location;
  const messages = found.map(({ message }) => reports.sanitize(message));
  const corrections = found.flatMap(({ correction = [] }) => correction);
  return {
    violation_type: type,
    violation_message: messages.join("; "),
    ...(location !== undefined && { violation_location: reports.sanitize(location) }),
    required_correction:
      corrections.length > 0
        ? reports.sanitize(corrections.join("; "))
        : ANOTHER[closes === undefined ? lane : "closed"],
    ...numbers,
  };
}

/**
 * The verdict of guardrails on a refused attempt, if they refused it.
 *
 * Source: the guardrail recovery plan, "Validation Failure Classification".
 */
export function verdictOn({
  lane,
  closes,
}: Pick<RefusedTransaction, "lane" | "closes">): Pick<
  Feedback,
  "validation_result" | "guardrail_class"
> {
  if (lane !== "guardrail") return {};
  const kind = closes === undefined ? "recoverable_guardrail" : "terminal_guardrail";
  return { validation_result: "failed", guardrail_class: kind };
}

/** The feedback after a generation that threw. */
export function feedbackOnGeneration(
  thrown: unknown,
  numbers: Pick<Feedback, "attempt_number" | "remaining_budget">,
  reports: Pick<StageReports, "sanitize">,
): Feedback {
  return {
    violation_type: errorClass(thrown),
    violation_message: reports.sanitize(failureMessage(thrown)),
    required_correction: "Generate it again so that it can be read.",
    ...numbers,
  };
}
