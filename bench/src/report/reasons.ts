/** Why a benchmark misses its target, as far as a profile has shown. */
export const REASONS: Readonly<Record<string, string>> = {
  "happy-path":
    "parsing and ajv are the same on both sides; the rest is two small result objects and two calls, a few tenths of a microsecond.",
  "rejected-call":
    "the others write out what their validator found; the contract explains each fault again, looks for the near name or value, " +
    "masks secrets in every text it shows, and counts the attempt.",
  "import-time":
    "about half of it is finding and loading the sixty small files of ajv; in one file with core it would be half of what zod takes.",
};
