import type { InvalidArguments } from "./check-result.ts";
import type { ValidationError } from "./validation-error.ts";

/** A result of checking that holds one error on the arguments as a whole, found by the host itself. */
export function refusedWith(
  error: Pick<ValidationError, "errorCode" | "message" | "expectedValue">,
): InvalidArguments {
  const whole: ValidationError = { fieldPath: "", severity: "error", ...error };
  const rest = { totalErrors: 1, atLeast: false, advisories: [], repairs: [] };
  return { status: "invalid", errors: [whole], ...rest };
}
