import { createContract } from "@toolcontract/core";
import { authorOf } from "@toolcontract/core/adapter";

// Far more than is shown, so that collapsing a huge message stays cheap.
const READ = 8_192;

let sanitize: ((text: string) => string) | undefined;

/**
 * Writes a message of a tool or provider as one line of at most 300 characters, without secrets, home directories and
 * invisible characters, as core shows errors.
 */
export function cleanLine(text: string): string {
  sanitize ??= authorOf(createContract()).sanitize;
  return sanitize(text.slice(0, READ).replace(/\s+/gu, " ").trim());
}
