import { SECRET_SHAPES, type SecretShape } from "./secret-shapes.ts";
import { isSensitiveName } from "./sensitive-name.ts";

/** What replaces a secret. */
export const REDACTED = "[redacted]";

/** How much of a string is kept: far more than any message shows. */
export const MASKING_WINDOW = 2048;

/** How far beyond the window a secret that begins inside it is followed. */
const LOOKAHEAD = 2048;

const ASCII_ESCAPE = /(?<!\\)\\+(?:u00([2-7][0-9a-f])|\/)/gi;

/** A string without its secrets. */
export interface MaskedText {
  readonly text: string;
  /** True if the original is longer than what was searched. */
  readonly clipped: boolean;
  /** True if a secret was replaced. */
  readonly changed: boolean;
}

/**
 * Replaces everything in a string that has the shape or the name of a secret.
 *
 * @remarks Only the beginning of a huge string is returned, so that the work stays bounded.
 */
export function maskText(raw: string, window: number = MASKING_WINDOW): MaskedText {
  const clipped = raw.length > window + LOOKAHEAD;
  const head = clipped ? raw.slice(0, window + LOOKAHEAD) : raw;
  const limit = clipped ? window : head.length;
  const decoded = decodeEscapes(head);
  const hidden = decoded === head ? [] : findSecrets(decoded);
  if (hidden.length > 0)
    return { text: coverSpans(decoded, hidden, limit), clipped, changed: true };
  const spans = findSecrets(head);
  return { text: coverSpans(head, spans, limit), clipped, changed: spans.length > 0 };
}

/** Whether a string has the shape of a token or a key, such as providers give out. */
export function holdsToken(text: string): boolean {
  const spans: Span[] = [];
  for (const shape of SECRET_SHAPES) addShape(spans, text.slice(0, MASKING_WINDOW), shape);
  return spans.length > 0;
}

/** In JSON that does not parse, a secret can be spelt with escapes, as in `\u0073k-...`. */
function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ASCII_ESCAPE, (_, code: string | undefined) =>
    code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Whether anything in a string has the shape or the name of a secret. */
export function hasSecret(text: string): boolean {
  return findSecrets(decodeEscapes(text)).length > 0 || findSecrets(text).length > 0;
}

function findSecrets(text: string): readonly Span[] {
  if (text.length < 4) return [];
  const spans = [...findNamedSecrets(text), ...findPairs(text)];
  for (const shape of SECRET_SHAPES) addShape(spans, text, shape);
  return spans;
}

function addShape(spans: Span[], text: string, shape: SecretShape): void {
  const { pattern, shortest, part, isSecret } = shape;
  if (text.length < shortest || (part !== undefined && !text.includes(part))) return;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    const secret = match[1] ?? match[0];
    if (isSecret === undefined || isSecret(secret)) spans.push([end - secret.length, end]);
  }
}

/** Replaces stretches of a string, which may overlap, and cuts it at `limit`. */
export function coverSpans(
  text: string,
  spans: readonly Span[],
  limit: number = text.length,
): string {
  let result = "";
  let at = 0;
  for (const [start, end] of spans.toSorted((one, other) => one[0] - other[0])) {
    if (start >= limit) break;
    if (start >= at) result += text.slice(at, start) + REDACTED;
    at = Math.max(at, end);
  }
  return result + text.slice(at, Math.max(at, limit));
}

/**
 * `name: value`, `name=value`, `"name": value`, `--name value`, `-name value`, `<name>value`, `name is value`.
 *
 * Names may have the accents of Latin letters, and Greek and Cyrillic ones: `\u00c0-\u04ff`.
 */
const ASSIGNMENT =
  /((?:(?<![\w\u00c0-\u04ff-])|(?<=\\[nrt]))--|(?<=^|[\s"'`[(])-|<|(?<![\w\u00c0-\u04ff-]))([A-Za-z_\u00c0-\u04ff][\w\u00c0-\u04ff-]{1,63})((?:\\*["'`]\]?)?)(\s{0,4}(?:=>|:=|[:=](?!=))[ \t]{0,4}|>|[ \t]{1,4}(?:(?:is|ist|est|es|è|é|jest|är)[ \t]{1,4})?)/g;

/** Values that are words of a schema or program, not secrets. */
const PLAIN_WORD =
  /^(?:true|false|null|none|undefined|nil|string|number|integer|boolean|object|array|str|int|bool|any|unknown|required|optional|missing|invalid)$/i;

/** Code that gets a value, which is not the value: a call, a variable of the environment. */
const IN_CODE =
  /^(?:[A-Za-z_$][\w$.]{0,64}\([^()]{0,128}\)[;,]?|(?:process\.env|os\.environ|import\.meta\.env)\b\S*)$/;

/** What is on the next line, further in than a name can be: not another name, an item of a list or a comment. */
const NEXT_LINE =
  /[ \t]{0,4}\r?\n[ \t]{1,40}(?![-#]|[\w.-]{1,64}["'`]?:(?:\s|$))(\S[^\r\n]{0,255})/y;

/** Names whose value extends to the end of the line. */
const WHOLE_LINE = /authorization|cookie|phrase|mnemonic/i;

const QUOTED_TOKEN = /["'`](?=[^"'`]{0,64}\d)(?=[^"'`]{0,64}[A-Za-z])[\w.~+/=-]{8,}["'`]/y;

/** A block of YAML ends before the first line that is not indented. */
const BLOCK_END = /[\r\n]+(?=[^\s])/g;

/** Where a quoted line ends, by the quote before its name. */
const LINE_ENDS: Readonly<Record<string, RegExp>> = { '"': /[\r\n"]/g, "'": /[\r\n']/g };

/** A stretch of a string; the end is exclusive. */
export type Span = readonly [start: number, end: number];

/** Finds the values after a sensitive name in free text, truncated JSON or a configuration. */
function findNamedSecrets(text: string): readonly Span[] {
  const spans: Span[] = [];
  // Every separator has one of these, and most strings have none.
  if (!/[:=> \t]/.test(text)) return spans;
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const [whole, opener = "", name = "", quote = "", separator = ""] = match;
    const before = text.slice(Math.max(0, match.index - 1), match.index);
    const assignment = { before, opener, name, quote, separator: separator.trim() };
    // Most matches are prose: a space alone assigns a value only before a quoted token.
    const assigns =
      assignment.separator !== "" ||
      opener === "--" ||
      opener === "-" ||
      isQuotedToken(text, match.index + whole.length);
    const span =
      assigns && namesSecret(before, name)
        ? valueSpan(text, match.index + whole.length, assignment)
        : undefined;
    if (span !== undefined && span[1] > span[0]) spans.push(span);
    // A separator may also be the space before the next name.
    ASSIGNMENT.lastIndex = Math.max(match.index + opener.length + name.length, span?.[1] ?? 0);
  }
  return spans;
}

/** The name of a pair in text: `"name": "password", "value": "…"`, also in YAML, and its value before its name. */
const PAIR_NAME =
  /(?<![\w-])(?:name|key|field|header|parameter|variable|label)\\*["'`]?\s{0,4}[:=]\s{0,4}\\*["'`]?([\w .-]{1,64}?)\\*["'`]?\s{0,4}(?:[,;]|\s)\s{0,40}\\*["'`]?(?:value|val|content|text|default)\\*["'`]?(\s{0,4}[:=][ \t]{0,4})/gi;
const PAIR_VALUE =
  /(?<![\w-])(?:value|val|content|text|default)\\*["'`]?\s{0,4}[:=]\s{0,4}\\*["'`]([^"'`\\]{1,256})\\*["'`]\s{0,4},\s{0,40}\\*["'`]?(?:name|key|field|header|parameter|variable|label)\\*["'`]?\s{0,4}[:=]\s{0,4}\\*["'`]([\w .-]{1,64})\\*["'`]/gi;

/** Finds the values of pairs whose name is one of a secret, in text that does not parse. */
function findPairs(text: string): readonly Span[] {
  const spans: Span[] = [];
  if (!/value|val|content|text|default/i.test(text)) return spans;
  PAIR_NAME.lastIndex = 0;
  for (let match = PAIR_NAME.exec(text); match !== null; match = PAIR_NAME.exec(text)) {
    const [whole, name = "", separator = ""] = match;
    const assignment = { before: "", opener: "", name, quote: '"', separator: separator.trim() };
    const span = isSensitiveName(name)
      ? valueSpan(text, match.index + whole.length, assignment)
      : undefined;
    if (span) spans.push(span);
  }
  PAIR_VALUE.lastIndex = 0;
  for (let match = PAIR_VALUE.exec(text); match !== null; match = PAIR_VALUE.exec(text)) {
    const [whole, value = "", name = ""] = match;
    const start = match.index + whole.indexOf(value);
    if (isSensitiveName(name)) spans.push([start, start + value.length]);
  }
  return spans;
}

/** Whether a quoted, random-looking token starts here (letters and digits, no spaces). */
function isQuotedToken(text: string, start: number): boolean {
  QUOTED_TOKEN.lastIndex = start;
  return QUOTED_TOKEN.test(text);
}

/** In JSON text, the `n` of an escaped line break can precede a name. */
function namesSecret(before: string, name: string): boolean {
  return isSensitiveName(name) || (before === "\\" && isSensitiveName(name.slice(1)));
}

interface Assignment {
  readonly before: string;
  readonly opener: string;
  readonly name: string;
  readonly quote: string;
  readonly separator: string;
}

function valueSpan(text: string, start: number, assignment: Assignment): Span | undefined {
  const { before, opener, name, quote, separator } = assignment;
  const next = separator === ":" ? nextLine(text, start, WHOLE_LINE.test(name)) : undefined;
  if (next !== undefined) return next;
  if (separator === ">") return opener === "<" ? [start, until(text, start, /[<\s]/g)] : undefined;
  const opening = /^\\*["'`]/.exec(text.slice(start, start + 16))?.[0];
  if (opening !== undefined) return [start + opening.length, quotedEnd(text, start, opening)];
  if (/^[|>][+-]?[\r\n]/.test(text.slice(start, start + 3)))
    return [start, until(text, start, BLOCK_END)];
  if (/^[[{]/.test(text.slice(start, start + 1))) return [start, bracketEnd(text, start)];
  if (WHOLE_LINE.test(name) && quote === "")
    return [start, until(text, start, LINE_ENDS[before] ?? /[\r\n]/g)];
  return wordSpan(text, start, opener === "-" && separator === "" ? "-" : separator);
}

/** The value of `name:` on the next line, further in; undefined if there is none, or if it is a map or a sentence. */
function nextLine(text: string, start: number, isPhrase: boolean): Span | undefined {
  NEXT_LINE.lastIndex = start;
  const [lead = "", line = ""] = NEXT_LINE.exec(text) ?? [];
  const from = start + lead.length - line.length;
  const opening = /^\\*["'`]/.exec(line)?.[0];
  if (opening !== undefined) return [from + opening.length, quotedEnd(text, from, opening)];
  return line === "" || (!isPhrase && /\s\S/.test(line)) ? undefined : [from, from + line.length];
}

function wordSpan(text: string, start: number, separator: string): Span | undefined {
  const isSentence = /^\p{L}/u.test(separator);
  const isProse = separator === ":" || isSentence;
  const end = until(text, start, isProse ? /[\s"'`,;}\]<]/g : /[\s"'`;&<]/g);
  const value = text.slice(start, end);
  if (PLAIN_WORD.test(value) || IN_CODE.test(value)) return undefined;
  if (separator === "-" && /^\p{Ll}*$/u.test(value)) return undefined;
  if (isProse && /^\p{L}?[\p{Ll}']*$/u.test(value) && /^[ \t]+\w/.test(text.slice(end, end + 8)))
    return undefined;
  return isSentence && /^[\p{L}.,]*$/u.test(value) ? undefined : [start, end];
}

function until(text: string, start: number, stop: RegExp): number {
  stop.lastIndex = start;
  return stop.exec(text)?.index ?? text.length;
}

/** Finds the quote that closes a value; more deeply escaped quotes belong to the value. */
function quotedEnd(text: string, start: number, opening: string): number {
  const depth = opening.length - 1;
  const quote = opening.slice(-1);
  let at = text.indexOf(quote, start + opening.length);
  for (; at >= 0; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (depth === 0 ? slashes % 2 === 0 : slashes <= depth) return at - depth;
  }
  return text.length;
}

function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === "{" || unit === "[") depth += 1;
    if (unit === "}" || unit === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
