// Two emoji presentation selectors stay: they are harmless, and every other invisible character goes.
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu;

const PRINTABLE_ASCII = /^[ -~]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Tells whether a text holds nothing but printable ASCII: most do, and telling so is many times faster than the rest. */
export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

function toEscape(character: string): string {
  return (
    SHORT_ESCAPES[character] ??
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("")
  );
}

/** Writes every control, format, invisible and line-breaking character, and every lone surrogate, as an escape. */
export function escapeText(text: string): string {
  return isPrintableAscii(text) ? text : text.replace(UNSAFE, toEscape);
}

/** Writes a text as a JSON string that holds no character which could break a line or hide. */
export function quoteText(text: string): string {
  return escapeText(JSON.stringify(text));
}
