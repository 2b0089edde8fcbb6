import { endOfString } from "./end-of-string.ts";

/**
 * The most names of a JSON object. A larger one is slow to build and slow to enumerate, and blocks all other calls meanwhile.
 */
export const MOST_NAMES = 20_000;

/** JSON that is shorter cannot have an object with that many names. */
const LEAST_LENGTH = MOST_NAMES * '"":0,'.length;

const QUOTE = 0x22;
const [OPEN, CLOSE] = [0x7b, 0x7d];
const COLON = 0x3a;

/** Whether one object in JSON text has more names than {@link MOST_NAMES}, so that it is better not parsed. */
export function isCrowded(text: string): boolean {
  return firstCrowded(text) !== undefined;
}

/** JSON text with nothing in the first object that has too many names; undefined if there is none. */
export function withoutCrowd(text: string): string | undefined {
  const start = firstCrowded(text);
  return start === undefined
    ? undefined
    : `${text.slice(0, start)}{}${text.slice(endOfValue(text, start))}`;
}

/** Where the first object with too many names begins. The text need not be valid; it is read up to the name that is one too many. */
function firstCrowded(text: string): number | undefined {
  if (text.length < LEAST_LENGTH) return undefined;
  const outer: { readonly start: number; readonly names: number }[] = [];
  let start = 0;
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at) - 1;
        if (at === -1) return undefined;
        break;
      case OPEN:
        outer.push({ start, names });
        [start, names] = [at, 0];
        break;
      case CLOSE:
        ({ start, names } = outer.pop() ?? { start: 0, names: 0 });
        break;
      case COLON:
        names += 1;
        if (names > MOST_NAMES) return start;
        break;
    }
  }
  return undefined;
}

/** The index after an object in JSON text. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at) - 1;
        if (at === -1) return text.length;
        break;
      case OPEN:
        depth += 1;
        break;
      case CLOSE:
        depth -= 1;
        if (depth === 0) return at + 1;
        break;
    }
  }
  return text.length;
}
