import { describe, expect, test } from "vitest";
import { readCalls } from "./read-calls.ts";
import { readTool } from "./read-tool.ts";

const ARGS = { path: "a.md", mode: "0644" };
const TEXT = JSON.stringify(ARGS);
const PIECES = ['{"path":', '"a.md","mode', '":"0644"}'];

/** Events as a server sends them. */
function sse(...events: readonly (object | string)[]): string {
  const lines = events.map((event) =>
    typeof event === "string"
      ? event
      : `${"type" in event ? `event: ${String(event.type)}\n` : ""}data: ${JSON.stringify(event)}`,
  );
  return `${lines.join("\n\n")}\n\n`;
}

/** The names and arguments of the calls, as far as they are JSON. */
function callsOf(text: string) {
  return readCalls(text).calls.map((call) => [call.toolName, call.text]);
}

const openai = (name: string) => ({
  id: "call_1",
  type: "function",
  function: { name, arguments: TEXT },
});
const block = (name: string) => ({ type: "tool_use", id: "toolu_1", name, input: ARGS });
const chatDelta = (...tool_calls: readonly object[]) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }],
});
const blockDelta = (index: number, partial_json: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json },
});

describe("an answer with several calls is read whole", () => {
  const expected = [
    ["write_file", TEXT],
    ["read_file", TEXT],
  ];
  const both = <T>(of: (name: string) => T): readonly T[] => ["write_file", "read_file"].map(of);
  test.each<[string, unknown]>([
    ["an OpenAI chat completion", { choices: [{ message: { tool_calls: both(openai) } }] }],
    [
      "an OpenAI response",
      {
        object: "response",
        output: [
          { type: "reasoning", summary: [] },
          ...both((name) => ({ type: "function_call", call_id: "c", name, arguments: TEXT })),
        ],
      },
    ],
    ["an Anthropic message", { role: "assistant", content: [{ type: "text" }, ...both(block)] }],
    [
      "a Gemini response",
      {
        candidates: [
          { content: { parts: both((name) => ({ functionCall: { name, args: ARGS } })) } },
        ],
      },
    ],
    [
      "a LangChain message, which has its calls twice",
      {
        content: both(block),
        tool_calls: both((name) => ({ type: "tool_call", name, args: ARGS })),
      },
    ],
    [
      "a step of the AI SDK",
      {
        content: [],
        toolCalls: both((toolName) => ({ type: "tool-call", toolName, input: ARGS })),
      },
    ],
    [
      "a request to OpenAI with what was said before",
      {
        model: "gpt-5",
        tools: [{ type: "function", function: { name: "write_file", parameters: {} } }],
        messages: [
          { role: "user", content: "Write it." },
          { role: "assistant", content: null, tool_calls: both(openai) },
        ],
      },
    ],
    [
      "a request to OpenAI's responses",
      {
        input: [
          { role: "user", content: "Write it." },
          ...both((name) => ({ type: "function_call", name, arguments: TEXT })),
        ],
      },
    ],
    [
      "a request to Anthropic",
      { messages: [{ role: "assistant", content: both(block) }], max_tokens: 10 },
    ],
    [
      "a request to Gemini",
      { contents: [{ parts: both((name) => ({ functionCall: { name, args: ARGS } })) }] },
    ],
    [
      "a logged exchange",
      { response: { body: { choices: [{ message: { tool_calls: both(openai) } }] } } },
    ],
  ])("%s", (_, answer) => {
    expect(callsOf(JSON.stringify(answer, null, 2))).toEqual(expected);
    expect(readCalls(JSON.stringify(answer)).note).toMatch(/^These are 2 calls/);
  });
});

describe("a stream is joined", () => {
  const named = (name: string, index: number) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: "" },
  });
  const pieces = (index: number) =>
    PIECES.map((piece) => chatDelta({ index, function: { arguments: piece } }));
  const added = (name: string, output_index: number) => ({
    type: "response.output_item.added",
    output_index,
    item: { type: "function_call", id: "fc", call_id: "c", name, arguments: "" },
  });
  const argumentDeltas = (output_index: number) =>
    PIECES.map((delta) => ({
      type: "response.function_call_arguments.delta",
      output_index,
      delta,
    }));
  const started = (index: number, name: string) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id: "t", name, input: {} },
  });

  test.each<[string, string, readonly string[]]>([
    [
      "OpenAI's chat",
      sse(
        { id: "1", choices: [{ index: 0, delta: { role: "assistant", content: null } }] },
        chatDelta(named("write_file", 0)),
        ...pieces(0),
        chatDelta(named("read_file", 1)),
        ...pieces(1),
        { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
        "data: [DONE]",
      ),
      ["write_file", "read_file"],
    ],
    [
      "OpenAI's responses",
      sse(
        { type: "response.created", response: { output: [] } },
        added("write_file", 0),
        ...argumentDeltas(0),
        { type: "response.function_call_arguments.done", output_index: 0, arguments: TEXT },
        {
          type: "response.output_item.done",
          output_index: 0,
          item: { type: "function_call", name: "write_file", arguments: TEXT },
        },
        added("read_file", 1),
        ...argumentDeltas(1),
        {
          type: "response.completed",
          response: { output: [{ type: "function_call", name: "write_file", arguments: TEXT }] },
        },
      ),
      ["write_file", "read_file"],
    ],
    [
      "the end of OpenAI's responses alone",
      sse({
        type: "response.completed",
        response: { output: [{ type: "function_call", name: "write_file", arguments: TEXT }] },
      }),
      ["write_file"],
    ],
    [
      "Anthropic",
      sse(
        { type: "message_start", message: { role: "assistant", content: [] } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I" } },
        started(1, "write_file"),
        { type: "ping" },
        ...PIECES.map((piece) => blockDelta(1, piece)),
        { type: "content_block_stop", index: 1 },
        started(2, "read_file"),
        ...PIECES.map((piece) => blockDelta(2, piece)),
        { type: "message_delta", delta: { stop_reason: "tool_use" } },
        { type: "message_stop" },
      ),
      ["write_file", "read_file"],
    ],
    [
      "Gemini",
      sse({
        candidates: [
          { content: { parts: [{ functionCall: { name: "write_file", args: ARGS } }] } },
        ],
      }),
      ["write_file"],
    ],
    [
      "the AI SDK's user interface",
      sse(
        { type: "tool-input-start", toolCallId: "1", toolName: "write_file" },
        { type: "tool-input-available", toolCallId: "1", toolName: "write_file", input: ARGS },
      ),
      ["write_file"],
    ],
    [
      "lines of JSON without a prefix",
      [chatDelta(named("write_file", 0)), ...pieces(0)]
        .map((one) => JSON.stringify(one))
        .join("\n"),
      ["write_file"],
    ],
  ])("of %s", (_, text, names) => {
    expect(callsOf(text)).toEqual(names.map((name) => [name, TEXT]));
    expect(callsOf(text.replaceAll("\n", "\r\n"))).toEqual(names.map((name) => [name, TEXT]));
    expect(readCalls(text).note).toContain("in a stream");
  });

  test("that was cut has the arguments as far as they came", () => {
    const text = sse(started(0, "write_file"), blockDelta(0, '{"path":"a'));
    expect(callsOf(text)).toEqual([["write_file", '{"path":"a']]);
  });

  test("with a line that is not JSON has the number of the line", () => {
    const text = `${sse(chatDelta(openai("write_file")))}data: {"choices": [}\n`;
    expect(readCalls(text).note).toBe(
      "This is an OpenAI tool call in a stream; its arguments were sent. Line 3 is not JSON, and was left out.",
    );
  });
});

describe("calls in the tags of open models are read", () => {
  test.each([
    ["whole", `<tool_call>\n{"name": "write_file", "arguments": ${TEXT}}\n</tool_call>`, TEXT],
    [
      "without its end",
      `<tool_call>{"name": "write_file", "arguments": {"path": "a`,
      '{"path": "a',
    ],
    [
      "with broken arguments",
      `I write.\n<tool_call>{"name":"write_file","arguments":{path: 'a'}}</tool_call>`,
      "{path: 'a'}",
    ],
  ])("%s", (_, text, args) => {
    expect(callsOf(text)).toEqual([["write_file", args]]);
  });
});

test("calls before and after a result are of two turns of the model", () => {
  const said = { role: "assistant", tool_calls: [openai("a"), openai("b")] };
  const result = { role: "tool", tool_call_id: "call_1", content: "no" };
  const conversation = [
    { role: "user" },
    said,
    result,
    result,
    { ...said, tool_calls: [openai("c")] },
  ];
  expect(readCalls(JSON.stringify(conversation)).calls.map(({ turn }) => turn)).toEqual([1, 1, 2]);
});

test("of more calls than fit, the first are read, and it says so", () => {
  const many = Array.from({ length: 30 }, () => block("a"));
  const { calls, note } = readCalls(JSON.stringify(many));
  expect(calls).toHaveLength(20);
  expect(note).toBe(
    "These are 30 calls, each an Anthropic tool_use block. The first 20 were sent.",
  );
});

describe("a paste that only looks like an answer is sent as it is", () => {
  test.each([
    ["arguments with its keys", '{"type":"a","function":"sin(x)"}'],
    ["arguments that hold a call", JSON.stringify({ type: "a", value: { name: "b" } })],
    ["prose", "data: I would write the file"],
    ["an empty stream", "data: [DONE]\n"],
    ["an answer without calls", '{"choices":[{"message":{"content":"Hi"}}]}'],
  ])("%s", (_, text) => {
    expect(readCalls(text)).toMatchObject({ calls: [{ text }] });
  });

  test("and if it is an answer that is broken, the note has the line", () => {
    const text = `{\n  "tool_calls": [\n    {"function" {}}\n  ]\n}`;
    expect(readCalls(text)).toEqual({
      calls: [{ text, turn: 1, written: { from: 0, to: text.length } }],
      note: 'This looks like a whole answer, but it is not JSON. Line 3, column 17: A colon is missing after the name. It was sent as arguments. This one works: [{"type":"tool_use","name":"weather","input":{"city":"Oslo"}}]',
    });
  });
});

describe("a list of tools", () => {
  const SCHEMA = { type: "object" };
  const names = ["a", "b", "c"];
  test.each<[string, unknown]>([
    [
      "tools/list",
      {
        jsonrpc: "2.0",
        id: 1,
        result: { tools: names.map((name) => ({ name, inputSchema: SCHEMA })) },
      },
    ],
    [
      "a request to OpenAI",
      {
        messages: [],
        tools: names.map((name) => ({ type: "function", function: { name, parameters: SCHEMA } })),
      },
    ],
    ["a request to Anthropic", { tools: names.map((name) => ({ name, input_schema: SCHEMA })) }],
    [
      "a request to Gemini",
      {
        tools: [
          { functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: SCHEMA })) },
        ],
      },
    ],
  ])("%s offers the called tool and the others", (_, list) => {
    const read = readTool(
      { language: "json", text: JSON.stringify(list) },
      undefined,
      undefined,
      "b",
    );
    if ("fault" in read) throw new Error(read.fault);
    expect(read.definition.name).toBe("b");
    expect(read.others?.map(({ name }) => name)).toEqual(["a", "c"]);
  });
});

describe("the place of each call's arguments", () => {
  const twice = [block("write_file"), openai("read_file"), block("write_file")];
  test.each<[string, string, readonly (string | undefined)[]]>([
    ["bare arguments", TEXT, [TEXT]],
    [
      "blocks and calls with equal arguments, each its own",
      JSON.stringify(twice),
      [TEXT, JSON.stringify(TEXT), TEXT],
    ],
    ["between tags", `<tool_call>{"name": "a", "arguments": ${TEXT}}</tool_call>`, [TEXT]],
    [
      "a stream, in pieces",
      sse(
        { type: "content_block_start", index: 0, content_block: { ...block("a"), input: {} } },
        ...PIECES.map((piece) => blockDelta(0, piece)),
      ),
      [undefined],
    ],
  ])("%s", (_, text, expected) => {
    const { calls } = readCalls(text);
    expect(calls.map(({ written }) => written && text.slice(written.from, written.to))).toEqual(
      expected,
    );
    const places = calls.flatMap(({ written }) => written?.from ?? []);
    expect(new Set(places).size).toBe(places.length);
  });
});
