import type { ContractOptions, FormatOptions, SchemaObject } from "@toolcontract/core";

/** The name of every option of core in code; those of `format` are listed one by one. */
export type OptionName = Exclude<keyof ContractOptions, "format"> | `format.${keyof FormatOptions}`;

/** An option that can be set in a file. */
export interface FileOption {
  /** The keys below `tools.validation`. */
  readonly keys: readonly [string] | readonly [string, string];
  /** The JSON Schema of the value. */
  readonly schema: SchemaObject;
  /** Core's default; an option without one is off. */
  readonly fallback?: string | number | boolean;
  /** What it does, for the schema and the file that `init` writes. */
  readonly about: string;
}

/** An option that can only be set in code. */
export interface CodeOption {
  /** What it takes, to complete "… can't be set in a file". */
  readonly codeOnly: string;
}

const wholeFrom = (minimum: number): SchemaObject => ({ type: "integer", minimum });
const oneOf = (...values: readonly string[]): SchemaObject => ({ type: "string", enum: values });
const yesOrNo: SchemaObject = { type: "boolean" };
const functions: CodeOption = { codeOnly: "functions" };
const objects: CodeOption = { codeOnly: "objects with functions" };

/** Every option of core: where it is in a file, or that it is for code only. The type makes the table complete. */
export const OPTIONS: Readonly<Record<OptionName, FileOption | CodeOption>> = {
  maxAttempts: {
    keys: ["retry", "max_attempts"],
    schema: wholeFrom(1),
    fallback: 3,
    about: "How many model turns of one tool may fail before the call is blocked.",
  },
  scope: {
    keys: ["retry", "scope"],
    schema: oneOf("run", "thread"),
    fallback: "run",
    about: "run: a new run starts a new count; thread: only success does.",
  },
  onBlocked: {
    keys: ["retry", "on_blocked"],
    schema: oneOf("forgive", "refuse"),
    fallback: "forgive",
    about: "A valid call of a blocked tool runs and unblocks it (forgive), or is refused.",
  },
  "format.style": {
    keys: ["formatting", "style"],
    schema: oneOf("standard", "compact"),
    fallback: "standard",
    about: "standard: labelled lines for each error; compact: one line for each.",
  },
  "format.maxLength": {
    keys: ["formatting", "max_message_length"],
    schema: wholeFrom(400),
    fallback: 2000,
    about: "The longest message, in UTF-16 units.",
  },
  "format.maxErrors": {
    keys: ["formatting", "max_errors_shown"],
    schema: wholeFrom(1),
    fallback: 10,
    about: "How many errors a message shows.",
  },
  "format.maxValuePreview": {
    keys: ["formatting", "max_value_preview"],
    schema: wholeFrom(1),
    fallback: 100,
    about: "How many characters of a value are shown.",
  },
  "format.maxTokens": {
    keys: ["formatting", "max_tokens"],
    schema: wholeFrom(1),
    about: "The most tokens that a message may take; without it, only the length counts.",
  },
  reportAdvisories: {
    keys: ["formatting", "report_advisories"],
    schema: yesOrNo,
    fallback: false,
    about: "Shows the model warnings and remarks too.",
  },
  unknownFields: {
    keys: ["unknown_fields"],
    schema: oneOf("schema", "warn", "reject"),
    fallback: "schema",
    about: "Fields that a tool neither declares nor forbids: as its schema says, warn or reject.",
  },
  repairJson: {
    keys: ["repair_json"],
    schema: yesOrNo,
    fallback: true,
    about: "Repairs JSON text if its meaning is beyond doubt.",
  },
  closeDangling: {
    keys: ["close_dangling"],
    schema: yesOrNo,
    fallback: false,
    about: "Closes brackets left open at the end, if the last token is complete.",
  },
  unwrapStrings: {
    keys: ["unwrap_strings"],
    schema: yesOrNo,
    fallback: false,
    about: "Parses JSON in a string if the schema wants an array or object there.",
  },
  maxCallsPerTurn: {
    keys: ["max_calls_per_turn"],
    schema: wholeFrom(1),
    about: "How many calls one model turn may make; no limit by default.",
  },
  guardrails: objects,
  workspaceRoot: {
    keys: ["workspace_root"],
    schema: { type: "string", minLength: 1 },
    about:
      "Paths below this folder are shown relative to it; it is itself relative to the folder that holds .agent.",
  },
  interpreter: {
    keys: ["interpreter"],
    schema: yesOrNo,
    fallback: false,
    about: "Validates without compiling schemas, for runtimes that forbid code generation.",
  },
  "format.estimateTokens": functions,
  rules: functions,
  formatters: functions,
  redact: functions,
  logger: functions,
  onEscalation: functions,
  patternEngine: functions,
  clock: functions,
  store: objects,
  telemetry: objects,
};

/** An option that can be set in a file, with its name in code. */
export type NamedFileOption = FileOption & { readonly name: OptionName };

/** The options that can be set in a file, in reading order. */
export const FILE_OPTIONS: readonly NamedFileOption[] = Object.entries(OPTIONS).flatMap(
  ([name, option]) => ("keys" in option ? [{ ...option, name: name as OptionName }] : []),
);

/** The options that can only be set in code, by name. */
export const CODE_OPTIONS: ReadonlyMap<string, CodeOption> = new Map(
  Object.entries(OPTIONS).flatMap(([name, option]) =>
    "codeOnly" in option ? [[name, option]] : [],
  ),
);

/** The keys above the contract's options; everything beside them belongs to others. */
export const TREE: readonly [string, string] = ["tools", "validation"];

/** Joins keys to a JSON Pointer (RFC 6901). */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Splits a JSON Pointer into its keys. */
export function keysOf(pointer: string): readonly string[] {
  const keys = pointer.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** An option's JSON Pointer in the file. */
export function optionPointer({ keys }: FileOption): string {
  return pointerOf([...TREE, ...keys]);
}

/** An option's path as people write it: `tools.validation.retry.max_attempts`. */
export function optionPath({ keys }: FileOption): string {
  return [...TREE, ...keys].join(".");
}

/** Converts validated values by option name to the options of a contract. */
export function toOptions(values: ReadonlyMap<OptionName, unknown>): ContractOptions {
  const direct: Record<string, unknown> = {};
  const format: Record<string, unknown> = {};
  for (const [name, value] of values) {
    if (name.startsWith("format.")) format[name.slice("format.".length)] = value;
    else direct[name] = value;
  }
  // The schema accepts exactly what core accepts; a test holds them together.
  return { ...direct, ...(Object.keys(format).length > 0 && { format }) };
}

/** The value of an option, by its name. */
export function valueOf(options: ContractOptions, name: OptionName): unknown {
  return name
    .split(".")
    .reduce<unknown>((holder, key) => (holder as Readonly<Record<string, unknown>>)[key], options);
}
