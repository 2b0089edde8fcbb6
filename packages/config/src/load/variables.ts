import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { type FileFormat, isSection } from "../format/index.ts";
import type { Position } from "./config-fault.ts";
import type { ReadString } from "./read-tree.ts";

const MAX_BYTES = 1024 * 1024;

/** The contents of a file, or why it could not be read. */
export type TextReading = { readonly text: string } | { readonly problem: string };

/** Reads a text file of limited size; never throws. */
export function readText(path: string): TextReading {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "it is not a file" };
    if (stats.size > MAX_BYTES) return { problem: "it is larger than 1 MiB" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) };
  } catch (thrown) {
    return { problem: problemOfRead(thrown) };
  }
}

function problemOfRead(thrown: unknown): string {
  if (thrown instanceof TypeError) return "it is not UTF-8 text";
  switch ((thrown as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "this user may not read it";
    default:
      return "it could not be read";
  }
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

function readEnvFile(path: string): { readonly values: Environment; readonly problem?: string } {
  // Python's virtual environments are often folders with this name.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return { values: {} };
  const reading = readText(path);
  if ("problem" in reading) return { values: {}, problem: reading.problem };
  return { values: parseEnv(reading.text.replace(/^\uFEFF/, "")) };
}

/** A value that was expanded from variables. */
export interface Expansion {
  /** The string in the file; it may be shown even if the value may not. */
  readonly template: string;
  readonly variables: readonly string[];
  readonly result: string;
}

/** An env file that exists and can't be read. */
interface EnvProblem {
  readonly file: string;
  readonly problem: string;
}

/** The variables of a string that are not set anywhere. */
interface Unset {
  readonly unset: readonly string[];
}

/** A variable that is not set anywhere, and where it is used. */
interface MissingVariable {
  readonly name: string;
  readonly pointer: string;
  readonly at: Position;
}

/** The variables that one configuration file may use, and what was read with them. */
export interface Variables {
  /** What is wrong with existing env files. */
  readonly problems: () => readonly EnvProblem[];
  /** Expands variables in the values of our settings. */
  readonly readString: ReadString;
  /** Expands the variables in a string, or lists those that are not set. */
  readonly expand: (text: string) => string | Unset;
  readonly expansions: ReadonlyMap<string, Expansion>;
  readonly missing: readonly MissingVariable[];
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})\}/g;

/** Creates the variables of a configuration file; the env files, highest precedence first, are read on first use. */
export function createVariables(
  envFiles: readonly string[],
  environment: Environment,
  { isVerbatim }: Pick<FileFormat, "isVerbatim">,
): Variables {
  const expansions = new Map<string, Expansion>();
  const missing: MissingVariable[] = [];
  let readings: readonly (ReturnType<typeof readEnvFile> & { readonly file: string })[] | undefined;

  /** Looks a variable up: in the layer's env files first, then in the environment. */
  const lookUp = (name: string): string | undefined => {
    readings ??= envFiles.map((file) => ({ file, ...readEnvFile(file) }));
    const own = readings.find(({ values }) => Object.hasOwn(values, name));
    const value = (own?.values ?? environment)[name];
    return typeof value === "string" ? value : undefined;
  };

  const expand = (text: string): string | Unset => {
    const unset = variablesOf(text).filter((name) => lookUp(name) === undefined);
    if (unset.length > 0) return { unset };
    // The values are not expanded again.
    return text.replaceAll(PLACEHOLDER, (_, name: string) => lookUp(name) ?? "");
  };

  const readString: ReadString = (pointer, text, at, schema) => {
    const isExpanded = schema !== undefined && !isSection(schema) && !isVerbatim(pointer);
    const variables = isExpanded ? variablesOf(text) : [];
    if (variables.length === 0) return text;
    const result = expand(text);
    if (typeof result !== "string") {
      missing.push(...result.unset.map((name) => ({ name, pointer, at })));
      return undefined;
    }
    expansions.set(pointer, { template: text, variables, result });
    return toType(result, schema?.["type"]);
  };

  const problems = (): readonly EnvProblem[] =>
    (readings ?? []).flatMap(({ file, problem }) =>
      problem === undefined ? [] : [{ file, problem }],
    );
  return { problems, readString, expand, expansions, missing };
}

/** The variables that a string names, each once. */
function variablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
}

/** Converts an expanded string to the number or boolean that the option expects, if it is one. */
function toType(text: string, type: unknown): unknown {
  const trimmed = text.trim();
  if (type === "integer" && /^[-+]?\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (type === "number" && /^[-+]?\d{1,15}(?:\.\d{1,15})?(?:e[-+]?\d{1,2})?$/i.test(trimmed))
    return Number(trimmed);
  if (type === "boolean" && /^(?:true|false)$/i.test(trimmed))
    return trimmed.toLowerCase() === "true";
  return text;
}
