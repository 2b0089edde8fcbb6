import type { CaseCall } from "./conformance-case.ts";

/**
 * What the case's tool returns for a call, or the message of its failure.
 *
 * @example
 * ```ts
 * outputOf({ output: "2 seats" }); // "2 seats"
 * ```
 * @see docs/writing-an-adapter.md
 */
export function outputOf({ output, fails }: Pick<CaseCall, "output" | "fails">): string {
  return output ?? (fails ? "disk full" : "done");
}
