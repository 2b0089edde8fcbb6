import { estimateTokenCount } from "tokenx";

/** What an estimate is multiplied by: too many tokens cost a little room, too few a refused request. */
const MARGIN = 1.15;

/** Characters per token where nothing is a word: base64, hex, UUIDs, hashes, ids. */
const DENSE_CHARACTERS_PER_TOKEN = 1.4;

/** Unbroken runs that may be dense. */
const RUN = /[\w+/=-]{8,}/g;

/** What tokenizers know: words, and the same sign over and over. */
const KNOWN = /[A-Za-z]?[a-z]{2,}|[A-Z]{3,}|([-+/=_])\1{2,}/g;

/** Scripts that tokenx takes for English; the first that matches a word decides. */
const LANGUAGES = [
  { pattern: /[\u1200-\u139f]/, averageCharsPerToken: 0.6 }, // Ethiopic
  { pattern: /[\u1000-\u109f\u1780-\u17ff]/, averageCharsPerToken: 1.3 }, // Burmese, Khmer
  { pattern: /[\u0530-\u1cff]/, averageCharsPerToken: 2.3 }, // Armenian to Vedic: Arabic, Hindi, Thai, …
];

/**
 * Estimates the tokens of a string, rather too many than too few.
 *
 * It promises no exact count (AI Agent Contract, section 8), only that an estimate is close for what tools return: prose
 * of any script, JSON, logs, code, and what has no words, such as base64, hashes and ids. It takes linear time.
 *
 * @example
 * ```ts
 * estimateTokens("Two seats from Lisbon"); // rather too many than too few
 * ```
 * @see packages/session/README.md
 */
export function estimateTokens(text: string): number {
  let dense = 0;
  const words = text.replaceAll(RUN, (run) => {
    if (!isDense(run)) return run;
    dense += run.length;
    return " ";
  });
  const known = estimateTokenCount(words, { languageConfigs: LANGUAGES });
  return Math.ceil((known + dense / DENSE_CHARACTERS_PER_TOKEN) * MARGIN);
}

/** No language writes a word of so many letters; DNA and random letters do. */
const ENDLESS = /[A-Za-z]{48,}/;

/** Whether most of a run is neither words nor a number, or changes between letters and digits all the time. */
function isDense(run: string): boolean {
  if (/^\d+$/.test(run)) return false;
  if (ENDLESS.test(run)) return true;
  const known = (run.match(KNOWN) ?? []).reduce((sum, { length }) => sum + length, 0);
  const changes = run.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return known < run.length / 2 || changes > run.length / 8;
}
