import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";

const LARGEST = 1024 * 1024;

/** A file's text, or what is wrong with the file in a few words. */
export type TextReading = { readonly text: string } | { readonly problem: string };

/** Reads a text file of bounded size; it never throws. */
export function readText(path: string): TextReading {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "it is not a file" };
    if (stats.size > LARGEST) return { problem: "it is larger than 1 MiB" };
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

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that one configuration file may use. */
export interface LayerVariables {
  /** The layer's env file: `.env` beside the configuration file, whether it is there or not. */
  readonly file: string;
  /** The variable's value: from the layer's env file first, then from the process. */
  get(name: string): string | undefined;
  /** What is wrong with an env file that is there. */
  readonly problem: () => string | undefined;
}

/** Makes the variables of a configuration file; its env file is read only when one is asked for. */
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
  // Often a virtual environment of Python has that name, which is a folder.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return { values: {} };
  const reading = readText(path);
  if ("problem" in reading) return { values: {}, problem: reading.problem };
  return { values: parseEnv(reading.text.replace(/^\uFEFF/, "")) };
}
