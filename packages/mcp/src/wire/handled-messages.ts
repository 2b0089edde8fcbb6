const METHODS = ["tools/call", "tools/list", "notifications/cancelled"] as const;

/** A client method that the gate handles; messages of all others are forwarded. */
export type HandledMethod = (typeof METHODS)[number];

/** Whether the gate handles a client's message of this method. */
export function isHandled(method: unknown): method is HandledMethod {
  return METHODS.some((one) => one === method);
}

// Cheap checks on raw bytes: a message without these words need not be parsed.
const FROM_CLIENT = ["tools", "cancelled"];
const FROM_SERVER = ["list_changed"];

/** Whether a client's message may have a handled method; false is certain, true is not. */
export function mayMatterFromClient(bytes: Buffer): boolean {
  return FROM_CLIENT.some((word) => bytes.includes(word)) || hasEscapedLetters(bytes);
}

/** The same for text that is valid UTF-8. */
export function mayMatterInText(text: string): boolean {
  return FROM_CLIENT.some((word) => text.includes(word)) || ESCAPED_LETTER.test(text);
}

const ESCAPED_LETTER = /\\u00[2-7]/;

/** Whether a server's message may announce a change of its tools; false is certain, true is not. */
export function mayMatterFromServer(bytes: Buffer): boolean {
  return FROM_SERVER.some((word) => bytes.includes(word)) || hasEscapedLetters(bytes);
}

const ESCAPE = "\\u00";
const [FIRST_DIGIT, LAST_DIGIT] = ["2".charCodeAt(0), "7".charCodeAt(0)];

/** JSON may write any ASCII character as `\u00xx`, which hides a word from a search of the bytes. */
function hasEscapedLetters(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + ESCAPE.length)) {
    const digit = bytes[at + ESCAPE.length] ?? 0;
    if (digit >= FIRST_DIGIT && digit <= LAST_DIGIT) return true;
  }
  return false;
}
