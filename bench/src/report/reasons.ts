/** Why a benchmark misses its target, as far as a profile has shown. */
export const REASONS: Readonly<Record<string, string>> = {
  "happy-path":
    "parsing and ajv are the same on both sides; with more than a thousand tools in turn, finding the tool's plan waits for memory.",
  "rejected-call":
    "the others write out what their validator found; the contract explains each fault again, looks for the near name or value, " +
    "masks secrets in every text it shows, and counts the attempt.",
  "mcp-latency":
    "as the row of the bare one shows, any Node program in the middle takes most of it or more: two more reads and two more writes. " +
    "Reading the call, judging it and noting its answer come on top.",
};
