import type { ErrorCode } from "./error-code.ts";
import type { Severity } from "./validation-error.ts";

/** One step of the way from the arguments' root to a value. */
export type PathSegment = string | number;

/**
 * A fault as the explaining stages find it, with the raw value still in it.
 *
 * Faults never leave core: each is turned into a sanitised ValidationError at once.
 */
export interface Fault {
  readonly code: ErrorCode;
  readonly path: readonly PathSegment[];
  readonly severity?: Severity;
  /** Replaces the message that follows from the code (needed for VAL-004, 011, 012, 014 and 016). */
  readonly message?: string;
  readonly expected?: string;
  /** The raw value that was sent; absent where showing one makes no sense (VAL-001, VAL-005). */
  readonly actual?: { readonly value: unknown };
  readonly hint?: string;
  /** True where the hint repeats the value, so that it is dropped when the value is masked. */
  readonly hintEchoes?: boolean;
  readonly variant?: string;
  /** True where the schema says that the value is a secret (`writeOnly`, `format: password`). */
  readonly sensitive?: boolean;
}
