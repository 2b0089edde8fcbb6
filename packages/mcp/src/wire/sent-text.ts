import { isRecord, type Message } from "@toolcontract/mcp-client/wire";

/** A member of the message itself: a map by message would cost each collection of garbage as much as all that it holds. */
const TEXT = Symbol("text");

/** Sixteen digits in a row, or an exponent of three: no other number changes when JSON is parsed. */
const MAY_CHANGE = /\d{16}|[eE]\+?\d{3}/;
/** Longer text is not searched again. */
const MAX_TEXT = 100_000;
/** The strings and numbers of JSON text. */
export const STRING_OR_NUMBER: RegExp =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Keeps the text of a message in which parsing may have changed a number. */
export function keepText(message: Message, text: string): void {
  if (text.length > MAX_TEXT || !MAY_CHANGE.test(text)) return;
  Object.defineProperty(message, TEXT, { value: text });
}

/** The JSON text of a call's arguments with the digits that were sent; undefined if parsing has changed no number. */
export function argumentsText(message: Message): string | undefined {
  const text = (message as { readonly [TEXT]?: string })[TEXT];
  if (text === undefined) return undefined;
  const { params } = JSON.parse(withMarks(text, String.raw`\u0000`)) as Message;
  const given = isRecord(params) ? params["arguments"] : undefined;
  return JSON.stringify(given)?.replaceAll(/"\\u0000([^"\\]*)"/g, "$1");
}

const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
/** Longer messages are not read a second time. */
const MAX_READ_AGAIN = 4_000_000;

/**
 * Reads a message whose numbers are written again with all their digits; undefined before Node 21, which cannot, and for a message
 * that is too long.
 */
export function exactMessage(text: string): Message | undefined {
  if (rawJSON === undefined || text.length > MAX_READ_AGAIN) return undefined;
  // Nothing in the text itself begins with it.
  const mark = globalThis.crypto.randomUUID();
  const value: unknown = JSON.parse(withMarks(text, mark), (_, member: unknown) =>
    typeof member === "string" && member.startsWith(mark)
      ? rawJSON(member.slice(mark.length))
      : member,
  );
  return isRecord(value) ? value : undefined;
}

/** JSON text with marked strings in place of the numbers that parsing may change. */
function withMarks(text: string, mark: string): string {
  return text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || !MAY_CHANGE.test(token) ? token : `"${mark}${token}"`,
  );
}
