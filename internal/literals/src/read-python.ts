const SPACE = /[ \t\r\n]*/y;
const NUMBER = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /True|False|None/y;
/** A string on one line; Python joins no lines without a backslash. */
const STRING = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y;
const ESCAPE = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|\n|([^]))/g;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0",
};
const WORDS: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };

/** Reads a Python literal of dicts, lists, tuples, strings, numbers and constants; undefined if the text is not one. */
export function readPython(text: string): { readonly value: unknown } | undefined {
  try {
    const reader = new Reader(text);
    const value = reader.value();
    return reader.isAtEnd() ? { value } : undefined;
  } catch {
    return undefined;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): unknown {
    if (this.#takes("{")) return this.#dict();
    if (this.#takes("[")) return this.#items("]");
    if (this.#takes("(")) return this.#items(")");
    const string = this.#match(STRING);
    if (string !== undefined) return this.#strings(string);
    const word = this.#match(WORD);
    if (word !== undefined) return WORDS[word];
    const number = this.#match(NUMBER);
    if (number === undefined) throw new SyntaxError("no literal");
    return Number(number.replaceAll("_", ""));
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length;
  }

  /** Python joins strings that follow each other. */
  #strings(first: string): string {
    let joined = unescaped(first);
    for (let next = this.#match(STRING); next !== undefined; next = this.#match(STRING))
      joined += unescaped(next);
    return joined;
  }

  #dict(): Readonly<Record<string, unknown>> {
    const entries: [string, unknown][] = [];
    while (!this.#takes("}")) {
      const key = this.#match(STRING);
      if (key === undefined) throw new SyntaxError("no key");
      const name = this.#strings(key);
      this.#must(":");
      entries.push([name, this.value()]);
      if (this.#takes("}")) break;
      this.#must(",");
    }
    return Object.fromEntries(entries);
  }

  #items(end: string): readonly unknown[] {
    const items: unknown[] = [];
    while (!this.#takes(end)) {
      items.push(this.value());
      if (this.#takes(end)) break;
      this.#must(",");
    }
    return items;
  }

  #must(mark: string): void {
    if (!this.#takes(mark)) throw new SyntaxError(`no ${mark}`);
  }

  #takes(mark: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipSpace();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#text)?.[0].length ?? 0;
  }
}

function unescaped(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(ESCAPE, (_, unicode?: string, byte?: string, character?: string) => {
      const code = unicode ?? byte;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (character === undefined) return "";
      return ESCAPES[character] ?? (/['"\\]/.test(character) ? character : `\\${character}`);
    });
}
