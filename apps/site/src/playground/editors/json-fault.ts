/** Where a string stops being JSON, and why. */
export interface JsonFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/**
 * Finds the first place where a string is not JSON, or undefined if it is. `JSON.parse` decides; its errors name the
 * place in some browsers only, so a scan finds it.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  if (isJson(text)) return undefined;
  let end = text.length;
  while (end > 0 && " \t\n\r".includes(text.charAt(end - 1))) end--;
  if (end === 0) return { from: 0, to: 0, message: "There is no JSON yet" };
  const { at, message } = new Scan(text, end).run();
  // An underline needs a whole character: at the end it is the last one.
  const last = Math.min(at, end - 1);
  const from = /[\udc00-\udfff]/.test(text.charAt(last)) && last > 0 ? last - 1 : last;
  const to = from + String.fromCodePoint(text.codePointAt(from) ?? 0).length;
  return { from, to, message };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Stop {
  readonly at: number;
  readonly message: string;
}

type Expected = "value" | "element" | "name" | "first name" | "colon" | "comma" | "nothing";

const PUNCTUATION = /^[{}[\],:]$/;
const SPACE = /[ \t\n\r]*/y;
// What needs no escape is everything from the space on, without the quote and the backslash.
const STRING = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** Reads token by token, with what may come next. The open brackets are a list, so that depth costs no stack. */
class Scan {
  readonly #text: string;
  readonly #end: number;
  readonly #open: ("{" | "[")[] = [];
  #expected: Expected = "value";
  #previous = "";

  constructor(text: string, end: number) {
    this.#text = text;
    this.#end = end;
  }

  run(): Stop {
    for (let at = 0; ;) {
      at += lengthOf(SPACE, this.#text, at);
      if (at >= this.#end) return { at, message: "The text ends before the JSON does" };
      const token = this.#text.charAt(at);
      const next = this.#after(token);
      if (next === undefined) return { at, message: this.#reason(at) };
      const length = lengthOf(token === '"' ? STRING : SCALAR, this.#text, at);
      if (token === '"' && this.#text[at + length] !== '"')
        return { at: at + length, message: reasonInString(this.#text[at + length]) };
      if (length === 0 && !PUNCTUATION.test(token)) return { at, message: this.#reason(at) };
      at += token === '"' ? length + 1 : Math.max(1, length);
      this.#expected = next;
      this.#previous = token;
    }
  }

  /** What may come after a token, which is known by its first character, or undefined if it may not come itself. */
  #after(token: string): Expected | undefined {
    const around = this.#open.at(-1);
    switch (this.#expected) {
      case "first name":
      case "name":
        if (token === "}" && this.#expected === "first name") return this.#close();
        return token === '"' ? "colon" : undefined;
      case "colon":
        return token === ":" ? "value" : undefined;
      case "element":
      case "value":
        if (token === "]" && this.#expected === "element") return this.#close();
        if (token === "{" || token === "[") {
          this.#open.push(token);
          return token === "{" ? "first name" : "element";
        }
        if (PUNCTUATION.test(token)) return undefined;
        return around === undefined ? "nothing" : "comma";
      case "comma":
        if (token === ",") return around === "{" ? "name" : "value";
        return token === (around === "{" ? "}" : "]") ? this.#close() : undefined;
      case "nothing":
        return undefined;
    }
  }

  #close(): Expected {
    this.#open.pop();
    return this.#open.length === 0 ? "nothing" : "comma";
  }

  #reason(at: number): string {
    const token = String.fromCodePoint(this.#text.codePointAt(at) ?? 0);
    const closes = token === "}" || token === "]";
    if (token === "'") return 'JSON has only double quotes: "';
    if (token === "/") return "JSON has no comments";
    if (this.#previous === "," && closes) return `JSON has no comma before ${token}`;
    switch (this.#expected) {
      case "nothing":
        return "Nothing may follow the JSON value";
      case "colon":
        return "A colon is missing after the name";
      case "name":
      case "first name":
        return "A name in double quotes is missing";
      case "comma":
        if (!PUNCTUATION.test(token) || token === "{" || token === "[") return "A comma is missing";
        break;
      case "element":
      case "value":
        if (this.#previous === ":" && PUNCTUATION.test(token)) return "A value is missing";
        break;
    }
    return `Unexpected ${JSON.stringify(token)}`;
  }
}

function reasonInString(character: string | undefined): string {
  if (character === undefined) return "The string has no end";
  if (character === "\\") return "JSON has no such escape";
  return character === "\n"
    ? "A string has no line breaks: write \\n"
    : "A string has no control characters: write them as \\u0000";
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
