import type { ContractOptions } from "@toolcontract/core";
import { jsonPointer, pointerKeys } from "@toolcontract/core/adapter";
import { type FileOption, type Option, type OptionName, OPTIONS } from "@toolcontract/core/options";

/** An option of core that can be set in a file. */
export interface NamedFileOption extends FileOption {
  /** Its name in code. */
  readonly name: OptionName;
  /** Its keys below `tools.validation`. */
  readonly keys: readonly [string] | readonly [string, string];
}

const ROWS = Object.entries(OPTIONS) as readonly (readonly [OptionName, Option])[];

/** The options that can be set in a file, in reading order: by section, and then those of no section. */
export const FILE_OPTIONS: readonly NamedFileOption[] = bySection(
  ROWS.flatMap(([name, option]) =>
    option.key === undefined
      ? []
      : [{ ...option, name, keys: option.key.split(".") as unknown as NamedFileOption["keys"] }],
  ),
);

/** What the options take that can only be set in code, by name. */
export const CODE_OPTIONS: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([name, { key, codeOnly = "objects" }]) =>
    key === undefined ? [[name, codeOnly]] : [],
  ),
);

function bySection(options: readonly NamedFileOption[]): readonly NamedFileOption[] {
  const sections = new Set(options.map(sectionOf));
  return [...sections].flatMap((section) => options.filter((one) => sectionOf(one) === section));
}

/** The key that groups an option with others; undefined if it stands alone. */
export function sectionOf({ keys }: Pick<NamedFileOption, "keys">): string | undefined {
  return keys.length === 2 ? keys[0] : undefined;
}

/** The keys above the contract's options; all other keys belong to other programs. */
export const TREE: readonly [string, string] = ["tools", "validation"];

/** Joins keys to a JSON Pointer (RFC 6901). */
export function pointerOf(keys: readonly string[]): string {
  return jsonPointer(keys);
}

/** Splits a JSON Pointer into its keys. */
export function keysOf(pointer: string): readonly string[] {
  return pointerKeys(pointer);
}

/** An option's JSON Pointer in the file. */
export function optionPointer({ keys }: NamedFileOption): string {
  return pointerOf([...TREE, ...keys]);
}

/** An option's path as people write it: `tools.validation.retry.max_attempts`. */
export function optionPath({ keys }: NamedFileOption): string {
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
export function optionValue(options: ContractOptions, name: OptionName): unknown {
  return name
    .split(".")
    .reduce<unknown>((holder, key) => (holder as Readonly<Record<string, unknown>>)[key], options);
}
