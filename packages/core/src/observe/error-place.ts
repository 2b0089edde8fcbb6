import type { ErrorCode, ValidationError } from "@toolcontract/explain";
import { writtenFacts } from "@toolcontract/explain/adapter";

const MAX_PLACES = 100;

/** An error's place and code: all that logs and events report about it. */
export interface ErrorPlace {
  /** JSON Pointer with every undeclared segment replaced by `*`. */
  readonly path: string;
  readonly code: ErrorCode;
}

/** Reduces errors to place and code, so that no part of the call's text gets into a log. */
export function toErrorPlaces(errors: readonly ValidationError[]): readonly ErrorPlace[] {
  return errors
    .slice(0, MAX_PLACES)
    .map((error) => ({ path: writtenFacts(error)?.logPath ?? "*", code: error.errorCode }));
}

/** Names the class of something thrown; its message is left out because messages quote data. */
export function errorClass(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown;
    const name: unknown = thrown.constructor.name;
    return typeof name === "string" && /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? name : "Error";
  } catch {
    // A proxy that throws.
    return "Error";
  }
}
