import type { Position } from "../config-fault.ts";
import type { LayerVariables } from "../files/layer-variables.ts";
import { FILE_OPTIONS } from "../format/option-table.ts";
import { optionPointer } from "../format/pointer.ts";
import { expandText, typedText, variablesOf } from "../yaml/expand-text.ts";
import type { ReadText } from "../yaml/read-tree.ts";

/** A value that came out of variables. */
export interface Expansion {
  /** The text in the file, which may be shown where the value may not. */
  readonly template: string;
  readonly variables: readonly string[];
  readonly result: string;
}

/** A variable that is set nowhere. */
interface MissingVariable {
  readonly name: string;
  readonly pointer: string;
  readonly at: Position;
}

/** What expanding the texts of one file found. */
export interface Expansions {
  readonly readText: ReadText;
  readonly byPointer: ReadonlyMap<string, Expansion>;
  readonly missing: readonly MissingVariable[];
}

const TYPES: ReadonlyMap<string, unknown> = new Map(
  FILE_OPTIONS.map((option) => [optionPointer(option), option.schema["type"]]),
);

/** Makes the reader of a file's texts, which expands variables where an option of the contract stands. */
export function createExpansions(variables: LayerVariables): Expansions {
  const byPointer = new Map<string, Expansion>();
  const missing: MissingVariable[] = [];

  const readText: ReadText = (pointer, text, at) => {
    const names = TYPES.has(pointer) ? variablesOf(text) : [];
    if (names.length === 0) return text;
    const unset = names.filter((name) => variables.get(name) === undefined);
    missing.push(...unset.map((name) => ({ name, pointer, at })));
    if (unset.length > 0) return undefined;
    const result = expandText(text, (name) => variables.get(name) ?? "");
    byPointer.set(pointer, { template: text, variables: names, result });
    return typedText(result, TYPES.get(pointer));
  };

  return { readText, byPointer, missing };
}
