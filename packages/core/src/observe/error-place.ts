import type { ErrorCode } from "../error-code.ts";

/** Where and which an error is: all that a log or an event tells of it. */
export interface ErrorPlace {
  /** JSON Pointer in which every undeclared segment is already replaced by `*`. */
  readonly path: string;
  readonly code: ErrorCode;
}

const MAX_PLACES = 100;

/** Reduces errors to their places, so that no text of the call can follow them into a log. */
export function toErrorPlaces(
  errors: readonly { readonly fieldPath: string; readonly errorCode: ErrorCode }[],
): readonly ErrorPlace[] {
  return errors
    .slice(0, MAX_PLACES)
    .map(({ fieldPath, errorCode }) => ({ path: fieldPath, code: errorCode }));
}
