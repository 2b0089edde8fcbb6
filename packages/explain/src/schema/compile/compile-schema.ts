import type { Finding, JsonSchema } from "../../shared/index.ts";
import {
  type Dialect,
  contradictionsIn,
  dialectsOf,
  hasCircle,
  indexSchema,
  isWellFormed,
  multipliesWork,
  patternPlaces,
  type RepairedSchema,
  asksInVain,
  repairSchema,
  sensitivePlaces,
} from "../document/index.ts";
import type {
  CompiledSchema,
  SchemaEngine,
  SchemaPlaces,
  SchemaWarning,
} from "./compiled-schema.ts";
import { explainBySchema, undeclaredBySchema } from "./explain.ts";
import { matchesFormat } from "./format.ts";
import { type WalkServices, firstFault, interpret } from "./interpret.ts";
import { type SchemaJudge, findingFromJudge, findingFromWalk } from "./judge.ts";
import { NAMES_SECRETS, openSchema, placesOfOpen } from "./open-schema.ts";
import { guardPatterns, withoutUndecided } from "./undecided-patterns.ts";

// What ajv validates unlike the specification in some combinations; schemas with it are walked.
const AJV_MISREADS =
  /"(?:\$dynamicRef|\$recursiveRef|unevaluatedItems|unevaluatedProperties|contains|__proto__)"|"\$id"[^]*"\$id"/;
/**
 * Compiling takes milliseconds for each kilobyte of a schema and blocks everybody meanwhile, and the code of a very large one
 * overflows the engine's parser with every call. The walk takes as long as the value is large, from the first one on.
 */
const MAX_COMPILED = 4_000;
const HAS_PATTERNS = /"pattern(?:Properties)?"/;
const HAS_REFERENCES = /"\$(?:ref|dynamicRef|recursiveRef)"/;
const MAY_ASK_IN_VAIN =
  /"(?:oneOf|allOf|nullable|const|pattern)"|"(?:enum|anyOf)":\[\]|"min(?:imum|Length|Items|Properties)"/;
const HAS_VALUES = /"(?:enum|const)"/;

/** Compiles a schema without its broken keywords; one that enforces nothing then gets a warning and accepts everything. */
export function compileSchema(
  schema: JsonSchema,
  json: string,
  engine: SchemaEngine,
): CompiledSchema {
  const dialects = dialectsOf(schema);
  const isPassable =
    (!HAS_VALUES.test(json) || contradictionsIn(schema).length === 0) &&
    (!MAY_ASK_IN_VAIN.test(json) || !asksInVain(schema));
  for (const dialect of isPassable ? dialects : []) {
    try {
      return compileAs(dialect, schema, json, engine);
    } catch {
      // The next dialect may read it.
    }
  }
  const repaired = leastRepaired(json, dialects);
  if (repaired) {
    try {
      return compileRepaired(repaired, engine);
    } catch {
      // It stays as it is: not enforced.
    }
  }
  const open = openSchema(dialects.length === 0 ? "unknown-dialect" : "schema-not-compiled");
  return { ...open, sensitivePlaces: placesOfOpen(schema, json) };
}

interface SchemaReading extends RepairedSchema {
  readonly dialect: Dialect;
}

/** The reading of a broken schema that leaves out the fewest keywords. */
function leastRepaired(json: string, dialects: readonly Dialect[]): SchemaReading | undefined {
  const readings = dialects.flatMap((dialect) => {
    const repaired = repairSchema(json, dialect);
    return repaired ? [{ ...repaired, dialect }] : [];
  });
  return readings.toSorted((a, b) => a.leftOut.length - b.leftOut.length)[0];
}

function compileRepaired(reading: SchemaReading, engine: SchemaEngine): CompiledSchema {
  const { dialect, schema, leftOut, misspelt, contradictory } = reading;
  const places: SchemaPlaces = {
    ...(leftOut.length > 0 && { "keyword-left-out": leftOut }),
    ...(misspelt.length > 0 && { "keyword-misspelt": misspelt }),
    ...(contradictory.length > 0 && { "values-contradict-type": contradictory }),
  };
  return compileAs(dialect, schema, JSON.stringify(schema), engine, places);
}

function compileAs(
  dialect: Dialect,
  schema: JsonSchema,
  json: string,
  engine: SchemaEngine,
  places?: SchemaPlaces,
): CompiledSchema {
  const warnings = new Set(Object.keys(places ?? {}) as SchemaWarning[]);
  const patterns = guardPatterns(engine.patternEngine, warnings);
  const index = indexSchema(schema, dialect);
  const services: WalkServices = {
    matchesPattern: (source, value) => patterns.compile(source).test(value),
    matchesFormat,
    remembers: HAS_REFERENCES.test(json) && multipliesWork(index),
  };
  // Compiled code has no memory, and no limits either.
  const isWalked =
    json.length > MAX_COMPILED ||
    dialect === "draft-04" ||
    AJV_MISREADS.test(json) ||
    services.remembers;
  const judge = isWalked
    ? undefined
    : tryJudge(() => engine.compileJudge?.(schema, dialect, json, patterns.compile));
  const isEndless = services.remembers && hasCircle(index);
  if (!isWellFormed(schema, dialect) || isEndless || (!judge && index.unresolved.length > 0))
    throw new Error("not enforceable");
  const judgedFault = (value: unknown): Finding => {
    const fault = judge?.accepts(value) === false ? judge.lastFault() : undefined;
    const first = fault ? undefined : firstFault(index, value, services);
    return first ? findingFromWalk(first, index) : findingFromJudge(fault, index, value);
  };
  const compiled: CompiledSchema = {
    accepts: judge
      ? acceptsBy(judge, (value) => interpret(index, value, services))
      : (value) => interpret(index, value, services),
    validate: HAS_PATTERNS.test(json) || places ? undefined : judge?.validate,
    explain(value) {
      const explanation = explainBySchema(index, value, { ...services, judge });
      if (explanation.findings.length > 0) return explanation;
      // A fault beyond the explainer's limits is reported as it was judged.
      return { findings: [judgedFault(value)], atLeast: true };
    },
    unknownFields(value, severity) {
      return undeclaredBySchema(index, value, services, severity);
    },
    declares: index.declares,
    sensitivePlaces: NAMES_SECRETS.test(json)
      ? sensitivePlaces(index, services.matchesPattern)
      : undefined,
    warnings,
    places,
  };
  if (!HAS_PATTERNS.test(json)) return compiled;
  const pointersOf = (is: (source: string) => boolean): readonly string[] =>
    patternPlaces(schema)
      .filter(({ source }) => is(source))
      .map(({ pointer }) => pointer);
  const unreadable = pointersOf((source) => !patterns.compile(source).supported);
  const said = unreadable.length > 0 ? { ...places, "pattern-not-compiled": unreadable } : places;
  const takeSlowPatterns = (): readonly string[] | undefined => {
    const slow = patterns.takeSlow();
    return slow && pointersOf((source) => slow.has(source));
  };
  return withoutUndecided({ ...compiled, places: said, takeSlowPatterns }, patterns, (sources) => {
    const repaired = repairSchema(json, dialect, sources);
    return repaired ? compileRepaired({ ...repaired, dialect }, engine) : openSchema();
  });
}

/** Asks the judge, and the walk where it cannot tell; code that overflowed on a value that can be walked is not tried again. */
function acceptsBy(
  judge: SchemaJudge,
  walk: (value: unknown) => boolean,
): CompiledSchema["accepts"] {
  let overflows = false;
  return (value) => {
    if (overflows) return walk(value);
    try {
      return judge.accepts(value) ?? walk(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const isAccepted = walk(value);
      overflows = true;
      return isAccepted;
    }
  };
}

/** Undefined if the judge cannot be compiled, because the walk may still read the schema. */
function tryJudge(compile: () => SchemaJudge | undefined): SchemaJudge | undefined {
  try {
    return compile();
  } catch {
    return undefined;
  }
}
