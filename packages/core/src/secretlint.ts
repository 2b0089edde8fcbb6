import { REDACTED } from "./sanitize/redacted.ts";
import { ToolContractError } from "./tool-contract-error.ts";

/** A change to one rule of secretlint's recommended preset. */
export interface SecretlintRule {
  /** The rule's package name, for example `"@secretlint/secretlint-rule-slack"`. */
  readonly id: string;
  readonly disabled?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What the redactor may be told. */
export interface SecretlintRedactorOptions {
  /** Changes to single rules of the preset. */
  readonly rules?: readonly SecretlintRule[];
}

/** The parts of secretlint that are used; its own types are an optional install. */
type Linter = (
  content: string,
) => Promise<readonly { readonly range: readonly [number, number] }[]>;

const PRESET = "@secretlint/secretlint-rule-preset-recommend";

/** Comments in a value must not switch the search off: it is a model's text, not a repository's. */
const COMMENT_FILTER = "@secretlint/secretlint-rule-filter-comments";

/**
 * Creates a redactor on the rules of secretlint's recommended preset (Node 22 or newer).
 *
 * @remarks Needs `@secretlint/core` and the preset to be installed; the first call throws a ToolContractError where they are not.
 * Secretlint keeps a timing mark of every search for the life of the process and looks through them: for servers that
 * redact without end, the built-in patterns and a redactor of your own are the better choice.
 */
export function secretlintRedactor(
  options: SecretlintRedactorOptions = {},
): (value: string) => Promise<string> {
  let linter: Promise<Linter> | undefined;
  return async (value) => {
    linter ??= loadLinter(options.rules ?? []);
    const lint = await linter;
    return cover(
      value,
      (await lint(value)).map(({ range }) => range),
    );
  };
}

async function loadLinter(changes: readonly SecretlintRule[]): Promise<Linter> {
  const [{ lintSource }, preset] = await importSecretlint();
  // The rules are named one by one, because a preset heeds no rule that is disabled inside it.
  const rules = preset.rules
    .filter((rule) => rule.meta.id !== COMMENT_FILTER)
    .map((rule) => {
      const change = changes.find(({ id }) => id === rule.meta.id);
      return {
        id: rule.meta.id,
        rule,
        disabled: change?.disabled ?? false,
        options: change?.options ?? {},
      };
    });
  return async (content) => {
    const source = { content, filePath: "value.txt", ext: ".txt", contentType: "text" as const };
    const result = await lintSource({
      source,
      options: { config: { rules }, noPhysicFilePath: true },
    });
    return result.messages;
  };
}

async function importSecretlint(): Promise<
  [typeof import("@secretlint/core"), typeof import("@secretlint/secretlint-rule-preset-recommend")]
> {
  try {
    return await Promise.all([
      import("@secretlint/core"),
      import("@secretlint/secretlint-rule-preset-recommend"),
    ]);
  } catch (cause) {
    throw new ToolContractError(
      `secretlintRedactor needs two packages: npm install @secretlint/core ${PRESET}`,
      { cause },
    );
  }
}

function cover(text: string, ranges: readonly (readonly [number, number])[]): string {
  let result = "";
  let at = 0;
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    if (start >= at) result += text.slice(at, start) + REDACTED;
    at = Math.max(at, end);
  }
  return result + text.slice(at);
}
