import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";

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

/** The variables that one configuration file may use. */
export interface LayerVariables {
  /** The layer's env file: `.env` beside the configuration file, whether it exists or not. */
  readonly file: string;
  /** Looks a variable up: in the layer's env file first, then in the environment. */
  get(name: string): string | undefined;
  /** What is wrong with an existing env file. */
  readonly problem: () => string | undefined;
}

/** Creates the variables of a configuration file; its env file is read on first use. */
export function layerVariables(configFile: string, environment: Environment): LayerVariables {
  const file = join(dirname(configFile), ".env");
  let reading: { readonly values: Environment; readonly problem?: string } | undefined;
  const read = (): NonNullable<typeof reading> => (reading ??= readEnvFile(file));
  return {
    file,
    get(name) {
      const { values } = read();
      if (Object.hasOwn(values, name)) return values[name];
      const value = environment[name];
      return typeof value === "string" ? value : undefined;
    },
    problem: () => reading?.problem,
  };
}

function readEnvFile(path: string): { readonly values: Environment; readonly problem?: string } {
  // Python's virtual environments are often folders with this name.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return { values: {} };
  const reading = readText(path);
  if ("problem" in reading) return { values: {}, problem: reading.problem };
  return { values: parseEnv(reading.text.replace(/^\uFEFF/, "")) };
}
