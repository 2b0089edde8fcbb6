import type { PathSegment } from "../fault.ts";
import { cutText } from "./cut-text.ts";
import { escapeText } from "./escape-text.ts";
import { maskText } from "./mask-text.ts";

/** One name in two forms: for the message, and for logs, metrics and spans. */
export interface Location {
  readonly shown: string;
  readonly logged: string;
}

const MAX_NAME = 64;
const MAX_POINTER = 200;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/;
const LONG_RUN = /[A-Za-z0-9]{20,}/g;

/** Tells whether a name holds a long mixed run that no person would choose: a key pasted in the wrong place. */
export function looksRandom(name: string): boolean {
  const runs = name.slice(0, 512).match(LONG_RUN) ?? [];
  return runs.some((run) => {
    const digits = run.replace(/\D/g, "").length;
    return digits >= 4 || (digits > 0 && /[a-z]/.test(run) && /[A-Z]/.test(run));
  });
}

/** Writes a name in the given form, masked, escaped and cut to 64 units. */
export function writeName(name: string, escape: (text: string) => string): string {
  const masked = maskText(name, MAX_NAME);
  return cutText(masked.text, {
    graphemes: MAX_NAME,
    units: MAX_NAME,
    clipped: masked.clipped,
    escape,
  }).text;
}

/** A name that the schema declares is shown; any other only if it looks like an identifier and no secret. */
export function locateName(name: string, declared: boolean): Location {
  if (declared) {
    const shown = writeName(name, escapeText);
    return { shown, logged: shown };
  }
  const isSafe = IDENTIFIER.test(name) && !looksRandom(name) && maskText(name).text === name;
  return { shown: isSafe ? name : "(unknown field)", logged: "*" };
}

/** A JSON Pointer (RFC 6901) whose foreign segments are hidden; a very deep one leaves out its middle. */
export function locatePath(
  path: readonly PathSegment[],
  isDeclared: (name: string) => boolean,
): Location {
  const segments = path.length <= 100 ? path : [...path.slice(0, 99), ...path.slice(-1)];
  const locations = segments.map((segment) =>
    typeof segment === "number"
      ? { shown: String(segment), logged: String(segment) }
      : locateName(segment, isDeclared(segment)),
  );
  return {
    shown: toPointer(
      locations.map(({ shown }) => shown),
      path.length > 100,
    ),
    logged: toPointer(
      locations.map(({ logged }) => logged),
      path.length > 100,
    ),
  };
}

function toPointer(names: readonly string[], isCut: boolean): string {
  const segments = names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
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
