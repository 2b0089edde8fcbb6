/** Why a benchmark misses its target, as far as a profile has shown. */
export const REASONS: Readonly<Record<string, string>> = {
  "happy-path":
    "parsing and ajv are the same on both sides; with more than a thousand tools in turn, finding the tool's plan waits for memory.",
  "rejected-call":
    "the others write out what their validator found; the contract explains each fault again, looks for the near name or value, " +
    "masks secrets in every text it shows, and counts the attempt. No part of it takes more than a tenth.",
  "mcp-latency":
    "the target for HTTP is what a bare proxy on node:http takes alone, two reads and two writes; reading the call, judging it and " +
    "noting its answer come on top. On stdio it is the median of a machine with two processors, and near the target.",
};
