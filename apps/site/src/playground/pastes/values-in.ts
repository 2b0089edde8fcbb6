import { joinStream } from "./join-stream.ts";

/** The values in a paste, and their format. */
export interface WrittenValues {
  readonly values: readonly unknown[];
  /** How they are written, if not as one JSON value: "in a stream". */
  readonly how?: string;
  /** The first line that cannot be read, if the rest can. */
  readonly brokenLine?: number;
}

/** Reads the values in a paste: JSON, a stream of events, lines of JSON, or calls in tags. Returns undefined for anything else. */
export function valuesIn(text: string): WrittenValues | undefined {
  if (text.includes("<tool_call>")) return { values: taggedCalls(text), how: " in tags" };
  if (/^(?:data|event):/m.test(text)) return readLines(text, /^data:\s*(.*)$/);
  const value = parse(text);
  if (value !== undefined) return { values: [value] };
  return /\}[ \t]*\r?\n[ \t]*\{/.test(text) ? readLines(text, /^\s*(\{.*)$/) : undefined;
}

function readLines(text: string, event: RegExp): WrittenValues | undefined {
  const values: unknown[] = [];
  let brokenLine: number | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const [, data = "[DONE]"] = event.exec(line.trimEnd()) ?? [];
    if (data === "[DONE]") continue;
    const value = parse(data);
    if (value === undefined) brokenLine ??= index + 1;
    else values.push(value);
  }
  if (values.length === 0) return undefined;
  return {
    values: joinStream(values),
    how: " in a stream",
    ...(brokenLine !== undefined && { brokenLine }),
  };
}

const TAGGED = /<tool_call>([^]*?)(?:<\/tool_call>|$)/g;

/** Calls as open models write them: JSON with a name and arguments, which may be broken or cut. */
function taggedCalls(text: string): readonly unknown[] {
  return [...text.matchAll(TAGGED)].map(([, inner = ""]) => {
    const [, name] = /"name"\s*:\s*"([^"]*)"/.exec(inner) ?? [];
    const [, args = "{}"] = /"arguments"\s*:\s*([^]*?)\s*\}?\s*$/.exec(inner) ?? [];
    return { function: { name, arguments: args } };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
