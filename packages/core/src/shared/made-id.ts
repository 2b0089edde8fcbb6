const LENGTH = 9;
const LETTERS = 36;

/**
 * Makes an id of nine letters and digits, which every provider takes, Mistral too: the same one for the same text, and a new one
 * without a text.
 */
export function madeId(from?: string): string {
  let id = "";
  if (from === undefined) {
    while (id.length < LENGTH) id += Math.floor(Math.random() * LETTERS).toString(LETTERS);
    return id;
  }
  // Two hashes of 32 bits (FNV-1a with different starts): one would repeat after some ten thousand ids.
  for (const start of [0x811c9dc5, 0x01234567]) {
    let hash = start;
    for (let at = 0; at < from.length; at += 1) {
      hash = Math.imul(hash ^ from.charCodeAt(at), 0x01000193);
      hash ^= hash >>> 15;
    }
    id += (hash >>> 0).toString(LETTERS).padStart(7, "0").slice(-5);
  }
  return id.slice(-LENGTH);
}
