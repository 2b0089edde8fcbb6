import { isJson } from "@toolcontract/core/adapter";
import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";

/** Where a string stops being JSON, and why. */
export interface JsonFault {
  readonly from: number;
  readonly to: number;
  /** The line and the column of `from`, from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Finds the first place where a string is not JSON, or undefined if it is. `JSON.parse` decides; its errors need not name the place. */
export function findJsonFault(text: string): JsonFault | undefined {
  if (isJson(text)) return undefined;
  const end = text.trimEnd().length;
  if (end === 0) return { from: 0, to: 0, line: 1, column: 1, message: "There is no JSON yet" };
  const { error, offset, length } = firstError(text);
  // An underline needs a character: at the end it is the last one.
  const from = Math.min(offset, end - 1);
  const to = Math.min(Math.max(offset + length, from + 1), end);
  const message = offset >= end ? ENDS : reasonOf(error, text, from, to);
  const before = text.slice(0, from).split("\n");
  return { from, to, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}

const ENDS = "The text ends before the JSON does";

interface FirstError {
  /** Its name in jsonc-parser. */
  readonly error: string;
  readonly offset: number;
  readonly length: number;
}

/** Stops at the first error: what follows it is a guess. */
function firstError(text: string): FirstError {
  let first: FirstError | undefined;
  const stop = {};
  const onError = (error: ParseErrorCode, offset: number, length: number): void => {
    first = { error: printParseErrorCode(error), offset, length };
    // oxlint-disable-next-line typescript/only-throw-error -- Nothing else ends the reading.
    throw stop;
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (thrown) {
    // It recurses, and brackets may be nested deeper than the stack.
    if (thrown !== stop && !(thrown instanceof RangeError)) throw thrown;
  }
  return first ?? { error: "", offset: 0, length: 0 };
}

const REASONS: Readonly<Record<string, string>> = {
  InvalidNumberFormat: "This is not a JSON number",
  UnexpectedEndOfNumber: "This is not a JSON number",
  PropertyNameExpected: "A name in double quotes is missing",
  ValueExpected: "A value is missing",
  ColonExpected: "A colon is missing after the name",
  CommaExpected: "A comma is missing",
  CloseBraceExpected: "A closing brace is missing",
  CloseBracketExpected: "A closing bracket is missing",
  EndOfFileExpected: "Nothing may follow the JSON value",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfString: "The string has no end on its line",
  InvalidUnicode: "JSON has no such escape",
  InvalidEscapeCharacter: "JSON has no such escape",
  InvalidCharacter: "A string has no control characters: write them as \\u0000",
};

function reasonOf(error: string, text: string, from: number, to: number): string {
  const token = text.slice(from, to);
  const before = text.slice(0, from);
  if (token.startsWith("'")) return 'JSON has only double quotes: "';
  if (/^[}\]]/.test(token) && /,\s*$/.test(before)) return `JSON has no comma before ${token}`;
  if (/^\w+$/.test(token) && /^\s*:/.test(text.slice(to)))
    return `The name ${token} needs double quotes`;
  return REASONS[error] ?? `Unexpected ${JSON.stringify(token)}`;
}
