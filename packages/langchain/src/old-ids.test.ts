import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { withOldIdsRenamed } from "./old-ids.ts";

const asked = (...ids: string[]): AIMessage =>
  new AIMessage({ content: "", tool_calls: ids.map((id) => ({ id, name: "find", args: {} })) });
const answer = (id: string): ToolMessage => new ToolMessage({ tool_call_id: id, content: "ok" });
interface Part {
  readonly tool_calls?: readonly { readonly id?: string }[];
  readonly tool_call_id?: string;
}
const idsOf = (messages: readonly object[]): unknown[] =>
  messages.flatMap((one) => {
    const { tool_calls: calls, tool_call_id: id } = one as Part;
    return calls ? calls.map((call) => call.id) : (id ?? []);
  });

test("ids that are used again are others in each earlier message, with their answers", () => {
  const given = [asked("0", "a"), answer("0"), answer("a"), asked("0"), answer("0"), asked("0")];
  const before = idsOf(given);
  const renamed = withOldIdsRenamed(given);
  expect(idsOf(renamed)).toEqual([
    "0 of message 0",
    "a",
    "0 of message 0",
    "a",
    "0 of message 3",
    "0 of message 3",
    "0",
  ]);
  expect(idsOf(given)).toEqual(before);
  expect(renamed[0]).toBeInstanceOf(AIMessage);
});

test.each([
  ["no message of a model", [new HumanMessage("Go.")]],
  ["other ids", [asked("a"), answer("a"), asked("b")]],
  ["calls that have been answered in part", [asked("a", "b"), answer("a")]],
  ["calls without an id", [asked(""), answer(""), asked("")]],
])("%s: the same list", (_, messages) => {
  expect(withOldIdsRenamed(messages)).toBe(messages);
});
