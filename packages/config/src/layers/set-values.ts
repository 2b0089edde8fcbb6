import { basename, dirname, resolve } from "node:path";
import type { Position } from "../config-fault.ts";
import type { ConfigFile, Layer } from "../files/config-file.ts";
import { FILE_OPTIONS, type NamedFileOption } from "../format/option-table.ts";
import { optionPointer, TREE } from "../format/pointer.ts";
import type { ConfigTree } from "../yaml/read-tree.ts";
import type { Expansions } from "./expansions.ts";

/** Where a value was set. */
export interface ConfigOrigin extends Position {
  readonly layer: Layer;
  /** Absolute. */
  readonly file: string;
  /** The text in the file, where the value came out of variables. */
  readonly template?: string;
}

/** One option that a file sets. */
export interface SetValue {
  readonly option: NamedFileOption;
  readonly value: unknown;
  readonly origin: ConfigOrigin;
}

/** The options that a file sets. */
export function setValues(
  file: ConfigFile,
  tree: ConfigTree,
  expansions: Expansions,
): readonly SetValue[] {
  return FILE_OPTIONS.flatMap((option): SetValue[] => {
    const pointer = optionPointer(option);
    const value = memberAt(tree.value, [...TREE, ...option.keys]);
    const position = tree.places.get(pointer)?.value;
    if (value === undefined || position === undefined) return [];
    const template = expansions.byPointer.get(pointer)?.template;
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

/** A folder that a file names stands relative to the folder that the file is for. */
function fromProject(file: string, value: unknown): unknown {
  const folder = dirname(file);
  const base = basename(folder) === ".agent" ? dirname(folder) : folder;
  return typeof value === "string" ? resolve(base, value) : value;
}

function memberAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((holder, key) => {
    const isHolder = typeof holder === "object" && holder !== null && Object.hasOwn(holder, key);
    return isHolder ? (holder as Readonly<Record<string, unknown>>)[key] : undefined;
  }, value);
}
