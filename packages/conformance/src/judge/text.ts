/** Whether a text has a word, whatever its case; a name is not found inside a longer one. */
export function mentions(text: string, word: string): boolean {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const isName = /^[\p{L}\p{N}_]+$/u.test(word);
  const pattern = isName ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped;
  return new RegExp(pattern, "iu").test(text);
}

/** Whether a text has one of the words. */
export function mentionsAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => mentions(text, word));
}

/** The text without the arguments that were sent: repeating them says nothing about what is wrong. */
export function withoutEcho(text: string, sent: string): string {
  const readable = withoutEscapes(text);
  return echoesOf(sent).reduce((rest, echo) => rest.replaceAll(echo, " "), readable);
}

/** Whether a text repeats all arguments that were sent. */
export function echoesAll(text: string, sent: string): boolean {
  const readable = withoutEscapes(text);
  return echoesOf(sent).some((echo) => readable.includes(echo));
}

/** The ways in which programs write arguments out again, the longest first. */
function echoesOf(sent: string): readonly string[] {
  const echoes = new Set([sent, withoutEscapes(sent)]);
  try {
    const value: unknown = JSON.parse(sent);
    const compact = JSON.stringify(value);
    echoes
      .add(compact)
      .add(JSON.stringify(value, null, 2))
      .add(JSON.stringify(value, null, 4));
    // The spelling of Python's json.dumps and repr.
    echoes.add(compact.replaceAll(/("|\]|\}|\d|true|false|null)([,:])/g, "$1$2 "));
    echoes.add(compact.replaceAll('"', "'").replaceAll(/('|\]|\}|\d)([,:])/g, "$1$2 "));
  } catch {
    // There is only the string itself.
  }
  return [...echoes].filter((echo) => echo.length > 1).toSorted((a, b) => b.length - a.length);
}

/** The text as a model reads it, if it is JSON around a string. */
function withoutEscapes(text: string): string {
  return text.replaceAll(String.raw`\n`, "\n").replaceAll(String.raw`\"`, '"');
}

/** A size in words: `5 kB`, `420 characters`. */
export function sizeInWords(length: number): string {
  return length < 1_000 ? `${length} characters` : `${Math.round(length / 1_000)} kB`;
}

/** Arguments as a failure shows them: whole if they are short. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 120 ? text : `${text.slice(0, 100)}… (${sizeInWords(text.length)})`;
}
