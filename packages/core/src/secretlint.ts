import { REDACTED } from "./sanitize/index.ts";
import { ToolContractError } from "./shared/index.ts";

/** A change to one rule of secretlint's recommended preset. */
export interface SecretlintRule {
  /** The rule's package name, for example `"@secretlint/secretlint-rule-slack"`. */
  readonly id: string;
  /** True to switch the rule off. */
  readonly disabled?: boolean;
  /** The rule's own options. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What the redactor may be told. */
export interface SecretlintRedactorOptions {
  /** Changes to single rules of the preset. */
  readonly rules?: readonly SecretlintRule[];
}

type Range = readonly [start: number, end: number];

/** A value as secretlint's rules read it. */
interface Source {
  readonly content: string;
  readonly filePath: string;
  readonly ext: string;
  readonly contentType: "text";
  readonly hasBOM: boolean;
  getFilePath(): string;
  getPhysicalFilePath(): undefined;
}

/** What secretlint's rules are given to answer with. */
interface RuleContext {
  readonly sharedOptions: object;
  createTranslator(): (messageId: string) => object;
  report(found: { readonly range: Range }): void;
  ignore(): void;
}

/** The parts of a rule that are used; secretlint's own types are an optional install. */
interface Rule {
  readonly meta: { readonly id: string; readonly supportedContentTypes: readonly string[] };
  create(
    context: RuleContext,
    options: Readonly<Record<string, unknown>>,
  ): { file?(source: Source): void | Promise<void> };
}

type RunRule = (source: Source, report: RuleContext["report"]) => Promise<void>;

const PRESET = "@secretlint/secretlint-rule-preset-recommend";

/** Comments in a value must not switch the search off: it is a model's text, not a repository's. */
const COMMENT_FILTER = "@secretlint/secretlint-rule-filter-comments";

/**
 * Creates a redactor on the rules of secretlint's recommended preset (Node 22 or newer).
 *
 * @remarks Needs the preset to be installed; the first call throws a ToolContractError where it is not.
 */
export function secretlintRedactor(
  options: SecretlintRedactorOptions = {},
): (value: string) => Promise<string> {
  let rules: Promise<readonly RunRule[]> | undefined;
  return async (value) => {
    rules ??= loadRules(options.rules ?? []);
    const ranges: Range[] = [];
    const source = sourceOf(value);
    const report = ({ range }: { readonly range: Range }): void => void ranges.push(range);
    await Promise.all((await rules).map((run) => run(source, report)));
    return cover(value, ranges);
  };
}

// The rules are run without secretlint's core: its profiler keeps marks of every search for the life of the process,
// and looks through all of them at each one.
async function loadRules(changes: readonly SecretlintRule[]): Promise<readonly RunRule[]> {
  const rules = await importRules();
  return rules
    .filter(({ meta }) => meta.id !== COMMENT_FILTER)
    .filter(({ meta }) => meta.supportedContentTypes.some((type) => /^(?:text|all)$/.test(type)))
    .map((rule) => ({ rule, change: changes.find(({ id }) => id === rule.meta.id) }))
    .filter(({ change }) => change?.disabled !== true)
    .map(({ rule, change }) => async (source, report) => {
      // A rule answers to whom it was made for, so each value has its own.
      await rule.create(contextOf(report), change?.options ?? {}).file?.(source);
    });
}

function contextOf(report: RuleContext["report"]): RuleContext {
  return {
    sharedOptions: {},
    // The words for people would hold the secret.
    createTranslator: () => (messageId) => ({ message: "", messageId }),
    report,
    ignore: () => undefined,
  };
}

function sourceOf(content: string): Source {
  const filePath = "value.txt";
  return {
    content,
    filePath,
    ext: ".txt",
    contentType: "text",
    hasBOM: false,
    getFilePath: () => filePath,
    getPhysicalFilePath: () => undefined,
  };
}

async function importRules(): Promise<readonly Rule[]> {
  try {
    const preset = await import("@secretlint/secretlint-rule-preset-recommend");
    return preset.rules;
  } catch (cause) {
    throw new ToolContractError(`secretlintRedactor needs a package: npm install ${PRESET}`, {
      cause,
    });
  }
}

function cover(text: string, ranges: readonly Range[]): string {
  let result = "";
  let at = 0;
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    if (start >= at) result += text.slice(at, start) + REDACTED;
    at = Math.max(at, end);
  }
  return result + text.slice(at);
}
