import type { SecretPlace } from "../../sanitize/index.ts";
import type { Finding, Severity } from "../../shared/index.ts";
import type { PatternEngine } from "../pattern/index.ts";
import type { Explanation } from "./explain.ts";
import type { CompileJudge } from "./judge.ts";

/** How values are validated. */
export interface SchemaEngine {
  /** Compiles schemas to code that says yes or no; without it, the walk says that too. */
  readonly compileJudge?: CompileJudge | undefined;
  /** Runs patterns instead of the runtime's regular expressions. */
  readonly patternEngine?: PatternEngine | undefined;
}

/** Why a part of a schema, or all of it, is not enforced. */
export type SchemaWarning =
  | "unknown-dialect"
  | "schema-not-compiled"
  | "keyword-left-out"
  | "keyword-misspelt"
  | "values-contradict-type"
  | "pattern-not-compiled";

/** JSON Pointers into a schema, by warning. */
export type SchemaPlaces = Readonly<Partial<Record<SchemaWarning, readonly string[]>>>;

/** A schema that is ready to validate and to explain. */
export interface CompiledSchema {
  /** Whether a value is valid; throws if the value is nested too deeply. */
  accepts(value: unknown): boolean;
  /** A faster `accepts` for a schema without patterns; it may throw on values that `accepts` can validate. */
  readonly validate?: ((value: unknown) => boolean) | undefined;
  /** Finds the faults of an invalid value; never none. */
  explain(value: unknown): Explanation;
  /**
   * Reports the fields of a value that the schema neither declares nor forbids, with this severity. Those that are errors
   * are looked for in all of the value, and it throws if that would cost too much.
   */
  unknownFields(value: unknown, severity: Severity): readonly Finding[];
  /** Whether the schema declares a property of this name anywhere. */
  declares(name: string): boolean;
  /** Where the schema puts secrets; undefined if it has none. */
  readonly sensitivePlaces?: SecretPlace | undefined;
  /** What is not enforced. */
  readonly warnings: ReadonlySet<SchemaWarning>;
  /** Where the patterns are that were too slow for a string since this was last called; undefined if none was. */
  readonly takeSlowPatterns?: (() => readonly string[] | undefined) | undefined;
  /** The JSON Pointers of the keywords that a warning is about. */
  readonly places?: SchemaPlaces | undefined;
}
