import JSON5 from "json5";
import { readPython } from "./read-python.ts";

/**
 * Reads text as JSON, or else as a literal of JavaScript and of Python.
 *
 * @returns The readings that differ: none if the text is not a literal, two if the languages disagree.
 */
export function readLiteral(text: string): readonly unknown[] {
  const native = read(JSON.parse, text);
  if (native) return [native.value];
  const found = [read(JSON5.parse, text), readPython(text)].filter((one) => one !== undefined);
  const texts = found.map(({ value }) => JSON.stringify(value));
  return found.filter((_, at) => texts.indexOf(texts[at] ?? "") === at).map(({ value }) => value);
}

function read(
  parse: (text: string) => unknown,
  text: string,
): { readonly value: unknown } | undefined {
  try {
    return { value: parse(text) };
  } catch {
    return undefined;
  }
}
