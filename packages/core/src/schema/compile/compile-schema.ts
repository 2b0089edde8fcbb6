import { type ExplainServices, type Explanation, explain, interpret } from "./explain.ts";
import type { Finding, JsonSchema } from "../../shared/index.ts";
import { type AjvValidator, compileAjv, findingFromAjv } from "./ajv-validator.ts";
import {
  type Dialect,
  type SchemaIndex,
  dialectsOf,
  indexSchema,
  isRecursive,
  isWellFormed,
  sensitivePlaces,
} from "../document/index.ts";
import { matchesFormat } from "./format.ts";
import { type Pattern, type PatternEngine, compilePattern } from "../pattern/index.ts";
import type { SecretPlace } from "../../sanitize/index.ts";

/** How schemas are judged. */
export interface SchemaEngine {
  /** Judge by walking the schema, for runtimes that forbid code generation. */
  readonly interpreter: boolean;
  /** Runs the patterns instead of the runtime's own regular expressions. */
  readonly patternEngine?: PatternEngine | undefined;
}

/** Why a part of a schema, or all of it, is not enforced. */
export type SchemaWarning =
  | "unknown-dialect"
  | "schema-not-compiled"
  | "pattern-not-compiled"
  | "pattern-too-slow";

/** A schema made ready to judge and to explain. */
export interface CompiledSchema {
  /** The judge's verdict; a value nested beyond all measure makes it throw. */
  accepts(value: unknown): boolean;
  /** The bare judge, where no pattern has to be watched: it may throw where `accepts` finds another way. */
  readonly validate?: ((value: unknown) => boolean) | undefined;
  /** The faults of a refused value; never empty for one. */
  explain(value: unknown): Explanation;
  /** The fields of a value that the schema neither declares nor forbids, as findings of this severity. */
  unknownFields(value: unknown, severity: "warning" | "error"): readonly Finding[];
  declares(name: string): boolean;
  /** Where the schema says that values are secrets; undefined where it says it of none. */
  readonly sensitivePlaces?: SecretPlace | undefined;
  /** What is not enforced; may grow as values are judged. */
  readonly warnings: ReadonlySet<SchemaWarning>;
}

// What ajv judges otherwise than the specification in some combinations; schemas with it are interpreted.
const AJV_MISREADS =
  /"(?:\$dynamicRef|\$recursiveRef|unevaluatedItems|unevaluatedProperties|contains|__proto__)"|"\$id"[^]*"\$id"/;

const HAS_PATTERNS = /"pattern(?:Properties)?"/;

const NAMES_SECRETS = /"(?:writeOnly|password)"/;

/** Compiles a schema; one that no dialect can compile is reported and lets everything pass. */
export function compileSchema(
  schema: JsonSchema,
  text: string,
  engine: SchemaEngine,
): CompiledSchema {
  const dialects = dialectsOf(schema);
  for (const dialect of dialects) {
    try {
      return compileAs(dialect, schema, text, engine);
    } catch {
      // The next dialect may read it.
    }
  }
  const open = openSchema(dialects.length === 0 ? "unknown-dialect" : "schema-not-compiled");
  return { ...open, sensitivePlaces: placesOfOpen(schema, text) };
}

/** A schema that enforces nothing may still tell what is a secret. */
function placesOfOpen(schema: JsonSchema, text: string): SecretPlace | undefined {
  try {
    if (!NAMES_SECRETS.test(text)) return undefined;
    return sensitivePlaces(indexSchema(schema, "2020-12"), () => true);
  } catch {
    return undefined;
  }
}

/** A recursive union can take ajv time and memory beyond any bound; interpreting it is bounded. */
function isExponential(index: SchemaIndex, text: string): boolean {
  return /"(?:anyOf|oneOf)"/.test(text) && isRecursive(index);
}

/** A schema that enforces nothing. */
export function openSchema(warning: SchemaWarning): CompiledSchema {
  const nothing: Explanation = { findings: [], atLeast: false };
  return {
    accepts: () => true,
    explain: () => nothing,
    unknownFields: () => [],
    declares: () => false,
    warnings: new Set([warning]),
  };
}

function compileAs(
  dialect: Dialect,
  schema: JsonSchema,
  text: string,
  engine: SchemaEngine,
): CompiledSchema {
  const warnings = new Set<SchemaWarning>();
  const patterns = guardedPatterns(engine, warnings);
  const index = indexSchema(schema, dialect);
  const services: ExplainServices = {
    matchesPattern: (source, value) => patterns(source).test(value),
    matchesFormat,
  };
  const interpreted =
    engine.interpreter ||
    dialect === "draft-04" ||
    AJV_MISREADS.test(text) ||
    isExponential(index, text);
  const judge = interpreted ? undefined : tryAjv(schema, dialect, text, patterns);
  if (!isWellFormed(schema, dialect) || (!judge && index.unresolved.length > 0))
    throw new Error("not enforceable");
  return {
    accepts: judge
      ? (value) => judge.accepts(value) ?? interpret(index, value, services)
      : (value) => interpret(index, value, services),
    validate: HAS_PATTERNS.test(text) ? undefined : judge?.validate,
    explain(value) {
      const explanation = explain(index, value, services);
      if (explanation.findings.length > 0) return explanation;
      // What lies beyond the explainer's bounds is told in the judge's own terms.
      const first = judge?.accepts(value) === false ? judge.lastError() : undefined;
      return { findings: [findingFromAjv(first, index, value)], atLeast: true };
    },
    unknownFields(value, severity) {
      // A schema that describes a validator may close an object that the validator leaves open.
      return explain(index, value, services, severity)
        .findings.filter(({ closing, code }) => closing === true || code === "VAL-005")
        .map((finding) => ({ ...finding, severity }));
    },
    declares: index.declares,
    sensitivePlaces: NAMES_SECRETS.test(text)
      ? sensitivePlaces(index, services.matchesPattern)
      : undefined,
    warnings,
  };
}

/** The judge made by ajv; undefined where ajv cannot compile what the interpreter may still read. */
function tryAjv(
  schema: JsonSchema,
  dialect: Dialect,
  text: string,
  patterns: (source: string) => Pattern,
): AjvValidator | undefined {
  try {
    return compileAjv(schema, dialect, text, patterns);
  } catch {
    return undefined;
  }
}

function guardedPatterns(
  engine: SchemaEngine,
  warnings: Set<SchemaWarning>,
): (source: string) => Pattern {
  const compiled = new Map<string, Pattern>();
  return (source) => {
    const known = compiled.get(source);
    if (known) return known;
    const pattern = compilePattern(source, engine.patternEngine);
    if (!pattern.supported) warnings.add("pattern-not-compiled");
    const watched: Pattern & { toString(): string } = {
      ...pattern,
      // ajv tells patterns apart by their text.
      toString: () => source,
      test(text) {
        if (text.length > pattern.maxLength) warnings.add("pattern-too-slow");
        return pattern.test(text);
      },
    };
    compiled.set(source, watched);
    return watched;
  };
}
