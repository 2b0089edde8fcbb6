import { isRecord } from "@toolcontract/core/adapter";

/** A call's text as the arguments that the model sent. */
export interface ReadCall {
  readonly text: string;
  /** How a whole call was read, in words. */
  readonly note?: string;
  /** The tool that a whole call names. */
  readonly toolName?: string;
}

/** Reads the arguments; of a whole call, as a provider writes it, the arguments in it. */
export function readCall(text: string): ReadCall {
  // A call as a provider writes it has this key, and most arguments do not have to be parsed.
  const call = /"(?:type|method|function)"/.test(text.slice(0, HEAD))
    ? parseObject(text)
    : undefined;
  if (call === undefined) return { text };
  for (const { kind, read } of FORMS) {
    const { name, args } = read(call) ?? {};
    if (typeof name !== "string" || args === undefined) continue;
    const written = typeof args === "string" ? args : JSON.stringify(args);
    return { text: written, toolName: name, note: `This is ${kind}; its arguments were sent.` };
  }
  return { text };
}

const HEAD = 2_000;

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
    kind: "an MCP request",
    read: ({ method, params }) =>
      method === "tools/call" && isRecord(params)
        ? { name: params["name"], args: params["arguments"] ?? {} }
        : undefined,
  },
];

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
