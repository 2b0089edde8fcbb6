import { type PathSegment, remembered } from "../shared/index.ts";
import { cutText, escapeText } from "./cut-text.ts";
import { maskText } from "./mask-text.ts";

/** One name in two forms: for the message, and for logs, metrics and spans. */
export interface ShownName {
  readonly shown: string;
  readonly logged: string;
}

const MAX_NAME = 64;
const MAX_POINTER = 200;
const MAX_SEGMENTS = 100;
// In any script; a dot joins names, as in `spec.replicas`.
const IDENTIFIER =
  /^(?=.{1,40}$)[\p{L}_$][\p{L}\p{M}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$-]*)*$/u;
const LONG_RUN = /[A-Za-z0-9]{20,}/g;
/** A letter can carry a thousand marks. */
const MANY_MARKS = /\p{M}{3}/u;

/** Tells whether a name holds a long mixed run that no person would choose: a key pasted in the wrong place. */
export function looksRandom(name: string): boolean {
  const runs = name.slice(0, 512).match(LONG_RUN) ?? [];
  return runs.some((run) => {
    const digits = run.replace(/\D/g, "").length;
    return digits >= 4 || (digits > 0 && /[a-z]/.test(run) && /[A-Z]/.test(run));
  });
}

/** Writes a name in the given form, masked, escaped and cut to 64 units. */
function writeName(name: string, escape: (text: string) => string): string {
  const masked = maskText(name, MAX_NAME);
  return cutText(masked.text, {
    graphemes: MAX_NAME,
    units: MAX_NAME,
    clipped: masked.clipped,
    escape,
  }).text;
}

/** A name that the schema declares is shown; any other only if it looks like an identifier and no secret. */
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

/** A JSON Pointer (RFC 6901) whose foreign segments are hidden; a very deep one leaves out its middle. */
export function showPath(
  path: readonly PathSegment[],
  isDeclared: (name: string) => boolean,
): ShownName {
  const isCut = path.length > MAX_SEGMENTS;
  const segments = isCut ? [...path.slice(0, MAX_SEGMENTS - 1), ...path.slice(-1)] : path;
  const shown: string[] = [];
  const logged: string[] = [];
  for (const segment of segments) {
    const location =
      typeof segment === "number"
        ? { shown: `${segment}`, logged: `${segment}` }
        : showName(segment, isDeclared(segment));
    shown.push(toSegment(location.shown));
    logged.push(toSegment(location.logged));
  }
  return { shown: toPointer(shown, isCut), logged: toPointer(logged, isCut) };
}

function toSegment(name: string): string {
  return `/${/[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name}`;
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

/** Writes a tool's name so that it is safe between single quotes: masked, escaped, cut to 64 characters. */
export function quoteName(name: string): string {
  return writeName(name, escapeQuoted);
}

/** The same for the name of a declared tool, which comes again with every call. */
export const quoteDeclaredName: (name: string) => string = remembered(quoteName);

// The backslash is escaped as well, so that no two names are written alike.
function escapeQuoted(text: string): string {
  return escapeText(text.replaceAll("\\", "\\\\")).replaceAll("'", "\\u0027");
}
