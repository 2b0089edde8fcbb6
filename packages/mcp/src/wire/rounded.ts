import type { Message } from "@toolcontract/mcp-client/wire";
import { holdsExactNumbers } from "./message.ts";
import { STRING_OR_NUMBER } from "./sent-text.ts";

/** No shorter number becomes another one that looks whole. */
const MAY_ROUND = /[\d.]{17}|[eE]-\d{3}/;

/** The messages in whose text a fraction was, which parsing has made a whole number. */
const rounded = new WeakSet<Message>();

/** Remembers a message whose text says something else than what was parsed from it. */
export function noteRounded(message: Message, text: string): void {
  if (!MAY_ROUND.test(text)) return;
  for (const [token] of text.matchAll(STRING_OR_NUMBER))
    if (!token.startsWith('"') && Number.isInteger(Number(token)) && !isWhole(token)) {
      rounded.add(message);
      return;
    }
}

/** Whether what is read of a message are the numbers that a server gets from it. */
export function holdsSentNumbers(message: Message): boolean {
  return !rounded.has(message) && holdsExactNumbers(message["params"]);
}

/** Whether a number is whole as it is written: no digit but zeros is behind its point, wherever the exponent moves that. */
function isWhole(token: string): boolean {
  const [, whole = "", part = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const behind = part.length - Number(exponent);
  return behind <= 0 || /^0*$/.test((whole + part).slice(-behind));
}
