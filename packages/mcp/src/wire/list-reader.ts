import { createQuoteSearch } from "./end-of-string.ts";
import { isRecord, type Message } from "@toolcontract/mcp-client/wire";

/** Reads the answer to `tools/list` as it arrives, whatever its length. */
export interface ListReader {
  readonly push: (bytes: Buffer) => void;
  /** The answer, whose tools have what the gate reads of them; undefined if it is not one JSON object. */
  readonly end: () => Message | undefined;
}

/** What the gate reads of a tool. Descriptions, which are most of a long list, are let go. */
const READ = ["name", "inputSchema", "outputSchema"] as const;

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = [0x7b, 0x5b, 0x7d, 0x5d];

/** How deep the tools are: in the array of a member of a member of the message. */
const DEPTH = 3;
const PATH = ["result", "tools"];
const MAX_NAME = 16;

/**
 * Creates the reader. Each tool is parsed when it has arrived, and leaves a 0 in the text around the tools, which is parsed
 * at the end: neither the text of the whole list nor its value is ever in memory.
 */
export function createListReader(): ListReader {
  const tools: Message[] = [];
  const frame: string[] = [];
  /** The parts of a tool that has not arrived to its end, or of what is around the tools. */
  let parts: Buffer[] = [];
  let depth = 0;
  let isList = false;
  let isString = false;
  const closingQuote = createQuoteSearch();
  /** The containers above, and the name of the member that each of them is in. */
  const opened: number[] = [];
  const names: string[] = [];
  let text = "";

  function flush(): string {
    const whole = Buffer.concat(parts).toString("utf8");
    parts = [];
    return whole;
  }

  function endTool(): void {
    const tool = flush();
    // Without one, the text around decides whether that is right.
    if (/^[ \t\r\n]*$/.test(tool)) return;
    try {
      tools.push(usedOf(JSON.parse(tool)));
      frame.push("0");
    } catch {
      frame.push("broken");
    }
  }

  function open(byte: number): void {
    depth += 1;
    if (depth > DEPTH) return;
    opened[depth] = byte;
    isList =
      depth === DEPTH &&
      byte === OPEN_ARRAY &&
      PATH.every((name, index) => opened[index + 1] === OPEN_OBJECT && names[index + 1] === name);
  }

  /** Returns the index after the string's last byte in this chunk. */
  function readString(bytes: Buffer, start: number): number {
    const quote = closingQuote(bytes, start);
    const end = quote === -1 ? bytes.length : quote;
    if (depth < DEPTH && text.length < MAX_NAME)
      text += bytes.toString("latin1", start, Math.min(end, start + MAX_NAME));
    isString = quote === -1;
    return isString ? end : end + 1;
  }

  return {
    push(bytes) {
      let from = 0;
      /** Puts what has been read so far where it belongs. */
      const take = (to: number): void => {
        if (to > from) parts.push(bytes.subarray(from, to));
        from = to;
      };
      for (let at = 0; at < bytes.length;) {
        if (isString) {
          at = readString(bytes, at);
          continue;
        }
        const byte = bytes[at] ?? 0;
        const isOfList = isList && depth === DEPTH;
        switch (byte) {
          case QUOTE:
            isString = true;
            text = "";
            break;
          case OPEN_OBJECT:
          case OPEN_ARRAY:
            open(byte);
            if (!isList || depth > DEPTH) break;
            take(at + 1);
            frame.push(flush());
            break;
          case CLOSE_OBJECT:
          case CLOSE_ARRAY:
          case COMMA:
            if (isOfList) {
              take(at);
              endTool();
              isList = byte === COMMA;
              if (isList) {
                frame.push(",");
                from = at + 1;
              }
            }
            if (byte !== COMMA) depth -= 1;
            break;
          case COLON:
            if (depth < DEPTH) names[depth] = text;
            break;
        }
        at += 1;
      }
      take(bytes.length);
    },
    end() {
      frame.push(flush());
      return withTools(frame.join(""), tools);
    },
  };
}

function usedOf(tool: unknown): Message {
  if (!isRecord(tool)) return {};
  return Object.fromEntries(READ.flatMap((name) => (name in tool ? [[name, tool[name]]] : [])));
}

/** Parses the text around the tools, and puts them where they were. */
function withTools(text: string, tools: readonly Message[]): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    if (!isRecord(message)) return undefined;
    const { result } = message;
    const list = isRecord(result) ? result["tools"] : undefined;
    if (!Array.isArray(list) || !list.every((one) => one === 0)) return message;
    // Of members with the same name, parsers take the last.
    const last = tools.slice(tools.length - list.length);
    return { ...message, result: { ...(result as Message), tools: last } };
  } catch {
    return undefined;
  }
}
