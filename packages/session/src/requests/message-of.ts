import { causeChain, failureFacts, partsOf, textsOf } from "@toolcontract/core/adapter";
import { cleanLine } from "../shared/index.ts";

const UNKNOWN = "unknown error";

/**
 * Writes what failed as one line for the `error` of results and accounting entries (AI Agent Contract, section 4).
 *
 * It promises at most 300 characters without secrets, home directories or line breaks, whatever was thrown: an error with
 * or without a message, a string, an object, nothing. The innermost cause is added if the message does not say it:
 * `fetch failed: connect ECONNREFUSED`.
 */
export function messageOf(error: unknown): string {
  const parts = partsOf(error);
  const outer = outermostText(parts);
  if (outer === undefined) {
    const { status } = failureFacts(error);
    return status === undefined ? UNKNOWN : `HTTP status ${status}`;
  }
  const inner = outermostText(causeChain(error).slice(1).toReversed());
  const said = cleanLine(outer);
  // Compared as they are shown: a secret may be hidden in one of them already.
  const isSaid = inner === undefined || outer.includes(inner) || said.includes(cleanLine(inner));
  return (isSaid ? said : cleanLine(`${outer}: ${inner}`)) || UNKNOWN;
}

function outermostText(parts: readonly unknown[]): string | undefined {
  return parts.flatMap(textsOf)[0]?.trim();
}
