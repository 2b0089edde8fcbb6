import {
  type ScanNotes,
  createScanNotes,
  isForeignSpace,
  isQuote,
  isSpace,
  noteBroken,
  noteOdd,
  scanString,
} from "./scan-string.ts";

const LITERALS: ReadonlySet<string> = new Set(["true", "false", "null", "True", "False", "None"]);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const IDENTIFIER = /^[A-Za-z_$][\w$-]*$/;
const WORD_END = /[\s,:{}[\]"/]/g;

/** One object or array, scanned tolerantly. */
export interface JsonScan {
  /** Just past the closing bracket, or the end of the text if it is missing. */
  readonly end: number;
  /** The brackets still open at the end of the text, outermost first. */
  readonly open: readonly string[];
  /** True if the last token is complete, so that only brackets are missing. */
  readonly settled: boolean;
  /** The nesting depth. */
  readonly depth: number;
  readonly notes: Readonly<ScanNotes>;
}

/** A token with meaning: not a comma, a comment or white space. */
type JsonToken = "punctuation" | "key" | "value";

/** Called for every token in order, with its range in the text. */
export type TokenVisitor = (token: JsonToken, from: number, to: number) => void;

interface Scanner {
  readonly text: string;
  readonly notes: ScanNotes;
  readonly visit: TokenVisitor | undefined;
  readonly open: string[];
  /** What must come next: a first or next item (in an object, a key), a colon, a value or a comma. */
  expect: "first" | "next" | "colon" | "value" | "comma";
  settled: boolean;
  depth: number;
}

/** Scans the object or array whose opening bracket is at `start`; never recurses, never throws. */
export function scanJson(text: string, start: number, visit?: TokenVisitor): JsonScan {
  const notes = createScanNotes();
  const scanner: Scanner = {
    text,
    notes,
    visit,
    open: [],
    expect: "value",
    settled: false,
    depth: 0,
  };
  let at = start;
  do at = scanToken(scanner, at);
  while (scanner.open.length > 0 && at < text.length);
  return { end: at, open: scanner.open, settled: scanner.settled, depth: scanner.depth, notes };
}

/** Scans one token and returns where the next begins. */
function scanToken(scanner: Scanner, at: number): number {
  const { text, notes } = scanner;
  const character = text.charAt(at);
  if (isSpace(text.charCodeAt(at))) return at + 1;
  if (character === "{" || character === "[") return openBracket(scanner, at, character);
  if (character === "}" || character === "]") return closeBracket(scanner, at, character);
  if (character === "," || character === ":") return separate(scanner, at, character);
  if (character === "/" && /[/*]/.test(text.charAt(at + 1))) return skipComment(scanner, at);
  if (isQuote(character)) {
    const token = placeItem(scanner, at);
    const end = scanString(text, at, notes);
    if (end < 0) return text.length;
    scanner.settled = token === "value";
    scanner.visit?.(token, at, end);
    return end;
  }
  if (isForeignSpace(character)) {
    noteOdd(notes, at);
    return at + 1;
  }
  return scanWord(scanner, at);
}

function openBracket(scanner: Scanner, at: number, bracket: string): number {
  if (placeItem(scanner, at) === "key") noteBroken(scanner.notes, at, "strict");
  scanner.open.push(bracket);
  scanner.depth = Math.max(scanner.depth, scanner.open.length);
  scanner.expect = "first";
  scanner.visit?.("punctuation", at, at + 1);
  return at + 1;
}

function closeBracket(scanner: Scanner, at: number, bracket: string): number {
  const { notes, expect } = scanner;
  if (expect === "next") {
    noteOdd(notes, at);
    notes.rewrites += 1;
  } else if (expect === "colon" || expect === "value") noteBroken(notes, at, "value");
  const opener = scanner.open.pop();
  if ((opener === "{") !== (bracket === "}"))
    noteBroken(notes, at, "bracket", `${opener ?? ""}${bracket}`);
  scanner.expect = "comma";
  scanner.settled = true;
  scanner.visit?.("punctuation", at, at + 1);
  return at + 1;
}

function separate(scanner: Scanner, at: number, mark: "," | ":"): number {
  if (scanner.expect !== (mark === "," ? "comma" : "colon")) {
    noteBroken(scanner.notes, at, scanner.expect === "comma" ? "one-object" : "value");
  }
  scanner.expect = mark === "," ? "next" : "value";
  scanner.settled = false;
  if (mark === ":") scanner.visit?.("punctuation", at, at + 1);
  return at + 1;
}

/** Decides whether the item at `at` is a key or a value, and what may follow it. */
function placeItem(scanner: Scanner, at: number): "key" | "value" {
  const { text, notes, expect } = scanner;
  scanner.settled = false;
  if (expect === "comma") {
    // Without a gap, it is more likely a misread token than a missing comma.
    if (/[\s{}[\]]/.test(text.charAt(at - 1))) noteOdd(notes, at);
    else noteBroken(notes, at, "strict");
    notes.rewrites += 1;
  } else if (expect === "colon") noteBroken(notes, at, "strict");
  const isKey = expect !== "value" && expect !== "colon" && scanner.open.at(-1) === "{";
  scanner.expect = isKey ? "colon" : "comma";
  return isKey ? "key" : "value";
}

function scanWord(scanner: Scanner, at: number): number {
  const { text, notes } = scanner;
  WORD_END.lastIndex = at + 1;
  const end = WORD_END.exec(text)?.index ?? text.length;
  const word = text.slice(at, end);
  const token = placeItem(scanner, at);
  scanner.settled = token === "value" && LITERALS.has(word);
  scanner.visit?.(token, at, end);
  if (token === "key" && IDENTIFIER.test(word)) noteOdd(notes, at);
  else if (token === "value" && LITERALS.has(word)) {
    if (/^[A-Z]/.test(word)) noteOdd(notes, at);
  } else if (token === "key" || !NUMBER.test(word)) {
    // A word at the end of the text may be the beginning of a JSON literal.
    if (end < text.length) noteBroken(notes, at, "value");
  }
  return end;
}

function skipComment(scanner: Scanner, at: number): number {
  const { text, notes } = scanner;
  noteOdd(notes, at);
  const [mark, length] = text.charAt(at + 1) === "*" ? ["*/", 2] : ["\n", 0];
  const found = text.indexOf(mark, at + 2);
  if (found < 0) scanner.settled = false;
  const end = found < 0 ? text.length : found + length;
  // jsonrepair reads the second of two adjacent comments as content.
  if (text.charAt(end) === "/") noteBroken(notes, end, "one-object");
  return end;
}
