import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { promoteInvalidToolCalls } from "../promote.ts";
import { factsOfReply } from "./reply.ts";

const parsed = (args: Record<string, unknown>) => ({ id: "a", name: "wipe", args });

// A call of which nothing has come may have had arguments; one with arguments is judged by its text.
test.each<[streamed: string | undefined, reason: string | undefined, cut: boolean]>([
  ["", "length", true],
  ["", "odd", true],
  ["", "tool_use", false],
  ["", undefined, false],
  ["{}", "length", true],
  ["{}", "odd", false],
  ['{"a":1}', "length", false],
  ['{"a":', "length", true],
  ['{"a":', "stop", false],
  [undefined, "length", true],
  [undefined, "odd", false],
])("an answer that ends with the call %j and %s is cut off: %s", (streamed, reason, cut) => {
  const response_metadata = reason === undefined ? {} : { finish_reason: reason };
  const chunk = { type: "tool_call_chunk" as const, id: "a", name: "wipe", index: 0 };
  const message =
    streamed === undefined
      ? new AIMessage({ content: "", tool_calls: [parsed({})], response_metadata })
      : new AIMessageChunk({
          content: "",
          tool_call_chunks: [{ ...chunk, args: streamed }],
          response_metadata,
        });
  const isOutput = (): boolean => false;
  expect(factsOfReply(message, isOutput)).toMatchObject({ cut });
  expect(factsOfReply(promoteInvalidToolCalls(message), isOutput)).toMatchObject({ cut });
});
