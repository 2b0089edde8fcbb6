import { jsonLanguage } from "@codemirror/lang-json";
import type { SyntaxNode, Tree } from "@lezer/common";

/** Where a string stops being JSON, and why. */
export interface JsonFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/**
 * Finds the first place where a string is not JSON. `JSON.parse` decides; the place is that of the syntax tree,
 * because some browsers' errors have none. `tree` saves parsing where there is one already.
 */
export function findJsonFault(text: string, tree?: Tree): JsonFault | undefined {
  if (isJson(text)) return undefined;
  const end = text.trimEnd().length;
  if (end === 0) return { from: 0, to: 0, message: "There is no JSON yet" };
  const node = firstError(tree ?? jsonLanguage.parser.parse(text));
  const from = node?.from ?? end;
  // An underline needs a character: at the end it is the last one.
  const start = Math.min(from, end - 1);
  return { from: start, to: start + 1, message: reasonOf(text, from, end, node) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function firstError(tree: Tree): SyntaxNode | undefined {
  const cursor = tree.cursor();
  do {
    if (cursor.type.isError) return cursor.node;
  } while (cursor.next());
  return undefined;
}

function reasonOf(text: string, from: number, end: number, node: SyntaxNode | undefined): string {
  if (from >= end) return "The text ends before the JSON does";
  const character = String.fromCodePoint(text.codePointAt(from) ?? 0);
  const before = text.slice(0, from).trimEnd().at(-1);
  const inside = node?.parent?.name;
  if (before === "," && /[}\]]/.test(character)) return `JSON has no comma before ${character}`;
  if (before === ":" && /[}\],]/.test(character)) return "A value is missing after the colon";
  if (inside === "Property" && node?.parent?.getChild("⚠") && before === '"' && character !== '"')
    return "A colon is missing after the name";
  if (inside === "JsonText" && before !== undefined) return "Nothing may follow the JSON value";
  if (character === '"' && (inside === "Object" || inside === "Array") && before !== ",")
    return "A comma is missing";
  if (character === '"') return "The string has no end, or a character that JSON wants escaped";
  if (character === "'") return 'JSON has only double quotes: "';
  if (character === "/") return "JSON has no comments";
  return `Unexpected ${JSON.stringify(character)}`;
}
