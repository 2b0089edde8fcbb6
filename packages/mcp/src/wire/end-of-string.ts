const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** The index after the closing quote of a string in JSON text, by the index of its opening one; 0 if it is not closed. */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}

/** Creates the search for the closing quote of strings whose bytes come in parts: its index, or -1 if it is in a later part. */
export function createQuoteSearch(): (bytes: Buffer, start: number) => number {
  /** Whether the next byte follows a backslash that escapes it. */
  let isNextEscaped = false;
  return (bytes, start) => {
    let from = start;
    for (;;) {
      const quote = bytes.indexOf(QUOTE, from);
      const end = quote === -1 ? bytes.length : quote;
      let run = end;
      while (run > from && bytes[run - 1] === BACKSLASH) run -= 1;
      const isOdd = (end - run) % 2 === 1;
      isNextEscaped = run === from ? isOdd !== isNextEscaped : isOdd;
      if (quote === -1 || !isNextEscaped) return quote;
      isNextEscaped = false;
      from = quote + 1;
    }
  };
}
