import type { Position } from "../faults/index.ts";
import type { LayerVariables } from "../files/index.ts";
import { FILE_OPTIONS, optionPointer } from "../format/index.ts";
import type { ReadString } from "../yaml/index.ts";

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

/** The variables of one file and their values. */
export interface Expansions {
  readonly readString: ReadString;
  readonly byPointer: ReadonlyMap<string, Expansion>;
  readonly missing: readonly MissingVariable[];
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})\}/g;

const TYPES: ReadonlyMap<string, unknown> = new Map(
  FILE_OPTIONS.map((option) => [optionPointer(option), option.schema["type"]]),
);

/** Creates the reader of a file's strings: it expands variables in the values of the contract's options. */
export function createExpansions(variables: LayerVariables): Expansions {
  const byPointer = new Map<string, Expansion>();
  const missing: MissingVariable[] = [];

  const readString: ReadString = (pointer, text, at) => {
    const names = TYPES.has(pointer) ? variablesOf(text) : [];
    if (names.length === 0) return text;
    const unset = names.filter((name) => variables.get(name) === undefined);
    missing.push(...unset.map((name) => ({ name, pointer, at })));
    if (unset.length > 0) return undefined;
    const result = expand(text, (name) => variables.get(name) ?? "");
    byPointer.set(pointer, { template: text, variables: names, result });
    return toType(result, TYPES.get(pointer));
  };

  return { readString, byPointer, missing };
}

/** The variables that a string names, each once. */
function variablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
}

/** Replaces each `${NAME}` with its value; the values are not expanded again. */
function expand(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
}

/** Converts an expanded string to the integer or boolean that the option expects, if it is one. */
function toType(text: string, type: unknown): unknown {
  const trimmed = text.trim();
  if (type === "integer" && /^[-+]?\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (type === "boolean" && /^(?:true|false)$/i.test(trimmed))
    return trimmed.toLowerCase() === "true";
  return text;
}
