/** A reading of a pattern that the runtime may be able to compile. */
interface PatternReading {
  readonly source: string;
  readonly flags: string;
}

const INLINE_FLAGS = /^(\^?)\(\?([imsu]+)\)/;
const FOREIGN_TOKEN = /\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?P<|\(\?P=\w+\)|\{,\d+\}/g;

/** Escapes and classes that compile without the `u` flag, but then silently mean something else. */
const MISREAD = /\\(?!k<|[bBdDfnrsStuvwWx])[a-zA-Z]|\\0\d|\\[ux]\{|\[:\^?\w+:\]/;

/**
 * Lists what a pattern from a foreign schema may mean, most literal first: as the standard has it, with what
 * Python, PCRE and RE2 write in their own way translated, and with escapes that only a lax compiler takes.
 */
export function readingsOf(source: string): readonly PatternReading[] {
  const inline = INLINE_FLAGS.exec(source);
  const flags = [...new Set(inline?.[2])].filter((flag) => flag !== "u").join("");
  const body = inline ? `${inline[1]}${source.slice(inline[0].length)}` : source;
  const translated = body.replaceAll(FOREIGN_TOKEN, translate);
  const readings = [
    { source, flags: "u" },
    { source: translated, flags: `${flags}u` },
  ];
  return MISREAD.test(translated) ? readings : [...readings, { source: translated, flags }];
}

function translate(token: string): string {
  if (token === "\\A") return "^";
  if (token === "\\Z" || token === "\\z") return "$";
  if (token === "(?P<") return "(?<";
  if (token.startsWith("(?P=")) return `\\k<${token.slice(4, -1)}>`;
  if (token.startsWith("{,")) return `{0${token.slice(1)}`;
  // Elsewhere a bracket that comes first in a class is one of its characters.
  return token.replace(/^(\[\^?)\](?=[^])/, String.raw`$1\]`);
}
