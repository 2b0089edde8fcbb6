import { ToolContractError, type RuleError } from "@toolcontract/core";
import type { GuardrailViolation } from "../outcome/index.ts";
import {
  type Guardrail,
  TERMINAL_REASONS,
  type TerminalReason,
  type Violation,
  isTerminalReason,
} from "../shared/index.ts";

/** A guardrail as the engine runs it: whatever the state, the arguments and the result are. */
export type AnyGuardrail = Guardrail<unknown, never, never>;

/** A violation, and the guardrail that found it. */
export interface Found {
  /** The guardrail's name. */
  readonly type: string;
  readonly error: RuleError;
  readonly message: string;
  readonly location?: string;
  readonly correction?: string;
  /** True if a person is asked, and nothing is wrong. */
  readonly asks?: boolean;
  /** True if something is missing that only the host could have passed: no mistake of the model. */
  readonly isHosts?: boolean;
  /** Set if no other call can succeed. */
  readonly terminal?: TerminalReason | "guardrail_failed";
}

/** Why a guardrail that failed refuses. */
export const FAILED = "A guardrail could not be checked";

const NONE: readonly never[] = Object.freeze([]);

/** A guardrail that failed refuses the call and closes the tool: nobody knows what it would have said. */
export function foundFailed({ name }: AnyGuardrail): Found {
  const error = { errorCode: "GRD-004", message: FAILED } as const;
  return { type: name, error, message: FAILED, terminal: "guardrail_failed" };
}

/** A guardrail that needs a place of the call that is not known refuses it, and closes nothing. */
export function foundUnplaced({ name }: AnyGuardrail): Found {
  const error = { errorCode: "GRD-004", message: FAILED } as const;
  return { type: name, error, message: FAILED, isHosts: true };
}

/** Reads the violations of a verdict; throws if it is invalid. */
export function readVerdict(guardrail: AnyGuardrail, verdict: unknown): readonly Found[] {
  if (verdict === undefined || verdict === null || verdict === false) return NONE;
  const violations: readonly unknown[] = Array.isArray(verdict) ? verdict : [verdict];
  return violations.map((one) => toFound(guardrail, one));
}

/** What a tool itself found while it ran. */
export function foundBy({ type, violation }: GuardrailViolation): readonly Found[] {
  return [toFound({ name: type, stage: "commit" }, violation)];
}

type Judge = Pick<AnyGuardrail, "name" | "stage" | "hint"> & {
  readonly class?: unknown;
  readonly reason?: unknown;
};

function toFound(guardrail: Judge, given: unknown): Found {
  const { ask } = Object(given) as { readonly ask?: unknown };
  const isBefore = (guardrail.stage ?? "validate") === "validate";
  if (typeof ask === "string" && ask.trim() !== "" && isBefore) {
    const error = { errorCode: "GRD-001", message: ask } as const;
    return { type: guardrail.name, message: ask, error, asks: true };
  }
  const violation: unknown = typeof given === "string" ? { message: given } : given;
  const { message, fieldPath, hint = guardrail.hint } = Object(violation) as Partial<Violation>;
  if (typeof message !== "string" || message.trim() === "") {
    throw new ToolContractError(
      `Guardrail '${guardrail.name}': check() must answer nothing, a message, or { message, fieldPath, hint }.`,
    );
  }
  const terminal =
    terminalReasonOf(Object(violation) as Judge, guardrail) ??
    terminalReasonOf(guardrail, guardrail);
  const code = guardrail.stage === "commit" ? "GRD-002" : "GRD-001";
  return {
    type: guardrail.name,
    message,
    error: {
      errorCode: terminal === undefined ? code : "GRD-003",
      message,
      ...(typeof fieldPath === "string" && { fieldPath }),
      ...(typeof hint === "string" && { hint }),
    },
    ...(typeof fieldPath === "string" && { location: fieldPath }),
    ...(typeof hint === "string" && { correction: hint }),
    ...(terminal !== undefined && { terminal }),
  };
}

function terminalReasonOf(given: Omit<Judge, "name">, { name }: Judge): TerminalReason | undefined {
  if (given.class !== "terminal_guardrail") return undefined;
  if (isTerminalReason(given.reason)) return given.reason;
  throw new ToolContractError(
    `Guardrail '${name}': a terminal violation needs a reason, one of ${TERMINAL_REASONS.join(", ")}.`,
  );
}

/** What an output guardrail says of a result. */
export type JudgedResult =
  | { readonly kind: "shown" }
  | { readonly kind: "replaced"; readonly value: unknown }
  | { readonly kind: "withheld"; readonly why: string };

/** Reads the verdict on a result; throws if it is invalid. */
export function readResultVerdict(guardrail: AnyGuardrail, verdict: unknown): JudgedResult {
  const replaced = Object(verdict) as { readonly replace?: unknown };
  if (verdict !== null && typeof verdict === "object" && Object.hasOwn(replaced, "replace")) {
    return { kind: "replaced", value: replaced.replace };
  }
  const found = readVerdict(guardrail, verdict);
  if (found.length === 0) return { kind: "shown" };
  return { kind: "withheld", why: found.map(({ message }) => message).join("; ") };
}
