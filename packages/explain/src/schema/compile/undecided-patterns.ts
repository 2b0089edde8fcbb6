import { type Pattern, type PatternEngine, compilePattern } from "../pattern/index.ts";
import type { CompiledSchema, SchemaWarning } from "./compiled-schema.ts";

/** The patterns of a schema, and which of them count as matched although nobody knows. */
export interface GuardedPatterns {
  readonly compile: (source: string) => Pattern;
  /** The patterns that counted as matched, because they cannot be read, or not on a string. */
  readonly undecided: ReadonlySet<string>;
  /** How often a pattern counted as matched for such a reason. */
  readonly undecidedTimes: () => number;
  /** The patterns that were too slow for a string since this was last called; undefined if none was. */
  readonly takeSlow: () => ReadonlySet<string> | undefined;
}

/** Compiles each pattern of a schema once, and adds a warning for those that cannot be read. */
export function guardPatterns(
  engine: PatternEngine | undefined,
  warnings: Set<SchemaWarning>,
): GuardedPatterns {
  const compiled = new Map<string, Pattern>();
  const undecided = new Set<string>();
  let slow = new Set<string>();
  let times = 0;

  function guard(source: string): Pattern {
    const pattern = compilePattern(source, engine, (isTooLong) => {
      if (isTooLong) slow.add(source);
      else warnings.add("pattern-not-compiled");
      undecided.add(source);
      times += 1;
    });
    if (!pattern.supported) warnings.add("pattern-not-compiled");
    // ajv identifies patterns by their string.
    return Object.assign(pattern, { toString: () => source });
  }

  return {
    compile(source) {
      const known = compiled.get(source);
      if (known) return known;
      const guarded = guard(source);
      compiled.set(source, guarded);
      return guarded;
    },
    undecided,
    undecidedTimes: () => times,
    takeSlow: () => {
      if (slow.size === 0) return undefined;
      const taken = slow;
      slow = new Set();
      return taken;
    },
  };
}

/**
 * Validates again, without the patterns that counted as matched, what was refused while they did.
 *
 * A match refuses a value under `not` or as a key of `patternProperties`, and nobody knows whether it is one.
 */
export function withoutUndecided(
  strict: CompiledSchema,
  patterns: GuardedPatterns,
  compileWithout: (sources: ReadonlySet<string>) => CompiledSchema,
): CompiledSchema {
  let known: { readonly size: number; readonly schema: CompiledSchema } | undefined;

  function without(): CompiledSchema {
    const { size } = patterns.undecided;
    if (known?.size !== size) known = { size, schema: compileWithout(patterns.undecided) };
    return known.schema;
  }

  return {
    ...strict,
    accepts(value) {
      const before = patterns.undecidedTimes();
      return (
        strict.accepts(value) || (patterns.undecidedTimes() > before && without().accepts(value))
      );
    },
    explain(value) {
      const before = patterns.undecidedTimes();
      const explanation = strict.explain(value);
      if (patterns.undecidedTimes() === before || without().accepts(value)) return explanation;
      return without().explain(value);
    },
  };
}
