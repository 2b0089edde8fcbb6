import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import {
  callingMessageOf,
  copyToolMessage,
  finishReasonOf,
  textOfMessage,
  turnIdOf,
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
