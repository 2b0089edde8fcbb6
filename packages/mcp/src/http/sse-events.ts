import type { Message } from "../gate/link.ts";
import { parseMessage } from "../wire/parse-message.ts";
import { createSplitter, type Splitter } from "../wire/pieces.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Makes a splitter of server-sent events; an event ends with an empty line, whatever ends its lines. */
export function createEventSplitter(maxEventBytes: number): Splitter {
  let isLineEmpty = true;
  let isAfterReturn = false;
  let isBetween = false;

  return createSplitter(maxEventBytes, (chunk, start) => {
    for (let index = start; index < chunk.length; index += 1) {
      const byte = chunk[index];
      const isSecondHalf = byte === LINE_FEED && isAfterReturn;
      isAfterReturn = byte === CARRIAGE_RETURN;
      if (isSecondHalf) {
        // The event was passed on already, and its reader waits for this byte.
        if (isBetween) return index + 1;
        continue;
      }
      isBetween = false;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        isLineEmpty = false;
        continue;
      }
      if (isLineEmpty) {
        isBetween = isAfterReturn;
        if (isBetween && chunk[index + 1] === LINE_FEED) continue;
        return index + 1;
      }
      isLineEmpty = true;
    }
    return -1;
  });
}

/** The message that an event carries. */
export function messageOf(event: Buffer): Message | undefined {
  const data = linesOf(event)
    .filter(isData)
    .map((line) => line.replace(/^data(?:: ?)?/, ""));
  return data.length === 0 ? undefined : parseMessage(Buffer.from(data.join("\n")));
}

/** The same event with another message; its id and kind stay. */
export function withMessage(event: Buffer, message: Message): Buffer {
  const others = linesOf(event).filter((line) => line !== "" && !isData(line));
  return Buffer.from([...others, `data: ${JSON.stringify(message)}`, "", ""].join("\n"));
}

function linesOf(event: Buffer): readonly string[] {
  return event.toString("utf8").split(/\r\n|\n|\r/);
}

function isData(line: string): boolean {
  return line === "data" || line.startsWith("data:");
}
