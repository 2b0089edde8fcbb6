import type { Provider, SchemaParts } from "@toolcontract/explain/adapter";
import type { Edit, LintSeverity } from "./finding.ts";
import type { FieldPlace, Place } from "./places.ts";
import type { LintTool } from "./tool.ts";

/** A tool with what rules look at. */
export interface DeclaredTool {
  readonly tool: LintTool;
  readonly places: readonly Place[];
  readonly fields: readonly FieldPlace[];
  /** Judges values by parts of the input schema; undefined if it has none that is known. */
  readonly parts: SchemaParts | undefined;
  /** How many tokens a model reads of the tool, in JSON. */
  readonly tokens: number;
  /** The JSON Pointer, into the declaration, of a place of the input schema. */
  readonly pointerOf: (place: Pick<Place, "pointer">, ...keys: readonly string[]) => string;
}

/** All tools of one list. */
export interface ListFacts {
  readonly tools: readonly DeclaredTool[];
  readonly limits: LintLimits;
  /** The providers that were asked for by name; undefined for all. */
  readonly asked?: readonly Provider[] | undefined;
}

/** The size from which a rule reports. */
export interface LintLimits {
  /**
   * Tokens of one tool.
   *
   * @default 1_000
   */
  readonly toolTokens: number;
  /**
   * Tokens of all tools together.
   *
   * @default 10_000
   */
  readonly listTokens: number;
  /**
   * How many objects and arrays may be inside each other.
   *
   * @default 4
   */
  readonly depth: number;
  /** Whether tokens are estimated by the length of the text. */
  readonly areTokensEstimated: boolean;
}

/** What a rule found. */
export interface RuleReport {
  /** JSON Pointer into the declaration. */
  readonly path: string;
  readonly message: string;
  /** What to do, if that is more definite than the rule's own advice. */
  readonly fix?: string | undefined;
  /** A change that does no harm. */
  readonly edit?: readonly Edit[] | undefined;
  /** Whether the list is to blame, and not this tool. */
  readonly isOfList?: boolean;
}

/** One kind of mistake. */
export interface LintRule {
  /** Its name, in settings and reports. */
  readonly name: string;
  readonly severity: LintSeverity;
  /** What is wrong, in a sentence. */
  readonly about: string;
  /** What to do. */
  readonly fix: string;
  /** Why it matters, in numbers of real calls. */
  readonly numbers?: string;
  /** More for the page of the rule, in Markdown. */
  readonly details?: () => string;
  readonly check: (facts: DeclaredTool, list: ListFacts) => Iterable<RuleReport>;
}
