import { type SchemaObject, isRecord, matchesType, typesOf } from "../../shared/index.ts";
import { MAX_LIST, type TypeHint } from "./hints.ts";
import { nearestValue } from "./nearest-value.ts";

const MAX_TEXT = 600;
const MAX_ITEMS = 100;
/** Above this length, a string is free text and not a list. */
const MAX_FREE_TEXT = 130;
const SEPARATORS = [/\n/, /;/, /,/] as const;
const ITEM_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const BULLET = /^(?:[-*•]|\d+[.)])\s+/;
const SENTENCE = /^\p{Lu}.*[.?!]$/su;
/** How a sentence goes on behind a comma. */
const CLAUSE =
  /^(?:and|or|but|then|so|which|who|that|because|if|when|where|while|to|not|with|for|from|in|on|at|as|by|please|i|we|you|he|she|it|they)\b/i;
const LINKED = /\s(?:and|or)\s/i;

/** How many words an item may have: a line is an item, but a comma belongs to sentences too. */
const MAX_WORDS = { line: 12, semicolon: 8, comma: 6, short: 3 };

/** Hints at the array in a string, if it is nearly certain that each of its pieces is an item. */
export function hintForItems(schema: SchemaObject, text: unknown): TypeHint {
  const { items } = schema;
  if (!isRecord(items) || typeof text !== "string" || text.length > MAX_TEXT) return {};
  const [, , inner = text] = /^([[(])(.*)[\])]$/s.exec(text.trim()) ?? [];
  const separator = SEPARATORS.find((one) => one.test(inner)) ?? /,/;
  const pieces = piecesOf(inner, separator);
  if (pieces.length > MAX_ITEMS || pieces.includes("")) return {};
  const isSeveral = separator.test(inner);
  const certain = numbersIn(items, pieces) ?? (isSeveral ? valuesIn(items, pieces) : undefined);
  const isText = takeStrings(items) && pieces.length > 1 && text.length <= MAX_FREE_TEXT;
  const value = certain ?? (isText && areItems(pieces, separator) ? pieces : undefined);
  if (!value || JSON.stringify(value).length > MAX_LIST) return {};
  // An item of free text may hold a separator itself.
  const kind = certain ? "use" : "send-array";
  return { hint: { kind, value, echoes: true }, fixed: { value } };
}

function takeStrings(items: SchemaObject): boolean {
  const { anyOf, oneOf } = items;
  const branches: unknown = anyOf ?? oneOf;
  return (
    typesOf(items).includes("string") ||
    (Array.isArray(branches) && branches.some((one) => isRecord(one) && takeStrings(one)))
  );
}

function piecesOf(text: string, separator: RegExp): readonly string[] {
  const pieces = text.split(separator).map((piece) => piece.trim().replace(BULLET, ""));
  if (pieces.at(-1) === "") pieces.pop();
  return pieces.map((piece) => piece.replace(/^(["'])(.*)\1$/s, "$2"));
}

function valuesIn(items: SchemaObject, pieces: readonly string[]): readonly unknown[] | undefined {
  const allowed: unknown = items["enum"];
  if (!Array.isArray(allowed)) return undefined;
  const values = pieces.map((piece) =>
    allowed.includes(piece) ? piece : nearestValue(allowed, piece),
  );
  return values.includes(undefined) ? undefined : values;
}

function numbersIn(items: SchemaObject, pieces: readonly string[]): readonly number[] | undefined {
  const types = typesOf(items);
  if (!pieces.every((piece) => ITEM_NUMBER.test(piece))) return undefined;
  const numbers = pieces.map(Number);
  return numbers.every((number) => types.some((type) => matchesType(number, type)))
    ? numbers
    : undefined;
}

/** Whether pieces of free text are items of a list, and not the parts of a sentence. */
function areItems(pieces: readonly string[], separator: RegExp): boolean {
  const counts = pieces.map((piece) => piece.split(/\s+/).length);
  const longest = Math.max(...counts);
  if (separator.test("\n")) return longest <= MAX_WORDS.line;
  if (separator.test(";")) return longest <= MAX_WORDS.semicolon;
  if (pieces.every((piece) => SENTENCE.test(piece))) return true;
  const isClause = pieces.some(
    (piece, at) => /[.?!]$/.test(piece) || (at > 0 && CLAUSE.test(piece)),
  );
  if (isClause || LINKED.test(pieces.at(-1) ?? "")) return false;
  return (
    longest <= MAX_WORDS.short || (longest <= MAX_WORDS.comma && longest <= 2 * Math.min(...counts))
  );
}
