const METHODS = ["tools/call", "tools/list", "notifications/cancelled"] as const;

/** The method of a client's message that the gate rules on. */
export type HandledMethod = (typeof METHODS)[number];

/** Tells whether the gate rules on messages of a method; all others go on. */
export function isHandled(method: unknown): method is HandledMethod {
  return METHODS.some((one) => one === method);
}

/** What a message must hold, as bytes, before the gate can want to see it. */
const FROM_CLIENT = ["tools", "cancelled"];
const FROM_SERVER = ["list_changed"];

const ESCAPE = Buffer.from("\\u00");
const FIRST_DIGIT = "2".charCodeAt(0);
const LAST_DIGIT = "7".charCodeAt(0);

/** Tells whether a client's message can be one that the gate rules on; false is certain, true is not. */
export function mayMatterFromClient(bytes: Buffer): boolean {
  return FROM_CLIENT.some((word) => bytes.includes(word)) || hidesLetters(bytes);
}

/** Tells whether a server's message can be news of its tools; false is certain, true is not. */
export function mayMatterFromServer(bytes: Buffer): boolean {
  return FROM_SERVER.some((word) => bytes.includes(word)) || hidesLetters(bytes);
}

/** JSON can write any letter as `\u00xx`, so that a word in it is not among its bytes. */
function hidesLetters(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + ESCAPE.length)) {
    const digit = bytes[at + ESCAPE.length] ?? 0;
    if (digit >= FIRST_DIGIT && digit <= LAST_DIGIT) return true;
  }
  return false;
}
