import { escapeText } from "../sanitize/escape-text.ts";
import { graphemeStart } from "../sanitize/graphemes.ts";

const LOOKAHEAD = 64;

/** Makes any text one visible line of at most `max` UTF-16 units; a text that is one already stays as it is. */
export function oneLine(text: string, max: number): string {
  return clip(escapeText(text.slice(0, max + LOOKAHEAD)), max);
}

/**
 * Cuts a text that is too long between two graphemes and ends it in `...`, inside the quotes where it has them.
 *
 * @remarks Looks only at the first `max` units and a few more, however long the text or one of its letters is.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const ending = text.startsWith('"') ? '..."' : "...";
  const head = text.slice(0, max + LOOKAHEAD);
  return head.slice(0, graphemeStart(head, max - ending.length)) + ending;
}
