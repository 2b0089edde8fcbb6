import { basename, dirname, resolve } from "node:path";
import { type ConfigFault, START } from "./config-fault.ts";
import type { ConfigFile } from "../files/index.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import {
  FILE_OPTIONS,
  type FileFormat,
  type NamedFileOption,
  optionPointer,
  pointerOf,
  TREE,
} from "../format/index.ts";
import { readGuardrails, type SetGuardrail } from "./read-guardrails.ts";
import { parseYaml } from "./parse-yaml.ts";
import { type ConfigTree, memberAt, readTree } from "./read-tree.ts";
import {
  type ReadFile,
  unknownKeys,
  validateValues,
  valueFault,
  writtenPointer,
} from "./value-faults.ts";
import {
  createVariables,
  type Environment,
  readText,
  type TextReading,
  type Variables,
} from "./variables.ts";

/** One option that a file sets. */
export interface SetValue {
  readonly option: NamedFileOption;
  readonly value: unknown;
  readonly origin: ConfigOrigin;
}

/** The values of one configuration file, and everything that is wrong with it. */
export interface LayerReading {
  readonly values: readonly SetValue[];
  readonly guardrails: readonly SetGuardrail[];
  readonly faults: readonly ConfigFault[];
  /** The file's values as a whole, with their places; undefined if the file can't be read. */
  readonly tree?: ConfigTree;
  readonly variables: Variables;
}

/** How a file is read. */
export interface LayerOptions {
  readonly format: FileFormat;
  readonly environment: Environment;
  /** The layer's env files, highest precedence first. */
  readonly envFiles: readonly string[];
  /** The text, if it is not the whole file. */
  readonly text?: string;
  /** Whether it is JSON, whose fixed keys may be in camelCase. */
  readonly isJson?: boolean;
}

/** Reads, expands and validates one configuration file; never throws. */
export function readLayer(file: ConfigFile, options: LayerOptions): LayerReading {
  const { format, environment, envFiles, isJson = false } = options;
  const variables = createVariables(envFiles, environment, format);
  const failed = (faults: readonly ConfigFault[]): LayerReading => {
    return { values: [], guardrails: [], faults, variables };
  };
  const reading: TextReading =
    options.text === undefined ? readText(file.path) : { text: options.text };
  if ("problem" in reading) return failed([unreadableFile(file, file.path, reading.problem)]);
  const parsed = parseYaml(reading.text, isJson);
  const code = isJson ? "invalid-json" : "invalid-yaml";
  const place = { layer: file.layer, file: file.path, path: "", code } as const;
  if (parsed.problems.length > 0) {
    return failed(parsed.problems.map((problem) => ({ ...place, ...problem })));
  }
  const { readString } = variables;
  const tree = readTree(parsed, { format, readString, camelCase: isJson });
  if (tree.isTooLarge) {
    const message = "The settings nest too deeply or repeat too much through aliases";
    return failed([{ ...place, ...START, message }]);
  }
  return readValues(file, { tree, variables, format });
}

function readValues(file: ConfigFile, read: ReadFile): LayerReading {
  const { tree, variables, format } = read;
  // A variable that is not set is a fault of its own.
  const unset = new Set(variables.missing.map(({ pointer }) => pointer));
  const errors = validateValues(tree.value, format).filter(
    ({ fieldPath }) => !unset.has(fieldPath),
  );
  const isSound = (pointer: string): boolean =>
    !errors.some(({ fieldPath }) => `${fieldPath}/`.startsWith(`${pointer}/`));
  const guardrails = readGuardrails(file, tree, isSound);
  return {
    values: setValues(file, tree, variables),
    guardrails: guardrails.values,
    faults: [
      ...errors.map((error) => valueFault(error, file, read)),
      ...misspeltKeys(file, tree),
      ...unknownKeys(file, tree, format),
      ...guardrails.faults,
      ...missingVariables(file, read),
      ...variables.problems().map(({ file: path, problem }) => unreadableFile(file, path, problem)),
    ],
    tree,
    variables,
  };
}

function misspeltKeys({ layer, path: file }: ConfigFile, tree: ConfigTree): readonly ConfigFault[] {
  return tree.misspelt.map(({ keys, at, name, isRepeated }): ConfigFault => {
    const [written = ""] = keys.slice(-1);
    const place = { ...at, layer, file, path: writtenPointer(pointerOf(keys), tree) };
    if (isRepeated) {
      const message = `'${written}' and '${name}' are the same key`;
      return { ...place, code: "duplicate-name", message, hint: `remove "${written}"` };
    }
    const message = `Unknown field '${written}'`;
    return { ...place, code: "VAL-005", message, hint: `rename it to "${name}"` };
  });
}

function missingVariables(
  { layer, path: file }: ConfigFile,
  { tree, variables, format }: ReadFile,
): readonly ConfigFault[] {
  return variables.missing.map(({ name, pointer, at }) => {
    return {
      ...at,
      layer,
      file,
      path: writtenPointer(pointer, tree),
      ...missingVariable(name, layer, format),
    };
  });
}

/** What is said of a variable that is not set anywhere. */
export function missingVariable(
  name: string,
  layer: ConfigFile["layer"],
  { envFiles }: FileFormat,
): Pick<ConfigFault, "code" | "message" | "expected"> {
  return {
    code: "missing-variable",
    message: `Variable '${name}' is not set for the ${layer} layer`,
    expected: `${name} in ${envFiles} or in the environment`,
  };
}

function unreadableFile({ layer }: ConfigFile, file: string, problem: string): ConfigFault {
  const message = `The file can't be read: ${problem}`;
  return { ...START, layer, file, path: "", code: "unreadable-file", message };
}

/** The options of the contract that a file sets. */
function setValues(file: ConfigFile, tree: ConfigTree, variables: Variables): readonly SetValue[] {
  return FILE_OPTIONS.flatMap((option): SetValue[] => {
    const value = memberAt(tree.value, [...TREE, ...option.keys]);
    const origin = originAt(optionPointer(option), file, { tree, variables });
    if (value === undefined || origin === undefined) return [];
    return [
      {
        option,
        value: option.name === "workspaceRoot" ? fromProject(file.path, value) : value,
        origin,
      },
    ];
  });
}

/** Where a file sets the value at a pointer. */
export function originAt(
  pointer: string,
  { layer, path: file }: ConfigFile,
  { tree, variables }: Pick<ReadFile, "tree" | "variables">,
): ConfigOrigin | undefined {
  const position = tree.places.get(pointer)?.value;
  if (position === undefined) return undefined;
  const template = variables.expansions.get(pointer)?.template;
  return { layer, file, ...position, ...(template !== undefined && { template }) };
}

/** Resolves a folder against the folder that holds `.agent`, or else the one that holds the file. */
function fromProject(file: string, value: unknown): unknown {
  return typeof value === "string" ? resolve(projectOf(file), value) : value;
}

/** The folder that holds a file, or the `.agent` with the file. */
export function projectOf(file: string): string {
  const folder = dirname(file);
  return basename(folder) === ".agent" ? dirname(folder) : folder;
}
