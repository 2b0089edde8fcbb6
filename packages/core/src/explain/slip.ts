const VOWELS = "aeiouy";
/** Below this length a letter more or less makes another word (`scale`, `sale`). */
const SHORT = 5;
/** From this length on a whole name leaves no doubt where one of its words alone would. */
const WHOLE = 7;
/** From this length on two slips in one word still leave no doubt. */
const LONG = 8;

/**
 * How many slips lie between two names: letters swapped, doubled, dropped, added, or a vowel taken for another.
 *
 * Undefined where the difference may as well be meant: words of other letters or another beginning are other words.
 */
export function slipsBetween(a: readonly string[], b: readonly string[]): number | undefined {
  return (a.length === b.length ? slipsByWord(a, b) : undefined) ?? slipsInAll(a, b);
}

function slipsByWord(a: readonly string[], b: readonly string[]): number | undefined {
  let slips = 0;
  for (const [index, word] of a.entries()) {
    const found = slipsInWord(word, b[index] ?? "");
    if (found === undefined) return undefined;
    slips += found;
  }
  return slips <= 2 ? slips : undefined;
}

/** Names that were divided otherwise, or long ones with a letter less in a short word (`st_replace`). */
function slipsInAll(a: readonly string[], b: readonly string[]): number | undefined {
  const [one, other] = [a.join(""), b.join("")];
  if (a.length !== b.length) return slipsInWord(one, other);
  const isClose = one.length !== other.length && Math.min(one.length, other.length) >= WHOLE;
  // A letter beside a number is part of a version: `gpt-4`, `gpt-4o`.
  return isClose && !/\d/.test(one) ? slipsInWord(one, other) : undefined;
}

function slipsInWord(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  if (shorter.length < 3 || longer.length - shorter.length > 2) return undefined;
  const start = commonStart(longer, shorter);
  const end = commonEnd(longer, shorter, start);
  const more = longer.slice(start, longer.length - end);
  const less = shorter.slice(start, shorter.length - end);
  if (isSlip(more, less, { longer, shorter, start })) return 1;
  return isTwoSlips(more, less, { shorter, start }) ? 2 : undefined;
}

interface Place {
  readonly longer: string;
  readonly shorter: string;
  readonly start: number;
}

/** `more` and `less` are what is left of two words without what they have in common at both ends. */
function isSlip(more: string, less: string, { longer, shorter, start }: Place): boolean {
  if (more.length === 2 && less.length === 2)
    return isSwap(more, less) && (start > 0 || longer.length > 3);
  if (more.length === 1 && less.length === 1) {
    const areVowels = VOWELS.includes(more) && VOWELS.includes(less);
    // The last one makes another word: `quote`, `quota`.
    const isLast = start === longer.length - 1 && longer.length < LONG;
    return areVowels && start > 0 && !isLast && longer.length > 3;
  }
  if (more.length !== 1 || less.length > 0) return false;
  const isDoubled = longer[start - 1] === more || longer[start + 1] === more;
  if (isDoubled || start === 0 || shorter.length >= SHORT) return isDoubled || start > 0;
  // Deep inside even a consonant leaves no doubt: `waer` for `water`.
  if (start > 1 && start < longer.length - 1 && shorter.length > 3) return true;
  // `scop` for `scope`, `pth` for `path`: no other word comes of a vowel that is left out there.
  return VOWELS.includes(more) && (shorter.length > 3 || !/[aeiouy]/.test(shorter));
}

/** Two slips that stand apart: never two letters for two others, nor a piece of two letters more. */
function isTwoSlips(
  more: string,
  less: string,
  { shorter, start }: Pick<Place, "shorter" | "start">,
): boolean {
  if (shorter.length < LONG || start < 2 || less.length < 2) return false;
  return leavesOneSlip(more.slice(1), less) || leavesOneSlip(more, less.slice(1));
}

/** What is left after one letter was dropped must be one more drop or swap at its end. */
function leavesOneSlip(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  if (longer.length - shorter.length > 1) return false;
  const start = commonStart(longer, shorter);
  const end = commonEnd(longer, shorter, start);
  const more = longer.slice(start, longer.length - end);
  const less = shorter.slice(start, shorter.length - end);
  return isSwap(more, less) || (more.length === 1 && less.length === 0);
}

function isSwap(a: string, b: string): boolean {
  return a.length === 2 && a[0] === b[1] && a[1] === b[0];
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: string, b: string, from: number): number {
  let length = 0;
  const most = b.length - from;
  while (length < most && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}
