import { isAbsolute, join, relative, resolve } from "node:path";
import { type ErrorCode, ToolContractError } from "@toolcontract/core";
import { homeFolder, type Layer } from "../files/index.ts";

/** The codes of faults in a file itself; faults in its values have the contract's codes. */
export type FileFaultCode =
  | "unreadable-file"
  | "invalid-yaml"
  | "invalid-json"
  | "open-front-matter"
  | "missing-variable"
  | "duplicate-name"
  | "invalid-policy"
  | "missing-package"
  | "missing-setting"
  | "wrong-setting";

/** A position in a file, counted from 1. */
export interface Position {
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1, in UTF-16 units. */
  readonly column: number;
}

/** Where a file begins. */
export const START: Position = { line: 1, column: 1 };

/** One fault of a configuration file; it never contains the value of a variable. */
export interface ConfigFault extends Position {
  readonly layer: Layer;
  /** Absolute. */
  readonly file: string;
  /** JSON Pointer to the fault; the empty string is the whole file. */
  readonly path: string;
  /** What kind of fault it is: one of the contract's codes for a value, or one for the file itself. */
  readonly code: ErrorCode | FileFaultCode;
  /** What is wrong, in one short sentence. */
  readonly message: string;
  /** What is allowed there. */
  readonly expected?: string;
  /** What is there: masked, shortened and quoted. */
  readonly actual?: string;
  /** The literal fix, if one is nearly certain. */
  readonly hint?: string;
}

/** A fault whose layer follows from its file. */
export type FaultInFile = Omit<ConfigFault, "layer">;

/** Formats a fault as a bullet in the contract's standard style, with its position in the file. */
function formatFault(fault: ConfigFault, show: (file: string) => string): string {
  const { file, line, column, path, code, message, expected, actual, hint } = fault;
  const place = `${show(file)}:${line}:${column}`;
  return [
    `• ${place}${path === "" ? "" : ` ${path}`} (${code}): ${message}`,
    expected !== undefined && `  Expected: ${expected}`,
    actual !== undefined && `  Actual: ${actual}`,
    hint !== undefined && `  Hint: ${hint}`,
  ]
    .filter((text) => text !== false)
    .join("\n");
}

/** Sorts faults by layer, then from top to bottom. */
function inFileOrder(faults: readonly ConfigFault[]): readonly ConfigFault[] {
  const files = [...new Set(faults.map(({ file }) => file))];
  return faults.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

/**
 * Thrown for a wrong configuration: one error with every fault of every file.
 *
 * @example
 * ```ts
 * try {
 *   loadConfig();
 * } catch (error) {
 *   if (error instanceof ConfigError) console.error(error.message); // every fault of every file
 * }
 * ```
 */
export class ConfigError extends ToolContractError {
  override readonly name: string = "ConfigError";
  /** All faults, by file and from top to bottom. */
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[], show: (file: string) => string) {
    super(
      [
        `Invalid configuration (${faults.length === 1 ? "1 error" : `${faults.length} errors`}):\n`,
        ...faults.map((fault) => formatFault(fault, show)),
      ].join("\n"),
    );
    this.faults = faults;
  }
}

/**
 * Thrown if variables are not set anywhere; it reports all other faults too.
 *
 * @example
 * ```ts
 * try {
 *   loadConfig();
 * } catch (error) {
 *   if (error instanceof MissingVariableError) console.error(error.message); // the variables to set
 * }
 * ```
 */
export class MissingVariableError extends ConfigError {
  override readonly name: string = "MissingVariableError";
}

/** The error for these faults; its paths are relative to the folders that were searched. */
export function configError(
  faults: readonly ConfigFault[],
  options: { readonly cwd?: string | undefined; readonly home?: string | false | undefined },
): ConfigError {
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = options.home === false ? undefined : (options.home ?? homeFolder());
  const show = (file: string): string => showFilePath(file, cwd, home);
  const isMissing = faults.some(({ code }) => code === "missing-variable");
  const Kind = isMissing ? MissingVariableError : ConfigError;
  return new Kind(inFileOrder(faults), show);
}

/** Formats a path for people: relative to the working directory or the home directory if it is below one. */
export function showFilePath(path: string, cwd: string, home: string | undefined): string {
  const local = below(cwd, path);
  const shown = local ?? inHome(path, home) ?? path;
  return shown.replaceAll(/\p{Cc}/gu, "?");
}

function inHome(path: string, home: string | undefined): string | undefined {
  const rest = home === undefined ? undefined : below(home, path);
  return rest === undefined ? undefined : join("~", rest);
}

function below(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  return rest === "" || rest.startsWith("..") || isAbsolute(rest) ? undefined : rest;
}
