import { ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";
import { type MiniAgent, type MiniCall, type MiniMessage, runAgent } from "./mini-framework.ts";
import { withContract } from "./with-contract.ts";

/** A model that never learns: five invalid calls, then an answer. */
async function runStubborn(escalate: "continue" | "stop"): Promise<readonly MiniMessage[]> {
  let turn = 0;
  const agent = {
    thread: "thread-7",
    tools: [{ name: "pay", schema: { required: ["amount"] }, run: () => "paid" }],
    aroundTool: withContract({ escalate, maxAttempts: 2, logger: () => undefined }),
    model: () => {
      turn += 1;
      const calls = turn > 5 ? [] : [{ id: `call_${turn}`, tool: "pay", text: "{}" }];
      return { role: "model" as const, text: "", calls };
    },
  };
  return runAgent(agent, [{ role: "user", text: "Pay." }]);
}

test.each([
  ["stop", 2],
  ["continue", 5],
] as const)("with escalate: %j the loop has %d steps with calls", async (escalate, steps) => {
  const messages = await runStubborn(escalate);
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(steps);
});

test("the error for a wrong option names the adapter and the nearest option", () => {
  const options = { escalat: "stop" } as object;
  expect(() => withContract(options)).toThrow(ToolContractError);
  expect(() => withContract(options)).toThrow(/^withContract: .*'escalat'.* 'escalate'/);
});

test("if a message was cut, only its last call is rejected, because output is cut at its end", async () => {
  const call = (id: string): MiniCall => ({ id, tool: "ping", text: "{}" });
  const replies = [[call("call_1"), call("call_2")], []];
  const agent: MiniAgent = {
    thread: "thread-7",
    tools: [{ name: "ping", schema: { type: "object" }, run: () => "pong" }],
    aroundTool: withContract({ logger: () => undefined }),
    model: () => ({ role: "model", text: "", calls: replies.shift() ?? [], stopped: "length" }),
  };
  const messages = await runAgent(agent, [{ role: "user", text: "Ping twice." }]);
  const answers = messages.flatMap((message) => (message.role === "tool" ? [message] : []));
  expect(answers.map(({ failed }) => failed)).toEqual([false, true]);
  expect(answers[1]?.text).toContain("VAL-011");
});
