import { estimateTokenCount } from "tokenx";
import { ToolContractError } from "@toolcontract/explain";
import { type Provider, isRecord, schemaParts, pointerKeys } from "@toolcontract/explain/adapter";
import { type Proof, type ToolGrade, gradeOf, proofsOf } from "../grade/index.ts";
import { RULES, deepNesting, providerBreaks } from "../rules/index.ts";
import {
  type Edit,
  type LintFinding,
  type LintLimits,
  type LintSeverity,
  type LintTool,
  type ListFacts,
  type DeclaredTool,
  MAX_LEVELS,
  fieldsOf,
  isTooDeep,
  join,
  placesOf,
} from "../shared/index.ts";

/**
 * What is linted, and how strictly.
 *
 * @example
 * ```ts
 * const options: LintOptions = { maxToolTokens: 500, grade: false };
 * ```
 * @see docs/lint.md
 */
export interface LintOptions {
  /** Turns rules off, or gives them another severity. */
  readonly rules?: Readonly<Record<string, "off" | LintSeverity>>;
  /**
   * Tokens of one tool from which it is reported.
   *
   * @default 1_000
   */
  readonly maxToolTokens?: number;
  /**
   * Tokens of a list from which it is reported.
   *
   * @default 10_000
   */
  readonly maxListTokens?: number;
  /**
   * How deeply arguments may be nested.
   *
   * @default 4
   */
  readonly maxDepth?: number;
  /**
   * The providers and clients for which `provider-breaks` looks: `openai`, `anthropic`, `gemini`, `bedrock` and `mcp`. For
   * one that is named, it also reports what most clients take out before they send a tool.
   *
   * @default all
   */
  readonly for?: readonly Provider[];
  /**
   * Counts the tokens of a string.
   *
   * @default an estimate, in which a vocabulary has no part
   */
  readonly countTokens?: (text: string) => number;
  /**
   * Whether tools are graded, which takes most of the time.
   *
   * @default true
   */
  readonly grade?: boolean;
}

/** A tool and its grade. */
export interface LintedTool extends ToolGrade {
  readonly name: string;
  /** How many tokens a model reads of the tool, in JSON. */
  readonly tokens: number;
}

/** What was found in a list of tools. */
export interface LintReport {
  /** The findings, in the order of the tools, errors of each first. */
  readonly findings: readonly LintFinding[];
  readonly tools: readonly LintedTool[];
}

/** A finding with what a reporter and `--fix` need beside it. */
interface FoundFinding {
  readonly finding: LintFinding;
  readonly tool: LintTool;
  readonly edit: readonly Edit[] | undefined;
  readonly isOfList: boolean;
}

const UNGRADED: ToolGrade = { grade: "A", share: 1 };
/** A tool that no model is ever offered: no call of it comes back. */
const REFUSED: ToolGrade = { grade: "F", share: 0 };

/**
 * Finds the mistakes of tools that models will make mistakes with, and grades each tool.
 *
 * @throws ToolContractError if an option names a rule that does not exist.
 * @example
 * ```ts
 * const { findings } = lintTools(readTools(document));
 * for (const { rule, message } of findings) console.log(rule, message);
 * ```
 * @see docs/lint.md
 */
export function lintTools(tools: readonly LintTool[], options: LintOptions = {}): LintReport {
  const found = findAll(tools, options);
  return {
    findings: found.flatMap(({ findings }) => findings.map(({ finding }) => finding)),
    tools: found.map(({ tool, grade, tokens }) => ({ name: tool.name, ...grade, tokens })),
  };
}

/** A tool, its grade and what was found in it. */
export interface FoundTool {
  readonly tool: LintTool;
  readonly grade: ToolGrade;
  readonly tokens: number;
  readonly findings: readonly FoundFinding[];
  /** Makes the calls that models would make wrong. */
  readonly proofs: () => readonly Proof[];
}

/** Does what `lintTools` does, and keeps what belongs together. */
export function findAll(
  tools: readonly LintTool[],
  options: LintOptions = {},
): readonly FoundTool[] {
  const severities = severitiesOf(options.rules ?? {});
  const { countTokens = estimateTokenCount } = options;
  const list: ListFacts = {
    tools: tools.flatMap((tool) => (isTooDeep(tool.source) ? [] : factsOfTool(tool, countTokens))),
    limits: lintLimits(options),
    asked: options.for,
  };
  const factsOf = new Map(list.tools.map((facts) => [facts.tool, facts]));
  return tools.map((tool) => {
    const facts = factsOf.get(tool);
    if (!facts) return tooDeep(tool);
    const findings = RULES.flatMap((rule) => {
      const severity = severities.get(rule.name);
      if (severity === undefined) return [];
      return [...rule.check(facts, list)].map(
        ({ path, message, fix, edit, isOfList = false }): FoundFinding => ({
          finding: {
            rule: rule.name,
            severity,
            tool: facts.tool.name,
            path,
            message,
            fix: fix ?? rule.fix,
          },
          tool: facts.tool,
          edit,
          isOfList,
        }),
      );
    });
    const gradeOfOffered = () => (findings.some(isRefusal) ? REFUSED : gradeOf(facts));
    return {
      tool: facts.tool,
      tokens: facts.tokens,
      findings: bySeverity(findings),
      proofs: () => proofsOf(facts),
      grade: (options.grade ?? true) ? gradeOfOffered() : UNGRADED,
    };
  });
}

/** A tool that nobody reads to its end: neither a provider nor these rules. */
function tooDeep(tool: LintTool): FoundTool {
  const finding: LintFinding = {
    rule: deepNesting.name,
    severity: "error",
    tool: tool.name,
    path: "",
    message: `Its declaration is nested more than ${MAX_LEVELS} levels deep, so nothing else of it was looked at`,
    fix: deepNesting.fix,
  };
  const findings = [{ finding, tool, edit: undefined, isOfList: false }];
  return { tool, grade: REFUSED, tokens: 0, findings, proofs: () => [] };
}

function isRefusal({ finding: { rule, severity }, isOfList }: FoundFinding): boolean {
  return rule === providerBreaks.name && severity === "error" && !isOfList;
}

/** Makes the calls of a tool that models would make wrong. */
export function proofsFor(tool: LintTool): readonly Proof[] {
  return isTooDeep(tool.source) ? [] : proofsOf(factsOfTool(tool, estimateTokenCount));
}

const ORDER: readonly LintSeverity[] = ["error", "warning", "info"];

function bySeverity(findings: readonly FoundFinding[]): readonly FoundFinding[] {
  return findings.toSorted(
    (a, b) => ORDER.indexOf(a.finding.severity) - ORDER.indexOf(b.finding.severity),
  );
}

function severitiesOf(given: NonNullable<LintOptions["rules"]>): ReadonlyMap<string, LintSeverity> {
  for (const [name, severity] of Object.entries(given)) {
    const rule = RULES.find((one) => one.name === name);
    if (!rule) throw new ToolContractError(`lint: there is no rule '${name.slice(0, 64)}'.`);
    if (severity !== "off" && !ORDER.includes(severity))
      throw new ToolContractError(`lint: rule '${name}' must be off, error, warning or info.`);
  }
  return new Map(
    RULES.flatMap(({ name, severity }) => {
      const set = Object.hasOwn(given, name) ? given[name] : severity;
      return set === "off" || set === undefined ? [] : [[name, set] as const];
    }),
  );
}

function lintLimits(options: LintOptions): LintLimits {
  return {
    toolTokens: options.maxToolTokens ?? 1_000,
    listTokens: options.maxListTokens ?? 10_000,
    depth: options.maxDepth ?? 4,
    areTokensEstimated: options.countTokens === undefined,
  };
}

/** What a model is sent of a tool. */
function sentJson({ source }: LintTool): string {
  if (!isRecord(source)) return JSON.stringify(source) ?? "";
  // These are for clients.
  const { outputSchema: _, annotations: __, _meta: ___, icons: ____, ...sent } = source;
  return JSON.stringify(sent);
}

function factsOfTool(tool: LintTool, countTokens: (text: string) => number): DeclaredTool {
  const places = placesOf(tool.inputSchema);
  return {
    tool,
    places,
    fields: fieldsOf(places),
    parts: tool.inputSchema === undefined ? undefined : schemaParts(tool.inputSchema),
    tokens: countTokens(sentJson(tool)),
    pointerOf: ({ pointer }, ...keys) =>
      join(tool.at.inputSchema, ...pointerKeys(pointer), ...keys),
  };
}
