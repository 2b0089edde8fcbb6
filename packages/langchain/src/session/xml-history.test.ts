import { AIMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { withText } from "./xml-history.ts";

const thought = { type: "thinking", thinking: "hm" };
const said = (text: string) => ({ type: "text", text });
const call = { id: "c", name: "find", args: {} };

test.each<[string, content: unknown, text: string, expected: unknown]>([
  ["a string", "a", "b", "b"],
  ["only texts", [said("a"), said("b")], "c", "c"],
  ["a thought", [thought, said("a")], "b", [thought, said("b")]],
  ["a thought, without a text now", [thought, said("a")], "", [thought]],
])("another text in place of that of a message of %s", (_, content, text, expected) => {
  const fields = {
    id: "m",
    name: "agent",
    tool_calls: [call],
    additional_kwargs: { a: 1 },
    response_metadata: { b: 2 },
    usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  };
  const message = new AIMessage({ ...fields, content } as never);
  expect(withText(message, text)).toMatchObject({
    ...fields,
    tool_calls: [call],
    content: expected,
  });
});
