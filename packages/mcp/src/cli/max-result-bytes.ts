import type { Settings } from "./flags.ts";

/** What is read to cut long results; longer ones are relayed. */
const MAX_CUT_BYTES = 64 * 1024 * 1024;

/** How long a message of the server may be that is read: longer than one of the client if results have a limit. */
export function maxResultBytes(settings: Settings): number {
  const { "max-body": maxBody, "tool-response-max-bytes": limit = 0 } = settings;
  return limit > 0 ? Math.max(maxBody, MAX_CUT_BYTES) : maxBody;
}
