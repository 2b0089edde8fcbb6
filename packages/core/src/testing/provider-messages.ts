/** A call of a scripted message. */
export interface ScriptedCall {
  readonly id?: string | undefined;
  readonly name: string;
  /** The text of the arguments. */
  readonly text: string;
}

/** How an API sends a message of calls: whole, and as the events of a stream. */
export interface ProviderForm {
  /** Reasons of an output that is whole, that hit its limit, and that ended in another way. */
  readonly reasons: { readonly whole: string; readonly cut: string; readonly other: string };
  /** True if arguments are a text; else only JSON can be sent. */
  readonly isText: boolean;
  /** True if the API always has ids. */
  readonly hasIds: boolean;
  response(calls: readonly ScriptedCall[], reason: string): unknown;
  /** What of a response goes into the history. */
  history(response: never): readonly unknown[];
  events(calls: readonly ScriptedCall[], reason: string): readonly unknown[];
}

function valueOf(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    // What an SDK makes of half a text.
    return {};
  }
}

function halves(text: string): readonly [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

const REASONS = { whole: "tool_calls", cut: "length", other: "error" };

interface Message {
  readonly message: unknown;
}

const responseItems = (calls: readonly ScriptedCall[], status: string): readonly object[] =>
  calls.map(({ id, name, text }, index) => ({
    type: "function_call",
    id: `fc_${index}`,
    ...(id !== undefined && { call_id: id }),
    name,
    arguments: text,
    status: status === "completed" ? status : "incomplete",
  }));

function responseOf(calls: readonly ScriptedCall[], reason: string): object {
  const isCut = reason === "max_output_tokens";
  return {
    id: "resp_1",
    status: isCut ? "incomplete" : reason,
    ...(isCut && { incomplete_details: { reason } }),
    output: responseItems(calls, reason),
  };
}

function responseEvents(calls: readonly ScriptedCall[], reason: string): readonly object[] {
  return [
    { type: "response.created", response: { id: "resp_1" } },
    ...responseItems(calls, reason).flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: { ...item, arguments: "" } },
      ...halves((item as ScriptedCall & { arguments: string }).arguments).map((delta) => ({
        type: "response.function_call_arguments.delta",
        output_index,
        delta,
      })),
    ]),
    { type: "response.completed", response: responseOf(calls, reason) },
  ];
}

function chatCall({ id, name, text }: ScriptedCall): object {
  return { ...(id !== undefined && { id }), type: "function", function: { name, arguments: text } };
}

function chatEvents(
  calls: readonly ScriptedCall[],
  reason: string,
  [list, end, wrap]: readonly [string, string, boolean],
): readonly object[] {
  const chunk = (delta: object, more: object = {}): object => {
    const whole = { id: "x", choices: [{ index: 0, delta, ...more }] };
    return wrap ? { data: whole } : whole;
  };
  return [
    ...calls.flatMap(({ id, name, text }, index) => [
      chunk({
        [list]: [{ index, ...(id !== undefined && { id }), function: { name, arguments: "" } }],
      }),
      ...halves(text).map((part) => chunk({ [list]: [{ index, function: { arguments: part } }] })),
    ]),
    chunk({}, { [end]: reason }),
  ];
}

/** By the name of the API in `@toolcontract/core/wire`. */
export const PROVIDER_FORMS = {
  openai: {
    reasons: REASONS,
    isText: true,
    hasIds: true,
    response: (calls, finish_reason) => ({
      id: "x",
      choices: [
        {
          index: 0,
          finish_reason,
          message: { role: "assistant", tool_calls: calls.map(chatCall) },
        },
      ],
    }),
    history: ({ choices: [choice] }: { choices: readonly Message[] }) => [choice?.message],
    events: (calls, reason) => chatEvents(calls, reason, ["tool_calls", "finish_reason", false]),
  },
  mistral: {
    reasons: REASONS,
    isText: true,
    hasIds: false,
    response: (calls, finishReason) => ({
      id: "x",
      choices: [
        { index: 0, finishReason, message: { role: "assistant", toolCalls: calls.map(chatCall) } },
      ],
    }),
    history: ({ choices: [choice] }: { choices: readonly Message[] }) => [choice?.message],
    events: (calls, reason) => chatEvents(calls, reason, ["toolCalls", "finishReason", true]),
  },
  cohere: {
    reasons: { whole: "TOOL_CALL", cut: "MAX_TOKENS", other: "ERROR" },
    isText: true,
    hasIds: true,
    response: (calls, finishReason) => ({
      id: "x",
      finishReason,
      message: { role: "assistant", toolCalls: calls.map(chatCall) },
    }),
    history: ({ message }: Message) => [message],
    events: (calls, finishReason) => [
      { type: "message-start", id: "x" },
      ...calls.flatMap(({ text, ...call }, index) => [
        {
          type: "tool-call-start",
          index,
          delta: { message: { toolCalls: chatCall({ ...call, text: "" }) } },
        },
        ...halves(text).map((part) => ({
          type: "tool-call-delta",
          index,
          delta: { message: { toolCalls: { function: { arguments: part } } } },
        })),
        { type: "tool-call-end", index },
      ]),
      { type: "message-end", delta: { finishReason } },
    ],
  },
  ollama: {
    reasons: { whole: "stop", cut: "length", other: "error" },
    isText: false,
    hasIds: false,
    response: (calls, done_reason) => ({
      done: true,
      done_reason,
      message: {
        role: "assistant",
        tool_calls: calls.map(({ name, text }) => ({
          function: { name, arguments: valueOf(text) },
        })),
      },
    }),
    history: ({ message }: Message) => [message],
    events: (calls, done_reason) => [
      ...calls.map(({ name, text }) => ({
        done: false,
        message: { tool_calls: [{ function: { name, arguments: valueOf(text) } }] },
      })),
      { done: true, done_reason, message: { content: "" } },
    ],
  },
  gemini: {
    reasons: { whole: "STOP", cut: "MAX_TOKENS", other: "MALFORMED_FUNCTION_CALL" },
    isText: false,
    hasIds: false,
    response: (calls, finishReason) => ({
      responseId: "x",
      candidates: [{ finishReason, content: { role: "model", parts: calls.map(geminiPart) } }],
    }),
    history: ({ candidates: [one] }: { candidates: readonly { content: unknown }[] }) => [
      one?.content,
    ],
    events: (calls, finishReason) =>
      calls.map((call, index) => ({
        responseId: "x",
        candidates: [
          {
            content: { role: "model", parts: [geminiPart(call)] },
            ...(index === calls.length - 1 && { finishReason }),
          },
        ],
      })),
  },
  anthropic: {
    reasons: { whole: "tool_use", cut: "max_tokens", other: "error" },
    isText: false,
    hasIds: true,
    response: (calls, stop_reason) => ({
      id: "msg_1",
      type: "message",
      role: "assistant",
      stop_reason,
      content: calls.map(({ id, name, text }) => ({
        type: "tool_use",
        id,
        name,
        input: valueOf(text),
      })),
    }),
    history: ({ content }: { content: unknown }) => [{ role: "assistant", content }],
    events: (calls, stop_reason) => [
      { type: "message_start", message: { id: "msg_1" } },
      ...calls.flatMap(({ id, name, text }, index) => [
        {
          type: "content_block_start",
          index,
          content_block: { type: "tool_use", id, name, input: {} },
        },
        ...halves(text).map((partial_json) => ({
          type: "content_block_delta",
          index,
          delta: { type: "input_json_delta", partial_json },
        })),
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason } },
      { type: "message_stop" },
    ],
  },
  responses: {
    reasons: { whole: "completed", cut: "max_output_tokens", other: "failed" },
    isText: true,
    hasIds: true,
    response: responseOf,
    history: ({ output }: { output: readonly unknown[] }) => output,
    events: responseEvents,
  },
  realtime: {
    reasons: { whole: "completed", cut: "max_output_tokens", other: "cancelled" },
    isText: true,
    hasIds: true,
    response: (calls, reason) => ({ type: "response.done", response: responseOf(calls, reason) }),
    history: ({ response }: { response: { output: readonly unknown[] } }) => response.output,
    events: responseEvents,
  },
} satisfies Readonly<Record<string, ProviderForm>>;

function geminiPart({ id, name, text }: ScriptedCall): object {
  return { functionCall: { ...(id !== undefined && { id }), name, args: valueOf(text) } };
}
