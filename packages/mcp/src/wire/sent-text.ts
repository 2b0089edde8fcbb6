import { isRecord, type Message } from "@toolcontract/mcp-client/wire";

/** A member of the message itself: a map by message would cost each collection of garbage as much as all that it holds. */
const TEXT = Symbol("text");

/** Sixteen digits in a row, or an exponent of three: no other number changes when JSON is parsed. */
const MAY_CHANGE = /\d{16}|[eE]\+?\d{3}/;
/** Longer text is not searched again. */
const MAX_TEXT = 100_000;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Keeps the text of a message in which parsing may have changed a number. */
export function keepText(message: Message, text: string): void {
  if (text.length > MAX_TEXT || !MAY_CHANGE.test(text)) return;
  Object.defineProperty(message, TEXT, { value: text });
}

/** The JSON text of a call's arguments with the digits that were sent; undefined if parsing has changed no number. */
export function argumentsText(message: Message): string | undefined {
  const text = (message as { readonly [TEXT]?: string })[TEXT];
  if (text === undefined) return undefined;
  const quoted = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || !MAY_CHANGE.test(token) ? token : `"\\u0000${token}"`,
  );
  const { params } = JSON.parse(quoted) as Message;
  const given = isRecord(params) ? params["arguments"] : undefined;
  return JSON.stringify(given)?.replaceAll(/"\\u0000([^"\\]*)"/g, "$1");
}
