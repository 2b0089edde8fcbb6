import type { SchemaObject } from "@toolcontract/core";

/** The key above the settings of `toolcontract lint`. */
export const LINT_KEY = "lint";

/** What files say about `toolcontract lint`; the names are those of the linter. */
export interface LintConfig {
  /**
   * More warnings than this are a failure.
   *
   * @default any number
   */
  readonly maxWarnings?: number;
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
   * How many levels deep arguments may be nested.
   *
   * @default 4
   */
  readonly maxDepth?: number;
  /** Rules that are off or have another severity. */
  readonly rules?: Readonly<Record<string, "off" | "error" | "warning" | "info">>;
}

interface LintOption {
  readonly key: string;
  readonly schema: SchemaObject;
  readonly about: string;
}

const count: SchemaObject = { type: "integer", minimum: 0 };
const positiveInteger: SchemaObject = { type: "integer", minimum: 1 };

/** The settings, with their keys below `lint`. */
export const LINT_OPTIONS: Readonly<Record<keyof LintConfig, LintOption>> = {
  maxWarnings: {
    key: "max_warnings",
    schema: count,
    about: "More warnings than this are a failure; any number by default.",
  },
  maxToolTokens: {
    key: "max_tool_tokens",
    schema: { ...positiveInteger, default: 1_000 },
    about: "Tokens of one tool from which it is reported.",
  },
  maxListTokens: {
    key: "max_list_tokens",
    schema: { ...positiveInteger, default: 10_000 },
    about: "Tokens of all tools from which they are reported.",
  },
  maxDepth: {
    key: "max_depth",
    schema: { ...positiveInteger, default: 4 },
    about: "How deeply arguments may be nested.",
  },
  rules: {
    key: "rules",
    schema: {
      type: ["object", "null"],
      additionalProperties: { type: "string", enum: ["off", "error", "warning", "info"] },
    },
    about: "Rules that are off or have another severity, by name.",
  },
};

/** The JSON Schema of `lint`. */
export const LINT_SCHEMA: SchemaObject = {
  description: "Settings of toolcontract lint.",
  type: ["object", "null"],
  properties: Object.fromEntries(
    Object.values(LINT_OPTIONS).map(({ key, schema, about }) => [
      key,
      { description: about, ...schema },
    ]),
  ),
  additionalProperties: false,
};
