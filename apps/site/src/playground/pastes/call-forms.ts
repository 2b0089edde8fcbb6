import { isRecord } from "@toolcontract/core/adapter";

/** An object as JSON has it. */
export type Fields = Readonly<Record<string, unknown>>;

/** A call as a provider, a framework or a server writes it. */
export interface FoundCall {
  /** What it is, in words. */
  readonly kind: string;
  readonly name: string;
  /** The arguments: JSON in a string, or a value. */
  readonly args: unknown;
}

/** Reads a value as a call, or returns undefined. */
export function callIn(part: Fields): FoundCall | undefined {
  for (const { kind, read } of FORMS) {
    const { name, args } = read(part) ?? {};
    if (typeof name === "string" && args !== undefined) return { kind, name, args };
  }
  return undefined;
}

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
      type === "tool-call" || type === "tool-input-available"
        ? { name: toolName, args: input }
        : undefined,
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
