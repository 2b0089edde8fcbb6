import { isRecord, matchesType, typesOf } from "./json-type.ts";
import type { SchemaRecord } from "./walk.ts";

const MAX_TEXT = 200;
const MAX_PIECES = 20;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The items that a text names one after the other, where each is surely one; undefined where that is open. */
export function listInText(schema: SchemaRecord, text: string): readonly unknown[] | undefined {
  const { items } = schema;
  if (!isRecord(items) || text.length > MAX_TEXT) return undefined;
  const pieces = text.split(/[,;\n]/).map((piece) => piece.trim());
  if (pieces.length > MAX_PIECES) return undefined;
  const allowed = items["enum"];
  if (Array.isArray(allowed))
    return pieces.every((piece) => allowed.includes(piece)) ? pieces : undefined;
  const types = typesOf(items);
  const isNumeric = types.includes("number") || types.includes("integer");
  if (!isNumeric || !pieces.every((piece) => NUMBER.test(piece))) return undefined;
  const numbers = pieces.map(Number);
  return numbers.every((number) => types.some((type) => matchesType(number, type)))
    ? numbers
    : undefined;
}
