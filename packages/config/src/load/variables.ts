import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { FILE_OPTIONS, optionPointer } from "../format/index.ts";
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
    return { problem: problemOf(thrown) };
  }
}

function problemOf(thrown: unknown): string {
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

/** A variable that is not set anywhere. */
interface MissingVariable {
  readonly name: string;
  readonly pointer: string;
  readonly at: Position;
}

/** The variables that one configuration file may use, and what was read with them. */
export interface Variables {
  /** The layer's env file: `.env` beside the configuration file, whether it exists or not. */
  readonly envFile: string;
  /** What is wrong with an existing env file. */
  readonly problem: () => string | undefined;
  /** Expands variables in the values of the contract's options. */
  readonly readString: ReadString;
  readonly expansions: ReadonlyMap<string, Expansion>;
  readonly missing: readonly MissingVariable[];
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})\}/g;

const TYPES: ReadonlyMap<string, unknown> = new Map(
  FILE_OPTIONS.map((option) => [optionPointer(option), option.schema["type"]]),
);

/** Creates the variables of a configuration file; its env file is read on first use. */
export function createVariables(configFile: string, environment: Environment): Variables {
  const envFile = join(dirname(configFile), ".env");
  const expansions = new Map<string, Expansion>();
  const missing: MissingVariable[] = [];
  let reading: ReturnType<typeof readEnvFile> | undefined;

  /** Looks a variable up: in the layer's env file first, then in the environment. */
  const lookUp = (name: string): string | undefined => {
    const { values } = (reading ??= readEnvFile(envFile));
    if (Object.hasOwn(values, name)) return values[name];
    const value = environment[name];
    return typeof value === "string" ? value : undefined;
  };

  const readString: ReadString = (pointer, text, at) => {
    const names = TYPES.has(pointer) ? variablesOf(text) : [];
    if (names.length === 0) return text;
    const unset = names.filter((name) => lookUp(name) === undefined);
    missing.push(...unset.map((name) => ({ name, pointer, at })));
    if (unset.length > 0) return undefined;
    // The values are not expanded again.
    const result = text.replaceAll(PLACEHOLDER, (_, name: string) => lookUp(name) ?? "");
    expansions.set(pointer, { template: text, variables: names, result });
    return toType(result, TYPES.get(pointer));
  };

  return { envFile, problem: () => reading?.problem, readString, expansions, missing };
}

/** The variables that a string names, each once. */
function variablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
}

/** Converts an expanded string to the integer or boolean that the option expects, if it is one. */
function toType(text: string, type: unknown): unknown {
  const trimmed = text.trim();
  if (type === "integer" && /^[-+]?\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (type === "boolean" && /^(?:true|false)$/i.test(trimmed))
    return trimmed.toLowerCase() === "true";
  return text;
}
