import type { ConfigFault, Position } from "../config-fault.ts";
import type { ConfigFile } from "../files/config-file.ts";
import { type Environment, type LayerVariables, layerVariables } from "../files/layer-variables.ts";
import { readText } from "../files/read-text.ts";
import { judgeValues } from "../judge/judge-values.ts";
import { type ParsedYaml, parseYaml } from "../yaml/parse-yaml.ts";
import { readTree } from "../yaml/read-tree.ts";
import { createExpansions, type Expansions } from "./expansions.ts";
import { type SetValue, setValues } from "./set-values.ts";
import { unreadKeys } from "./unread-keys.ts";
import { valueFault } from "./value-fault.ts";

/** What one configuration file says, or all that is wrong with it. */
export interface LayerReading {
  readonly values: readonly SetValue[];
  readonly faults: readonly ConfigFault[];
  readonly advisories: readonly ConfigFault[];
}

const START: Position = { line: 1, column: 1 };

/** Reads, expands and judges one configuration file; it never throws. */
export function readLayer(file: ConfigFile, environment: Environment): LayerReading {
  const reading = readText(file.path);
  if ("problem" in reading) return failed([unreadable(file, file.path, reading.problem)]);
  const parsed = parseYaml(reading.text);
  if (parsed.problems.length === 0) {
    return readValues(file, parsed, layerVariables(file.path, environment));
  }
  const place = { layer: file.layer, file: file.path, path: "", code: "invalid-yaml" } as const;
  return failed(parsed.problems.map((problem) => ({ ...place, ...problem })));
}

function readValues(file: ConfigFile, parsed: ParsedYaml, variables: LayerVariables): LayerReading {
  const expansions = createExpansions(variables);
  const tree = readTree(parsed, expansions.readText);
  if (tree.isTooLarge) {
    const message = "The settings nest too deeply or repeat too much through aliases";
    return failed([
      { ...START, layer: file.layer, file: file.path, path: "", code: "invalid-yaml", message },
    ]);
  }
  const envProblem = variables.problem();
  return {
    values: setValues(file, tree, expansions),
    faults: [
      ...judgeValues(tree.value).map((error) => valueFault(error, file, tree, expansions)),
      ...missingVariables(file, expansions),
      ...(envProblem === undefined ? [] : [unreadable(file, variables.file, envProblem)]),
    ],
    advisories: unreadKeys(file, tree),
  };
}

function missingVariables(
  { layer, path: file }: ConfigFile,
  { missing }: Expansions,
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
  return { values: [], faults, advisories: [] };
}
