import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { callsIn, indexOfCall, orderOfCalls, parsedTextOf, unreadTextOf } from "./call-text.ts";

const call = (id: string | undefined, args: unknown = {}, name = "f") => ({
  ...(id !== undefined && { id }),
  name,
  args: args as Record<string, unknown>,
});

describe("the text that was streamed", () => {
  const chunk = (index: number | undefined, args: unknown, id?: string) => ({
    type: "tool_call_chunk",
    name: "f",
    args,
    ...(id !== undefined && { id }),
    ...(index !== undefined && { index }),
  });

  // Each call of the message, in its order.
  test.each<[string, readonly object[], readonly (string | undefined)[]]>([
    ["of one piece", [chunk(0, '{"a":1}', "c")], ['{"a":1}']],
    ["of pieces by their index", [chunk(0, '{"a"', "c"), chunk(0, ":1}")], ['{"a":1}']],
    [
      "of pieces by their id",
      [chunk(undefined, '{"a"', "c"), chunk(undefined, ":1}", "c")],
      ['{"a":1}'],
    ],
    [
      "of two calls in turns",
      [chunk(0, '{"a"', "c"), chunk(1, '{"b"', "d"), chunk(0, ":1}"), chunk(1, ":2}")],
      ['{"a":1}', '{"b":2}'],
    ],
    [
      "of two calls with one id",
      [chunk(0, '{"a":1}', "c"), chunk(1, '{"a":2}', "c")],
      ['{"a":1}', '{"a":2}'],
    ],
    [
      "of two calls with one id, in turns",
      [chunk(0, '{"a"', "c"), chunk(1, '{"a"', "c"), chunk(0, ":1}"), chunk(1, ":2}")],
      ['{"a":1}', '{"a":2}'],
    ],
    [
      "of equal numbers that are different texts, with one id",
      [chunk(0, '{"a":1}', "c"), chunk(1, '{"a":1.0}', "c")],
      ['{"a":1}', '{"a":1.0}'],
    ],
    [
      "of the second call with one id, if no client could read the first",
      [chunk(0, "[1]", "c"), chunk(1, '{"a":2}', "c")],
      ['{"a":2}', "[1]"],
    ],
    ["of pieces that are not text", [chunk(0, undefined, "c"), chunk(0, "{}")], ["{}"]],
    ["of no arguments", [chunk(0, "", "c")], [""]],
  ])("is that %s", (_, tool_call_chunks, texts) => {
    const message = new AIMessageChunk({
      content: "",
      tool_call_chunks: tool_call_chunks as never,
    });
    expect(callsIn(message).map(({ streamed }) => streamed)).toEqual(texts);
    const calls = message.tool_calls ?? [];
    expect(calls.map((one) => parsedTextOf(one, message))).toEqual(texts.slice(0, calls.length));
  });
});

describe("the text that was sent at once", () => {
  const sent = (id: string, args: string) => ({
    id,
    type: "function" as const,
    function: { name: "f", arguments: args },
  });
  const item = (call_id: string, args: string) => ({
    type: "function_call",
    call_id,
    name: "f",
    arguments: args,
  });
  const reasoning = { type: "reasoning", id: "r" };

  test.each<[string, object]>([
    [
      "OpenAI's chat API",
      { additional_kwargs: { tool_calls: [sent("b", "{}"), sent("c", '{"a":1}')] } },
    ],
    ["its Responses API", { response_metadata: { output: [reasoning, item("c", '{"a":1}')] } }],
  ])("by %s is kept in the message", (_, place) => {
    const one = call("c", { a: 1 });
    const message = new AIMessage({ content: "", tool_calls: [one], ...place });
    expect(parsedTextOf(one, message)).toBe('{"a":1}');
    expect(parsedTextOf(call("d"), message)).toBeUndefined();
  });

  test("is that of the call itself if two have one id", () => {
    const calls = [call("c", { a: 2 }), call("c", { a: 1 })];
    const tool_calls = [sent("c", "{'a':3}"), sent("c", '{"a":1}'), sent("c", '{"a":2}')];
    const message = new AIMessage({
      content: "",
      tool_calls: calls,
      additional_kwargs: { tool_calls },
    });
    expect(calls.map((one) => parsedTextOf(one, message))).toEqual(['{"a":2}', '{"a":1}']);
  });
});

test("a text that no client could parse is kept with the call, or in the message", () => {
  const message = new AIMessage({
    content: "",
    invalid_tool_calls: [
      { id: "b", name: "f", args: "{b" },
      { id: "c", name: "f", args: "{c" },
      { id: "", name: "f", args: "{" },
    ],
  });
  const kept = { ...call("c"), toolcontract: { rawText: "{own" } };
  expect(unreadTextOf(kept, message)).toBe("{own");
  expect(unreadTextOf(kept, undefined)).toBe("{own");
  expect(unreadTextOf(call("c"), message)).toBe("{c");
  expect(unreadTextOf(call("c", {}, "g"), message)).toBeUndefined();
  expect(unreadTextOf(call("d"), message)).toBeUndefined();
  expect(unreadTextOf(call(""), message)).toBeUndefined();
  expect(unreadTextOf(call("c"), undefined)).toBeUndefined();
});

test.each(["{}", '{"a":1}', "", " \n"])("a client can parse %j", (rawText) => {
  const one = { ...call("c"), toolcontract: { rawText } };
  expect(unreadTextOf(one, undefined)).toBeUndefined();
  expect(parsedTextOf(one, undefined)).toBe(rawText);
});

test("a call is found in its message by itself, by what it says, by its name, by its id", () => {
  const calls = [
    call("c", { a: 1 }),
    call("c", { a: 1 }),
    call("c", { a: 2 }),
    call("c", {}, "g"),
    call("d"),
  ];
  const message = new AIMessage({ content: "", tool_calls: calls });
  expect(calls.map((one) => indexOfCall(one, message))).toEqual([0, 1, 2, 3, 4]);
  expect(indexOfCall({ ...(calls[1] as object) } as never, message)).toBe(1);
  expect(indexOfCall(call("c", { a: 2 }), message)).toBe(2);
  expect(indexOfCall(call("c", { a: 9 }, "g"), message)).toBe(3);
  expect(indexOfCall(call("d", { a: 9 }, "h"), message)).toBe(4);
  expect(indexOfCall(call("e"), message)).toBe(-1);
  expect(indexOfCall(call(undefined), message)).toBe(-1);
});

test("the order of calls is that of the message's other places, wherever other middleware puts them", () => {
  const calls = [call("a"), call("b"), call("c")];
  const content = ["c", "a", "b"].map((id) => ({ type: "tool_use", id, name: "f", input: {} }));
  const made = (message: object): AIMessage =>
    new AIMessage({ content: "", tool_calls: calls, ...message });
  expect(orderOfCalls(made({}), calls)).toEqual([0, 1, 2]);
  expect(orderOfCalls(made({ content }), calls)).toEqual([2, 0, 1]);
  expect(orderOfCalls(made({ content: content.slice(1) }), calls)).toEqual([0, 1, 2]);
});
