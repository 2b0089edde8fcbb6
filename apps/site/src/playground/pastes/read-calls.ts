import { isRecord } from "@toolcontract/core/adapter";
import { findJsonFault, type Span } from "../json/index.ts";
import { callIn, type Fields, type FoundCall } from "./call-forms.ts";
import { valuesIn } from "./values-in.ts";
import { writtenIn } from "./written-in.ts";

/** What a model sent, as the arguments of calls. */
export interface ReadCalls {
  /** One or more, in their order. */
  readonly calls: readonly ReadCall[];
  /** How a whole answer was read, in words. */
  readonly note?: string;
}

/** A call's arguments. */
interface ReadCall {
  readonly text: string;
  /** The tool that a whole call names. */
  readonly toolName?: string;
  /** Calls of one turn of the model have the same number. */
  readonly turn: number;
  /** Where the paste holds the arguments, if they are in one piece. */
  readonly written?: Span;
}

/** As many calls of an answer are read. */
const MOST_CALLS = 20;

/** What a whole call, an answer or a stream has, and most arguments have not. */
const WHOLE =
  /"(?:type|method|function|function_call|functionCall|tool_calls|choices)"|<tool_call>|^(?:data|event):/m;

/** Reads arguments; of an answer, a stream or a conversation, as a provider writes it, the arguments of all of its calls. */
export function readCalls(text: string): ReadCalls {
  const bare = { calls: [{ text, turn: 1, written: { from: 0, to: text.length } }] };
  if (!WHOLE.test(text)) return bare;
  const written = valuesIn(text);
  if (written === undefined) return ANSWER.test(text) ? { ...bare, note: brokenNote(text) } : bare;
  const { values, how = "", brokenLine } = written;
  const found = callsIn(values.flatMap((value) => partsOf(value)));
  if (found.length === 0) return bare;
  const first = found.slice(0, MOST_CALLS);
  const places = writtenIn(
    text,
    first.map(({ args }) => args),
  );
  const calls = first.map(({ name, args, turn }, index) => {
    const place = places[index];
    return {
      text: typeof args === "string" ? args : JSON.stringify(args),
      toolName: name,
      turn,
      ...(place !== undefined && { written: place }),
    };
  });
  const broken =
    brokenLine === undefined ? "" : ` Line ${brokenLine} is not JSON, and was left out.`;
  return { calls, note: noteOn(found, how) + broken };
}

/** What no arguments have, and answers of models have. */
const ANSWER = /"(?:tool_calls|tool_use|function_call|functionCall)"/;

const WORKS = 'This one works: [{"type":"tool_use","name":"weather","input":{"city":"Oslo"}}]';

function brokenNote(text: string): string {
  const { line = 1, column = 1, message = "" } = findJsonFault(text) ?? {};
  return `This looks like a whole answer, but it is not JSON. Line ${line}, column ${column}: ${message}. It was sent as arguments. ${WORKS}`;
}

function noteOn(found: readonly FoundCall[], how: string): string {
  const [first, second] = found;
  if (second === undefined) return `This is ${first?.kind}${how}; its arguments were sent.`;
  const same = found.every(({ kind }) => kind === first?.kind);
  const kind = same ? `, each ${first?.kind}${how}` : how;
  const left = found.length > MOST_CALLS ? ` The first ${MOST_CALLS} were sent.` : "";
  return `These are ${found.length} calls${kind}.${left}`;
}

/** Where the answer of a provider, or a request with what was said before, holds a call, or what holds one. */
const HOLDERS: readonly string[] = [
  "body",
  "response",
  "messages",
  "contents",
  "choices",
  "message",
  "candidates",
  "content",
  "parts",
  "kwargs",
  "input",
  "output",
];

/** Deeper than any provider writes a call: request, messages, message, content, block. */
const DEEPEST = 10;

/** What may be a call or the end of a turn: the value itself, or what the turns of a model hold. */
function partsOf(value: unknown, depth = DEEPEST): readonly Fields[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((part) => partsOf(part, depth - 1));
  if (!isRecord(value)) return [];
  // Arguments may look like anything.
  if (callIn(value) !== undefined) return [value];
  // A message of a framework repeats here what its content has.
  const own = ["tool_calls", "toolCalls"].find((key) => isFilled(value[key]));
  const keys = own === undefined ? HOLDERS : [own];
  return [value, ...keys.flatMap((key) => partsOf(value[key], depth - 1))];
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** The calls among the parts, each with the number of its turn: after a result, the model had the next one. */
function callsIn(parts: readonly Fields[]): readonly (FoundCall & { readonly turn: number })[] {
  const found: (FoundCall & { readonly turn: number })[] = [];
  let turn = 1;
  for (const part of parts) {
    const call = callIn(part);
    if (call !== undefined) found.push({ ...call, turn });
    else if (isResult(part) && found.at(-1)?.turn === turn) turn += 1;
  }
  return found;
}

const RESULTS: ReadonlySet<unknown> = new Set([
  "tool",
  "user",
  "function",
  "function_call_output",
  "tool_result",
  "tool-result",
]);

function isResult({ role, type }: Fields): boolean {
  return RESULTS.has(role) || RESULTS.has(type);
}
