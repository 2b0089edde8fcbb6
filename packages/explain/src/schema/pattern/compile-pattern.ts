import { type PatternCost, patternCost } from "./cost.ts";

const MAX_SOURCE = 5_000;
const MAX_LENGTH = 10_000_000;
// A value may hold thousands of strings, so each gets a few milliseconds at most.
const MAX_STEPS = 5_000_000;

const INLINE_FLAGS = /^(\^?)\(\?([imsu]+)\)/;
const FOREIGN_TOKEN = /\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?P<|\(\?P=\w+\)|\{,\d+\}/g;

/** Escapes and classes that compile without the `u` flag but silently mean something else. */
const MISREAD = /\\(?!k<|[bBdDfnrsStuvwWx])[a-zA-Z]|\\0\d|\\[ux]\{|\[:\^?\w+:\]/;

/** Compiles a pattern with an engine other than the runtime's, for example one that runs in linear time. */
export type PatternEngine = (source: string) => { test(text: string): boolean };

/** A pattern of an untrusted schema, safe to run on any string. */
export interface Pattern {
  readonly source: string;
  /** False if the pattern cannot be compiled: then every string matches. */
  readonly supported: boolean;
  /** The longest string, in UTF-16 units, that the pattern runs on; longer ones match. -1 if it runs on none. */
  readonly maxLength: number;
  /** Whether a string matches. Never throws, and returns true rather than run for long. */
  test(text: string): boolean;
}

type Test = (text: string) => boolean;

/**
 * Compiles a `pattern` of a JSON Schema with the given engine, or with the runtime's if there is none or it throws.
 *
 * Calls `onUndecided` whenever a string counts as matched because nobody knows, with whether the string is too long.
 */
export function compilePattern(
  source: string,
  engine?: PatternEngine,
  onUndecided: (isTooLong: boolean) => void = () => undefined,
): Pattern {
  const assume = (isTooLong: boolean): true => {
    onUndecided(isTooLong);
    return true;
  };
  const unsupported = {
    source,
    supported: false,
    maxLength: MAX_LENGTH,
    test: () => assume(false),
  };
  if (source.length > MAX_SOURCE) return unsupported;
  const foreign = engine && compileWith(engine, source);
  if (foreign) return boundedPattern(source, MAX_LENGTH, foreign, assume, false);
  for (const reading of readingsOf(source)) {
    const native = compileNatively(reading.source, reading.flags);
    if (!native) continue;
    const cost = patternCost(reading.source, reading.flags);
    // It can run out of memory while backtracking.
    return boundedPattern(source, longestWithin(cost), native, assume, true);
  }
  return unsupported;
}

function compileWith(engine: PatternEngine, source: string): Test | undefined {
  try {
    const compiled = engine(source);
    return (text) => compiled.test(text);
  } catch {
    return undefined;
  }
}

function compileNatively(source: string, flags: string): Test | undefined {
  try {
    const expression = new RegExp(source, flags);
    return (text) => expression.test(text);
  } catch {
    return undefined;
  }
}

function boundedPattern(
  source: string,
  maxLength: number,
  test: Test,
  assume: (isTooLong: boolean) => true,
  failsByLength: boolean,
): Pattern {
  return {
    source,
    supported: true,
    maxLength,
    test(text) {
      if (text.length > maxLength) return assume(true);
      try {
        return test(text);
      } catch {
        return assume(failsByLength);
      }
    },
  };
}

/** Returns the greatest length within the cost limit, -1 if there is none. */
function longestWithin(cost: PatternCost): number {
  let low = -1;
  let high = MAX_LENGTH;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (cost(middle) <= MAX_STEPS) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** One way to compile a pattern in the runtime. */
interface PatternReading {
  readonly source: string;
  readonly flags: string;
}

/**
 * Lists the ways to read a pattern, most literal first: as the standard defines it, with the syntax of Python, PCRE and
 * RE2 translated, and with escapes that only compile without the `u` flag.
 */
function readingsOf(source: string): readonly PatternReading[] {
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
  // In other engines a bracket at the start of a class is literal.
  return token.replace(/^(\[\^?)\](?=[^])/, String.raw`$1\]`);
}
