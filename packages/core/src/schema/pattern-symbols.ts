const SPACES =
  "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
const ASCII = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));
const SPACE = ASCII.length;
const OTHER = SPACE + 1;

/** A class or escape that holds ASCII and the blanks only, so that the rest of Unicode is surely not in it. */
const NARROW = /^(?!\[\^|\.$)(?:[\0-\x5b\x5d-\x7f]|\\[^DSWPpucxk\d])*$/;

/** How many symbols there are: ASCII, the blanks beyond it as one, and everything else as one. */
export const SYMBOL_COUNT: number = OTHER + 1;

/** The symbols that a one-character expression may read: all it reads, perhaps more, never less. */
export function symbolsOf(source: string, flags: string): Uint8Array {
  const symbols = new Uint8Array(SYMBOL_COUNT);
  try {
    const probe = new RegExp(source, `${flags}g`);
    for (const { index } of (ASCII + SPACES).matchAll(probe)) symbols[Math.min(index, SPACE)] = 1;
  } catch {
    return symbols.fill(1);
  }
  // Case folding leads out of ASCII: the Kelvin sign is a k.
  if (flags.includes("i") || !NARROW.test(source)) symbols[OTHER] = 1;
  return symbols;
}
