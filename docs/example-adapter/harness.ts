import { outputOf } from "@toolcontract/conformance";
import type { CreateHarness } from "@toolcontract/conformance/vitest";
import { parseRejection } from "@toolcontract/core";
import { type MiniAgent, type MiniMessage, runAgent } from "./mini-framework.ts";
import { withContract } from "./with-contract.ts";

/** The mini framework with a case's tools and options, and a model that makes the calls of each turn. */
export const createHarness: CreateHarness = ({ tools, options, turns }, observers) => {
  const calls = turns.flatMap((turn) => turn.calls);
  const ran = new Map<string, unknown>();
  const run = (args: unknown, id: string): string => {
    ran.set(id, args);
    const call = calls.find((one) => one.id === id);
    if (call?.fails) throw new Error(outputOf(call));
    return outputOf(call ?? {});
  };
  const agent: Omit<MiniAgent, "model"> = {
    thread: "thread-7",
    tools: tools.map(({ name, inputSchema }) => ({ name, schema: inputSchema, run })),
    aroundTool: withContract({ ...options, ...observers }),
  };
  let messages: readonly MiniMessage[] = [];
  return {
    async runTurn({ user, finishReason, calls: made }) {
      if (user || messages.length === 0) messages = [...messages, { role: "user", text: "Go on." }];
      const reply = {
        role: "model" as const,
        text: "",
        calls: made.map(({ id, tool, arguments: text }) => ({ id, tool, text })),
        ...(finishReason !== undefined && { stopped: finishReason }),
      };
      const replies = [reply, { role: "model" as const, text: "Done.", calls: [] }];
      const model: MiniAgent["model"] = () => replies.shift() ?? { ...reply, calls: [] };
      messages = await runAgent({ ...agent, model }, messages);
      return made.map(({ id }) => {
        const answer = messages.findLast((one) => one.role === "tool" && one.callId === id);
        if (answer?.role !== "tool") throw new Error(`No answer to ${id}`);
        const { text: content, failed: isError } = answer;
        const outcome = parseRejection(content)?.status ?? "executed";
        return { id, outcome, content, isError, ran: ran.has(id), input: ran.get(id) };
      });
    },
  };
};
