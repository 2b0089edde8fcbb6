import { causeChain, failureFacts, partsOf, textsOf } from "@toolcontract/core/adapter";
import { cleanLine } from "../shared/index.ts";
import { bodyOf, wordsInBody } from "./error-body.ts";
import { STATUS_TEXT } from "./error-words.ts";

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

/** The first text; what a status alone says only if nothing says more. */
function outermostText(parts: readonly unknown[]): string | undefined {
  const [first] = parts.flatMap(textsOf);
  if (first === undefined || !STATUS_TEXT.test(first.trim())) return first?.trim();
  const said = parts.flatMap((part) => (typeof part === "string" ? [] : wordsInBody(bodyOf(part))));
  return (said.find((text) => !STATUS_TEXT.test(text)) ?? first).trim();
}
