import { type PathSegment, escapeKey, remembered } from "../shared/index.ts";
import { cutText, escapeText } from "./cut-text.ts";
import { maskText } from "./mask-text.ts";

const MAX_NAME = 64;
const MAX_POINTER = 200;
const MAX_SEGMENTS = 100;
// In any script; dots may join names, as in `spec.replicas`.
const IDENTIFIER =
  /^(?=.{1,40}$)[\p{L}_$][\p{L}\p{M}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$-]*)*$/u;
// Among the 34,000 identifiers of some hundred packages, these take one in 600 for a key.
const RUN = /[A-Za-z0-9]{12,}/g;
const WORD = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const MIN_RANDOM = 12;
const MAX_BROKEN_WORD = 2.8;
const LONG_RUN = 20;
// A letter can carry a thousand marks.
const MANY_MARKS = /\p{M}{3}/u;

/** A name or pointer in two forms: for messages, and for logs, metrics and spans. */
export interface ShownName {
  readonly shown: string;
  readonly logged: string;
}

/** Writes a JSON Pointer (RFC 6901) without unsafe names; a very deep one leaves out its middle. */
export function showPath(
  path: readonly PathSegment[],
  isDeclared: (name: string) => boolean,
): ShownName {
  const isCut = path.length > MAX_SEGMENTS;
  const segments = isCut ? [...path.slice(0, MAX_SEGMENTS - 1), ...path.slice(-1)] : path;
  const shown: string[] = [];
  const logged: string[] = [];
  for (const segment of segments) {
    const name =
      typeof segment === "number"
        ? { shown: `${segment}`, logged: `${segment}` }
        : showName(segment, isDeclared(segment));
    shown.push(`/${escapeKey(name.shown)}`);
    logged.push(`/${escapeKey(name.logged)}`);
  }
  return { shown: toPointer(shown, isCut), logged: toPointer(logged, isCut) };
}

function toPointer(segments: readonly string[], isCut: boolean): string {
  const whole = segments.join("");
  if (!isCut && whole.length <= MAX_POINTER) return whole;
  const last = segments.at(-1) ?? "";
  let head = "";
  for (const segment of segments.slice(0, -1)) {
    if (head.length + segment.length + last.length + 4 > MAX_POINTER) break;
    head += segment;
  }
  return `${head}/...${last}`;
}

/** Shows a name that the schema declares; any other only if it looks like an identifier and not like a secret. */
export function showName(name: string, declared: boolean): ShownName {
  if (declared) return showDeclared(name);
  const isName = IDENTIFIER.test(name) && !MANY_MARKS.test(name) && escapeText(name) === name;
  const isSafe = isName && !looksRandom(name) && maskText(name).text === name;
  return { shown: isSafe ? name : "(unknown field)", logged: "*" };
}

const showDeclared: (name: string) => ShownName = remembered((name) => {
  const shown = writeName(name, escapeText);
  return { shown, logged: shown };
});

/** Whether a name looks random: a key pasted in the wrong place. */
export function looksRandom(name: string): boolean {
  const head = name.slice(0, 512);
  return isBroken(head) || (head.match(RUN) ?? []).some((run) => isMixed(run));
}

/** Whether the words of a name are shorter than those of any language, as in `Zp7Qe2-Vt9Lx4`. */
function isBroken(name: string): boolean {
  const words = name.match(WORD) ?? [];
  const length = words.reduce((sum, word) => sum + word.length, 0);
  return length >= MIN_RANDOM && length <= words.length * MAX_BROKEN_WORD;
}

/** Whether letters and digits alternate in a run more than in the name of a version or an algorithm. */
function isMixed(run: string): boolean {
  if ((run.match(/\d[A-Za-z]/g) ?? []).length > 1) return true;
  const digits = run.replace(/\D/g, "").length;
  return (
    run.length >= LONG_RUN &&
    (digits >= 4 || (digits > 0 && /[a-z]/.test(run) && /[A-Z]/.test(run)))
  );
}

/** Writes a tool's name for use between single quotes: masked, escaped, cut to 64 characters. */
export function quoteName(name: string): string {
  return writeName(name, escapeQuoted);
}

/** The same for a declared tool, cached because its name recurs with every call. */
export const quoteDeclaredName: (name: string) => string = remembered(quoteName);

// The backslash is escaped too, so that no two names look alike.
function escapeQuoted(text: string): string {
  return escapeText(text.replaceAll("\\", "\\\\")).replaceAll("'", "\\u0027");
}

/** Masks and escapes a name and cuts it to 64 units. */
function writeName(name: string, escape: (text: string) => string): string {
  const masked = maskText(name, MAX_NAME);
  return cutText(masked.text, {
    graphemes: MAX_NAME,
    units: MAX_NAME,
    clipped: masked.clipped,
    escape,
  }).text;
}
