const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Writes a string as the text of an element, in HTML or SVG. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
