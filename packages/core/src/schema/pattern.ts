import { patternCost, type PatternCost } from "./pattern-cost.ts";
import { readingsOf } from "./pattern-dialect.ts";

/** Compiles a pattern for another engine than the runtime's, for example one that runs in linear time. */
export type PatternEngine = (source: string) => { test(text: string): boolean };

/** A pattern of a foreign schema, safe to run on any text. */
export interface Pattern {
  readonly source: string;
  /** False where the pattern cannot be compiled: everything matches. */
  readonly supported: boolean;
  /** The longest text, in UTF-16 units, that the pattern is run on; longer ones match. -1 where it is run on none. */
  readonly maxLength: number;
  /** Tells whether the pattern occurs in a text; never throws, and says yes rather than run for long. */
  test(text: string): boolean;
}

type Test = (text: string) => boolean;

const MAX_SOURCE = 5_000;
const MAX_LENGTH = 10_000_000;
// A value may hold thousands of texts, so one of them gets a few milliseconds at most.
const MAX_STEPS = 5_000_000;

/** Compiles a `pattern` of a JSON Schema, in an engine if one is given and takes it, else in the runtime. */
export function compilePattern(source: string, engine?: PatternEngine): Pattern {
  if (source.length > MAX_SOURCE) return unsupported(source);
  const foreign = engine && compileWith(engine, source);
  if (foreign) return bounded(source, MAX_LENGTH, foreign);
  for (const reading of readingsOf(source)) {
    const native = compileNatively(reading.source, reading.flags);
    if (!native) continue;
    const cost = patternCost(reading.source, reading.flags);
    return bounded(source, longestWithin(cost), native);
  }
  return unsupported(source);
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

function unsupported(source: string): Pattern {
  return { source, supported: false, maxLength: MAX_LENGTH, test: () => true };
}

function bounded(source: string, maxLength: number, test: Test): Pattern {
  return {
    source,
    supported: true,
    maxLength,
    test(text) {
      if (text.length > maxLength) return true;
      try {
        return test(text);
      } catch {
        // An engine may run out of memory for backtracking.
        return true;
      }
    },
  };
}

/** The greatest length whose cost is affordable, -1 if there is none. */
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
