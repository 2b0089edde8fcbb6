import { basename, dirname, resolve } from "node:path";
import { type ConfigFault, START } from "./config-fault.ts";
import type { ConfigFile } from "../files/index.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import { FILE_OPTIONS, type NamedFileOption, optionPointer, TREE } from "../format/index.ts";
import { readGuardrails, type SetGuardrail } from "./read-guardrails.ts";
import { type ParsedYaml, parseYaml } from "./parse-yaml.ts";
import { type ConfigTree, memberAt, readTree } from "./read-tree.ts";
import { unreadKeys, validateValues, valueFault } from "./value-faults.ts";
import { createVariables, type Environment, readText, type Variables } from "./variables.ts";

/** One option that a file sets. */
export interface SetValue {
  readonly option: NamedFileOption;
  readonly value: unknown;
  readonly origin: ConfigOrigin;
}

/** The values of one configuration file, or everything that is wrong with it. */
export interface LayerReading {
  readonly values: readonly SetValue[];
  readonly guardrails: readonly SetGuardrail[];
  readonly faults: readonly ConfigFault[];
  readonly advisories: readonly ConfigFault[];
}

/** Reads, expands and validates one configuration file; never throws. */
export function readLayer(file: ConfigFile, environment: Environment): LayerReading {
  const reading = readText(file.path);
  if ("problem" in reading) return failed([unreadable(file, file.path, reading.problem)]);
  const parsed = parseYaml(reading.text);
  if (parsed.problems.length === 0) {
    return readValues(file, parsed, createVariables(file.path, environment));
  }
  const place = { layer: file.layer, file: file.path, path: "", code: "invalid-yaml" } as const;
  return failed(parsed.problems.map((problem) => ({ ...place, ...problem })));
}

function readValues(file: ConfigFile, parsed: ParsedYaml, variables: Variables): LayerReading {
  const tree = readTree(parsed, variables.readString);
  if (tree.isTooLarge) {
    const message = "The settings nest too deeply or repeat too much through aliases";
    return failed([
      { ...START, layer: file.layer, file: file.path, path: "", code: "invalid-yaml", message },
    ]);
  }
  const envProblem = variables.problem();
  const errors = validateValues(tree.value);
  const isSound = (pointer: string): boolean =>
    !errors.some(({ fieldPath }) => `${fieldPath}/`.startsWith(`${pointer}/`));
  const guardrails = readGuardrails(file, tree, isSound);
  return {
    values: setValues(file, tree, variables),
    guardrails: guardrails.values,
    faults: [
      ...errors.map((error) => valueFault(error, file, tree, variables)),
      ...guardrails.faults,
      ...missingVariables(file, variables),
      ...(envProblem === undefined ? [] : [unreadable(file, variables.envFile, envProblem)]),
    ],
    advisories: unreadKeys(file, tree),
  };
}

function missingVariables(
  { layer, path: file }: ConfigFile,
  { missing }: Variables,
): readonly ConfigFault[] {
  return missing.map(({ name, pointer, at }) => {
    return {
      ...at,
      layer,
      file,
      path: pointer,
      code: "missing-variable",
      message: `Variable '${name}' is not set for the ${layer} layer`,
      expected: `${name} in the .env file beside it or in the environment`,
    };
  });
}

function unreadable({ layer }: ConfigFile, file: string, problem: string): ConfigFault {
  const message = `The file can't be read: ${problem}`;
  return { ...START, layer, file, path: "", code: "unreadable-file", message };
}

function failed(faults: readonly ConfigFault[]): LayerReading {
  return { values: [], guardrails: [], faults, advisories: [] };
}

/** The options that a file sets. */
function setValues(
  file: ConfigFile,
  tree: ConfigTree,
  { expansions }: Variables,
): readonly SetValue[] {
  return FILE_OPTIONS.flatMap((option): SetValue[] => {
    const pointer = optionPointer(option);
    const value = memberAt(tree.value, [...TREE, ...option.keys]);
    const position = tree.places.get(pointer)?.value;
    if (value === undefined || position === undefined) return [];
    const template = expansions.get(pointer)?.template;
    const origin = { layer: file.layer, file: file.path, ...position };
    return [
      {
        option,
        value: option.name === "workspaceRoot" ? fromProject(file.path, value) : value,
        origin: template === undefined ? origin : { ...origin, template },
      },
    ];
  });
}

/** Resolves a folder against the folder that holds `.agent`, or else the one that holds the file. */
function fromProject(file: string, value: unknown): unknown {
  const folder = dirname(file);
  const base = basename(folder) === ".agent" ? dirname(folder) : folder;
  return typeof value === "string" ? resolve(base, value) : value;
}
