import { parseRejection } from "@toolcontract/core";
import { correctErrors } from "./correct-errors.ts";
import { parseOr } from "./parse-or.ts";
import { readArguments } from "./read-arguments.ts";

/**
 * The arguments that a model would send after a message, knowing only what it sent and the message; undefined if nothing
 * would change.
 *
 * @param sent - The arguments as the model wrote them, valid JSON or not.
 * @param message - A message of the contract, in either style.
 */
export function correctArguments(sent: string, message: string): string | undefined {
  try {
    const args = readArguments(sent);
    const errors = parseRejection(message)?.errors;
    if (args === undefined || errors === undefined) return undefined;
    const corrected = write(correctErrors(args, errors), sent);
    const isJson = parseOr(sent, undefined) !== undefined;
    return corrected === write(args, sent) && isJson ? undefined : corrected;
  } catch {
    // Nested too deeply for recursion, or beyond what jsonrepair can read.
    return undefined;
  }
}

/** Writes arguments with line breaks if those that were sent have some. */
function write(args: unknown, sent: string): string {
  return JSON.stringify(args, undefined, sent.includes("\n") ? 2 : undefined);
}
