import { stripVTControlCharacters } from "node:util";

/** All control characters but line feeds and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** What begins a sequence for a terminal: ESC, or one of C1. */
// oxlint-disable-next-line no-control-regex -- Control characters are what is looked for.
const BEGINS = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/;
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- Control characters are what is looked for.
  /^(?:(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u009c|\u001b\\)|\u001b[ -/]*[0-OQ-WYZ\\`-~])/;
/** No sequence that a terminal knows is as long, so this is one that never ends. */
const LONGEST = 4_096;

/** Text without anything that a terminal would obey: it moves no cursor, hides nothing and reaches no clipboard. */
export function terminalText(text: string): string {
  return stripVTControlCharacters(withoutSequences(text)).replaceAll(CONTROLS, "");
}

/** Removes sequences from streamed text; one that is not complete yet is held back. */
export function terminalStream(): (piece: string) => string {
  let open = "";
  return (piece) => {
    const text = open + piece;
    const cut = openSequenceAt(text);
    open = text.slice(cut);
    return terminalText(text.slice(0, cut));
  };
}

function withoutSequences(text: string): string {
  let result = "";
  let rest = text;
  for (let at = rest.search(BEGINS); at >= 0; at = rest.search(BEGINS)) {
    result += rest.slice(0, at);
    rest = rest.slice(at + (SEQUENCE.exec(rest.slice(at, at + LONGEST))?.[0].length ?? 1));
  }
  return result + rest;
}

/** Where the sequence begins with which a text ends before it does; its length if there is none. */
function openSequenceAt(text: string): number {
  let at = 0;
  while (at < text.length) {
    const found = text.slice(at).search(BEGINS);
    if (found < 0) return text.length;
    at += found;
    const sequence = SEQUENCE.exec(text.slice(at, at + LONGEST))?.[0];
    if (sequence === undefined && text.length - at < LONGEST) return at;
    at += sequence?.length ?? 1;
  }
  return text.length;
}
