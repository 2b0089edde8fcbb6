import { isRecord } from "@toolcontract/core/adapter";

/** A call's text as the arguments that the model sent. */
export interface ReadCall {
  readonly text: string;
  /** How a whole call was read, in words. */
  readonly note?: string;
  /** The tool that a whole call names. */
  readonly toolName?: string;
}

/** Reads the arguments; of a whole call or turn, as a provider writes it, the arguments of its first call. */
export function readCall(text: string): ReadCall {
  // A call as a provider writes it has one of these keys, and most arguments do not have to be parsed.
  if (!/"(?:type|method|function|function_call|functionCall)"/.test(text)) return { text };
  const calls = partsOf(parse(text)).flatMap(callIn);
  const [first] = calls;
  if (first === undefined) return { text };
  const { kind, name, args } = first;
  const place = calls.length === 1 ? "" : `, the first of ${calls.length} calls`;
  return {
    text: typeof args === "string" ? args : JSON.stringify(args),
    toolName: name,
    note: `This is ${kind}${place}; its arguments were sent.`,
  };
}

/** Where the answer of a provider holds a call, or what holds one. */
const HOLDERS: readonly string[] = [
  "choices",
  "message",
  "candidates",
  "content",
  "parts",
  "kwargs",
  "tool_calls",
  "output",
];

/** What may be a call: the value itself, or what the turn of a model holds, or a conversation. */
function partsOf(value: unknown, depth = 6): readonly Fields[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((part) => partsOf(part, depth - 1));
  if (!isRecord(value)) return [];
  return [value, ...HOLDERS.flatMap((key) => partsOf(value[key], depth - 1))];
}

interface FoundCall {
  readonly kind: string;
  readonly name: string;
  readonly args: unknown;
}

/** Reads a part as a call: a list of one, or an empty list. */
function callIn(part: Fields): readonly FoundCall[] {
  for (const { kind, read } of FORMS) {
    const { name, args } = read(part) ?? {};
    if (typeof name === "string" && args !== undefined) return [{ kind, name, args }];
  }
  return [];
}

type Fields = Readonly<Record<string, unknown>>;

interface Form {
  readonly kind: string;
  /** The tool's name and the arguments, if the value has this form. */
  readonly read: (call: Fields) => { readonly name: unknown; readonly args: unknown } | undefined;
}

const FORMS: readonly Form[] = [
  {
    kind: "an Anthropic tool_use block",
    read: ({ type, name, input }) => (type === "tool_use" ? { name, args: input } : undefined),
  },
  {
    kind: "an OpenAI tool call",
    read: ({ type = "function", function: called }) =>
      type === "function" && isRecord(called)
        ? { name: called["name"], args: called["arguments"] }
        : undefined,
  },
  {
    kind: "an OpenAI function call",
    read: ({ type, name, arguments: args }) =>
      type === "function_call" ? { name, args } : undefined,
  },
  {
    kind: "an OpenAI function call",
    read: ({ function_call: called }) =>
      isRecord(called) ? { name: called["name"], args: called["arguments"] } : undefined,
  },
  {
    kind: "a Gemini function call",
    read: ({ functionCall: called }) =>
      isRecord(called) ? { name: called["name"], args: called["args"] ?? {} } : undefined,
  },
  {
    kind: "an AI SDK tool call",
    read: ({ type, toolName, input }) =>
      type === "tool-call" ? { name: toolName, args: input } : undefined,
  },
  {
    kind: "a LangChain tool call",
    read: ({ type, name, args }) => (type === "tool_call" ? { name, args } : undefined),
  },
  {
    kind: "an MCP request",
    read: ({ method, params }) =>
      method === "tools/call" && isRecord(params)
        ? { name: params["name"], args: params["arguments"] ?? {} }
        : undefined,
  },
];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
