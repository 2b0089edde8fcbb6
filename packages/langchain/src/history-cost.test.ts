import { countAttempts, createContract } from "@toolcontract/core";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { rejectionMessage, turnsFromMessages } from "./history.ts";

test("messages that are only appended are counted without reading them all again", async () => {
  const contract = createContract({ logger: () => undefined });
  const tool = { name: "pay", inputSchema: { required: ["amount"] } };
  const refused = await contract.admit(
    { id: "1", name: "pay", arguments: "{}" },
    { tool, conversationId: "a" },
  );
  if (refused.status !== "rejected") throw new Error("the call must be rejected");
  let reads = 0;
  const args = {
    get amount() {
      reads += 1;
      return 1;
    },
  };
  const failure = (id: string): readonly BaseMessage[] => {
    const call = { id, name: "pay", args };
    const answer = rejectionMessage({ call }, refused);
    // Half of the messages come from a store that drops artifacts.
    const { content, tool_call_id } = answer;
    const plain = new ToolMessage({ status: "error", content, tool_call_id });
    return [
      new AIMessage({ content: "", tool_calls: [call] }),
      Number(id) % 2 === 0 ? answer : plain,
    ];
  };
  const failed = (messages: readonly BaseMessage[]): number =>
    countAttempts(turnsFromMessages(messages), "pay", "run").failed;
  const messages = Array.from({ length: 1_500 }, (_, id) => failure(`${id}`)).flat();
  expect(failed(messages)).toBe(1_500);
  // An artifact has the hash of its arguments.
  expect(reads).toBe(750);
  for (let step = 0; step < 10; step += 1) {
    reads = 0;
    messages.push(...failure(`${1_500 + step}`));
    expect(failed([...messages])).toBe(1_501 + step);
    // Of the new turn and the one that was the last before, one has no artifact.
    expect(reads).toBe(1);
  }
});
