import { ToolContractError } from "@toolcontract/explain";
import { coverSpans } from "@toolcontract/explain/adapter";

/** A change to one rule of secretlint's recommended preset. */
export interface SecretlintRule {
  /** The rule's package name, for example `"@secretlint/secretlint-rule-slack"`. */
  readonly id: string;
  /** True to switch the rule off. */
  readonly disabled?: boolean;
  /** The rule's own options. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/**
 * Options of the redactor.
 *
 * @example
 * ```ts
 * const options: SecretlintRedactorOptions = { rules: [] };
 * ```
 * @see docs/redaction.md
 */
export interface SecretlintRedactorOptions {
  /** Changes to individual rules of the preset. */
  readonly rules?: readonly SecretlintRule[];
}

type TextRange = readonly [start: number, end: number];

/** A value in the form that secretlint's rules read. */
interface SecretlintSource {
  readonly content: string;
  readonly filePath: string;
  readonly ext: string;
  readonly contentType: "text";
  readonly hasBOM: boolean;
  getFilePath(): string;
  getPhysicalFilePath(): undefined;
}

/** The context through which a rule reports. */
interface SecretlintContext {
  readonly sharedOptions: object;
  createTranslator(): (messageId: string) => object;
  report(found: { readonly range: TextRange }): void;
  ignore(): void;
}

/** The parts of a rule that are used here; secretlint's types are not always installed. */
interface RuleModule {
  readonly meta: { readonly id: string; readonly supportedContentTypes: readonly string[] };
  create(
    context: SecretlintContext,
    options: Readonly<Record<string, unknown>>,
  ): { file?(source: SecretlintSource): void | Promise<void> };
}

type RunRule = (source: SecretlintSource, report: SecretlintContext["report"]) => Promise<void>;

const PRESET = "@secretlint/secretlint-rule-preset-recommend";

/** Left out: a comment in a value that a model wrote must not switch the search off. */
const COMMENT_FILTER = "@secretlint/secretlint-rule-filter-comments";

/**
 * Creates a redactor from the rules of secretlint's recommended preset (Node 22 or newer).
 *
 * @remarks The preset must be installed; otherwise the first call throws a ToolContractError.
 * @example
 * ```ts
 * const contract = createContract({ redact: [secretlintRedactor()] });
 * ```
 * @see docs/redaction.md
 */
export function secretlintRedactor(
  options: SecretlintRedactorOptions = {},
): (value: string) => Promise<string> {
  let rules: Promise<readonly RunRule[]> | undefined;
  return async (value) => {
    rules ??= loadRules(options.rules ?? []);
    const ranges: TextRange[] = [];
    const source = sourceOf(value);
    const report = ({ range }: { readonly range: TextRange }): void => void ranges.push(range);
    await Promise.all((await rules).map((run) => run(source, report)));
    return coverSpans(value, ranges);
  };
}

// Runs the rules without secretlint's core, whose profiler keeps a mark of every search for the life of the process and
// goes through all of them each time.
async function loadRules(changes: readonly SecretlintRule[]): Promise<readonly RunRule[]> {
  const rules = await importRules();
  return rules
    .filter(({ meta }) => meta.id !== COMMENT_FILTER)
    .filter(({ meta }) => meta.supportedContentTypes.some((type) => /^(?:text|all)$/.test(type)))
    .map((rule) => ({ rule, change: changes.find(({ id }) => id === rule.meta.id) }))
    .filter(({ change }) => change?.disabled !== true)
    .map(({ rule, change }) => async (source, report) => {
      // A rule reports to the context it was created with, so each value needs its own.
      await rule.create(secretlintContext(report), change?.options ?? {}).file?.(source);
    });
}

function secretlintContext(report: SecretlintContext["report"]): SecretlintContext {
  return {
    sharedOptions: {},
    // A translated message would contain the secret.
    createTranslator: () => (messageId) => ({ message: "", messageId }),
    report,
    ignore: () => undefined,
  };
}

function sourceOf(content: string): SecretlintSource {
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

async function importRules(): Promise<readonly RuleModule[]> {
  try {
    const preset = await import("@secretlint/secretlint-rule-preset-recommend");
    return preset.rules;
  } catch (cause) {
    throw new ToolContractError(
      `secretlintRedactor: the preset is not installed. Run npm install ${PRESET}`,
      {
        cause,
      },
    );
  }
}
