import type { Position } from "../faults/index.ts";
import type { LayerVariables } from "../files/index.ts";
import { FILE_OPTIONS, optionPointer } from "../format/index.ts";
import type { ReadText } from "../yaml/index.ts";

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

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})\}/g;

/** The variables that a text names, each once. */
function variablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
}

/** Puts values in the place of `${NAME}`; what they hold is not expanded again. */
function expandText(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
}

/** Reads an expanded text as the number or truth value that the option wants, if it is one. */
function typedText(text: string, type: unknown): unknown {
  const trimmed = text.trim();
  if (type === "integer" && /^[-+]?\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (type === "boolean" && /^(?:true|false)$/i.test(trimmed))
    return trimmed.toLowerCase() === "true";
  return text;
}
