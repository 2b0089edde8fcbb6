import { writeExpectation, writeHint, writeReason, writeVariant } from "../words/index.ts";
import type { Finding } from "../shared/index.ts";

/** A finding as its tests read it: every fact in words. */
export type WrittenFinding = Omit<
  Finding,
  "expected" | "hint" | "issued" | "message" | "reason" | "variant"
> & {
  readonly expected?: string;
  readonly hint?: string;
  readonly message?: string;
  readonly variant?: string;
};

/** Writes a finding's facts the way messages do. */
export function inWords({
  expected,
  hint,
  message,
  reason,
  variant,
  ...rest
}: Finding): WrittenFinding {
  const { issued: _, ...finding } = rest;
  const own = message ?? (reason && writeReason(reason));
  return {
    ...finding,
    ...(expected && { expected: writeExpectation(expected) }),
    ...(hint && { hint: writeHint(hint) }),
    ...(own !== undefined && { message: own }),
    ...(variant && { variant: writeVariant(variant) }),
  };
}
