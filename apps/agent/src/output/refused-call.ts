import { meaningOf } from "@toolcontract/core";

/** A call that the contract has refused; it holds no value of its arguments. */
export interface RefusedCall {
  readonly type: "call-refused";
  /** The tool's name. */
  readonly tool: string;
  /** Which attempt this was, from 1. */
  readonly attempt: number;
  /** How many the tool has. */
  readonly maxAttempts: number;
  /** What was wrong, and where: JSON Pointers. */
  readonly errors: readonly { readonly path: string; readonly code: string }[];
}

const MAX_ERRORS = 3;

/** One line about a refused call: `pay refused (attempt 1 of 3): /amount type mismatch (VAL-002)`. */
export function refusedLine({ tool, attempt, maxAttempts, errors }: RefusedCall): string {
  const shown = errors.slice(0, MAX_ERRORS).map(({ path, code }) => {
    const place = path === "" ? "" : `${path} `;
    return `${place}${meaningOf(code)?.toLowerCase() ?? "refused"} (${code})`;
  });
  const more = errors.length > MAX_ERRORS ? [`and ${errors.length - MAX_ERRORS} more`] : [];
  return `${tool} refused (attempt ${attempt} of ${maxAttempts}): ${[...shown, ...more].join(", ")}`;
}
