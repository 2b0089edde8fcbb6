import { resolve } from "node:path";
import { type OptionRules, isObject, isString } from "@toolcontract/core/adapter";
import type { ConfigFile, Environment } from "@toolcontract/config";
import {
  checkLoadOptions,
  commitFaults,
  configError,
  contractOf,
  folderOrNone,
  readLayer,
  readText,
  START,
} from "@toolcontract/config/adapter";
import { AGENT_FORMAT } from "./agent-format.ts";
import {
  type AgentFile,
  type AgentPlaces,
  envFilesOf,
  findAgentFiles,
} from "./find-agent-files.ts";
import type { AgentConfig } from "./agent-config.ts";
import { buildSections } from "./build-config.ts";
import { crossChecks } from "./cross-checks.ts";
import { isOpenFrontMatter, splitFrontMatter } from "./front-matter.ts";
import { expandedOf } from "./headers-of.ts";
import { mergeLayers, originsOf, type ReadLayer } from "./merge-layers.ts";

/** Where to look for the configuration of an agent, and the variables that it may use. */
export interface AgentLoadOptions extends AgentPlaces {
  /** Where variables are looked up after a layer's env files; `process.env` by default. */
  readonly env?: Environment | undefined;
}

const OPTIONS: Readonly<Record<keyof AgentLoadOptions, OptionRules[string]>> = {
  path: isString,
  cwd: isString,
  promptFile: isString,
  program: folderOrNone,
  home: folderOrNone,
  system: folderOrNone,
  env: isObject,
};

/**
 * Loads the configuration of an agent from all layers; without any file it is empty.
 *
 * @throws ConfigError with every fault of every file, if any value is wrong; MissingVariableError if a variable is not
 * set anywhere.
 */
export function loadAgentConfig(options: AgentLoadOptions = {}): AgentConfig {
  checkLoadOptions("loadAgentConfig", options, OPTIONS);
  const environment = options.env ?? process.env;
  const layers = [
    ...promptLayer(options, environment),
    ...findAgentFiles(options).map((file) => fileLayer(file, environment)),
  ];
  const readings = layers.map(({ reading }) => reading);
  const merged = mergeLayers(layers);
  const found = readings.flatMap(({ faults }) => faults);
  const faults = [...found, ...crossChecks(merged, found), ...commitFaults(readings)];
  if (faults.length > 0) {
    const order = layers.map(({ file }) => file.layer);
    const inOrder = faults.toSorted((a, b) => order.indexOf(a.layer) - order.indexOf(b.layer));
    throw configError(inOrder, options);
  }
  const contract = contractOf(readings);
  return {
    ...buildSections(merged),
    ...contract,
    headersOf: (server) => expandedOf("headers", server, merged, options),
    envOf: (server) => expandedOf("env", server, merged, options),
    origins: { ...originsOf(merged), ...contract.origins },
    files: layers.map(({ file: { layer, path } }) => ({ layer, path })),
  };
}

function fileLayer(file: AgentFile, environment: Environment): ReadLayer {
  const { envFiles, isJson } = file;
  return {
    file,
    reading: readLayer(file, { format: AGENT_FORMAT, environment, envFiles, isJson }),
  };
}

/** The front matter of the prompt file, if it has any. */
function promptLayer(
  { promptFile, cwd = process.cwd() }: AgentLoadOptions,
  environment: Environment,
): readonly ReadLayer[] {
  if (promptFile === undefined) return [];
  const file: ConfigFile = { layer: "prompt", path: resolve(cwd, promptFile) };
  const options = { format: AGENT_FORMAT, environment, envFiles: envFilesOf(file) };
  const prompt = readText(file.path);
  // Reading it again reports the problem.
  if ("problem" in prompt) return [{ file, reading: readLayer(file, options) }];
  const { frontMatter } = splitFrontMatter(prompt.text);
  if (frontMatter !== undefined) {
    // The line above keeps the lines of the faults.
    return [{ file, reading: readLayer(file, { ...options, text: `\n${frontMatter}` }) }];
  }
  if (!isOpenFrontMatter(prompt.text)) return [];
  const reading = readLayer(file, { ...options, text: "" });
  const fault = {
    ...START,
    ...file,
    file: file.path,
    path: "",
    code: "open-front-matter",
    message: "The front matter has no end",
    hint: "write --- on a line of its own after it",
  } as const;
  return [{ file, reading: { ...reading, faults: [fault] } }];
}
