import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import {
  callingMessageOf,
  copyToolMessage,
  finishReasonOf,
  parsedTextOf,
  streamedTextOf,
  textOfMessage,
  turnIdOf,
  unreadTextOf,
} from "./messages.ts";

test.each<[content: unknown, text: string]>([
  ["plain", "plain"],
  [[{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }], "ab"],
  [[{ type: "text", text: 5 }], ""],
])("the text of %j is %j", (content, text) => {
  expect(textOfMessage(new AIMessage({ content: content as never }))).toBe(text);
});

test("a copy of a tool's message has all that it had, but for what changes", () => {
  const fields = {
    content: "ran",
    tool_call_id: "c1",
    name: "find",
    id: "m1",
    status: "success",
    artifact: { rows: 2 },
    additional_kwargs: { a: 1 },
    response_metadata: { b: 2 },
    metadata: { c: 3 },
  } as const;
  const copy = copyToolMessage(new ToolMessage(fields), { content: "other", status: "error" });
  expect(copy).toMatchObject({ ...fields, content: "other", status: "error" });
});

describe("the message that made a call", () => {
  const call = (id: string) => ({ id, name: "find", args: {} });
  const first = new AIMessage({ content: "", tool_calls: [call("a")] });
  const second = new AIMessage({ content: "", tool_calls: [call("b")] });
  const messages = [new HumanMessage("Go."), first, second, new HumanMessage("And?")];

  test.each([
    ["of that id", { id: "a" }, first, 1],
    ["else the last one", { id: "z" }, second, 2],
    ["of a call without an id, too", {}, second, 2],
  ])("is the one %s", (_, wanted, message, index) => {
    const found = callingMessageOf(wanted, messages);
    expect(found?.message).toBe(message);
    expect(found?.index).toBe(index);
  });

  test("is none if the model has said nothing", () => {
    expect(callingMessageOf({ id: "a" }, [new HumanMessage("Go.")])).toBeUndefined();
  });
});

describe("the id of a turn", () => {
  const message = { id: "m1" };

  test.each([
    ["is the message's in a conversation", { conversationId: "c" }, "m1"],
    ["is the message's in its run", { runId: "r" }, "r m1"],
  ])("%s", (_, origin, id) => {
    expect(turnIdOf(message, origin as never)).toBe(id);
  });

  test("stays with the object where servers may repeat ids", () => {
    const [one, other] = [{ id: "m1" }, { id: "m1" }];
    expect(turnIdOf(one, undefined)).toBe(turnIdOf(one, undefined));
    expect(turnIdOf(one, undefined)).not.toBe(turnIdOf(other, undefined));
  });
});

type Fields = Record<string, unknown>;

test.each<[metadata: Fields, kwargs: Fields, reason: string | undefined]>([
  [{ finish_reason: "length" }, {}, "length"],
  [{ finishReason: "MAX_TOKENS" }, {}, "MAX_TOKENS"],
  [{ stop_reason: "max_tokens" }, {}, "max_tokens"],
  [{ stopReason: "max_tokens" }, {}, "max_tokens"],
  [{ done_reason: "length" }, {}, "length"],
  [{}, { stop_reason: "end_turn" }, "end_turn"],
  [{ finish_reason: null }, { stop_reason: "end_turn" }, "end_turn"],
  [
    { finish_reason: "stop", incomplete_details: { reason: "content_filter" } },
    {},
    "content_filter",
  ],
  [{ incomplete_details: null }, {}, undefined],
  [{ incomplete_details: null, object: "response", status: "completed" }, {}, "completed"],
  [{ object: "response", status: "cancelled" }, {}, "cancelled"],
  [{ status: "ok" }, {}, undefined],
  // Chunks that repeat it are added up.
  [{ finish_reason: "tool_callstool_calls" }, {}, "tool_calls"],
  [{ finishReason: "STOPSTOPMAX_TOKENS" }, {}, "max_tokens"],
])("the output of %j and %j ended for %j", (response_metadata, additional_kwargs, reason) => {
  expect(finishReasonOf(new AIMessage({ content: "", response_metadata, additional_kwargs }))).toBe(
    reason,
  );
});

describe("the arguments as text", () => {
  const chunk = (index: number | undefined, args: unknown, id?: string) => ({
    type: "tool_call_chunk",
    args,
    ...(id !== undefined && { id }),
    ...(index !== undefined && { index }),
  });
  const streamed = (...tool_call_chunks: readonly object[]) =>
    new AIMessageChunk({ content: "", tool_call_chunks: tool_call_chunks as never });

  test.each<[string, readonly object[], string | undefined]>([
    ["of one piece", [chunk(0, '{"a":1}', "c")], '{"a":1}'],
    ["of pieces by their index", [chunk(0, '{"a"', "c"), chunk(0, ":1}")], '{"a":1}'],
    ["of pieces by their id", [chunk(0, '{"a"', "c"), chunk(1, ":1}", "c")], '{"a":1}'],
    [
      "without those of another call",
      [chunk(0, "1", "c"), chunk(1, "2", "d"), chunk(1, "3"), chunk(0, "4", "d"), chunk(0, "5")],
      "15",
    ],
    ["without pieces of no call", [chunk(undefined, "1", "c"), chunk(undefined, "2")], "1"],
    ["of pieces that are no text", [chunk(0, undefined, "c"), chunk(0, "1")], "1"],
    ["of a call that was not streamed", [chunk(0, "1", "d")], undefined],
  ])("%s", (_, chunks, text) => {
    expect(streamedTextOf("c", streamed(...chunks))).toBe(text);
    expect(parsedTextOf("c", streamed(...chunks))).toBe(text);
  });

  test("of a message that was not streamed is what was sent", () => {
    const sent = (id: string) => ({
      id,
      type: "function",
      function: { name: "f", arguments: `"${id}"` },
    });
    const message = new AIMessage({
      content: "",
      additional_kwargs: { tool_calls: [sent("b"), sent("c")] as never },
    });
    expect(parsedTextOf("c", message)).toBe('"c"');
    expect(parsedTextOf("d", message)).toBeUndefined();
    expect(parsedTextOf("", message)).toBeUndefined();
    expect(parsedTextOf(undefined, message)).toBeUndefined();
  });

  test("that no client could parse is kept with the call, or in the message", () => {
    const message = new AIMessage({
      content: "",
      invalid_tool_calls: [
        { id: "b", args: "{b" },
        { id: "c", args: "{c" },
        { id: "", args: "{" },
      ],
    });
    expect(unreadTextOf({ id: "c", toolcontract: { rawText: "{own" } }, message)).toBe("{own");
    expect(unreadTextOf({ id: "c" }, message)).toBe("{c");
    expect(unreadTextOf({ id: "d" }, message)).toBeUndefined();
    expect(unreadTextOf({ id: "" }, message)).toBeUndefined();
    expect(unreadTextOf({}, message)).toBeUndefined();
    expect(unreadTextOf({ id: "c" }, undefined)).toBeUndefined();
  });
});
