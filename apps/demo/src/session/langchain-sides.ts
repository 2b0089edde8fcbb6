import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import type { Contract } from "@toolcontract/core";
import { agentSession } from "@toolcontract/langchain/session";
import { createAgent } from "langchain";
import { callId, ScriptedChatModel } from "../langchain/scripted-chat-model.ts";
import { type SessionScenario, type Sides, withoutReport } from "./session-scenario.ts";
import { type BareRun, type LimitedRun } from "./session-runs.ts";

/** LangChain's own loop. */
export const langchainSides: Sides = { limited: runLimited, bare: runBare, idOf: callId };

async function runLimited(scenario: SessionScenario, contract: Contract): Promise<LimitedRun> {
  const model = new ScriptedChatModel(scenario.script);
  const session = agentSession({ ...scenario.limits, targets: [{ model }], contract });
  const middleware = [session.middleware];
  const agent = createAgent({ model, tools: toolsOf(scenario), middleware });
  const result = await session.run(agent, question());
  const { turns, offered } = model;
  return { turns, answers: textsIn(result.conversation), result, offered };
}

/** The same script in `createAgent` alone, with a limit of steps for as many turns: each has one for its tools too. */
async function runBare(scenario: SessionScenario): Promise<BareRun> {
  const model = new ScriptedChatModel(withoutReport(scenario));
  const { turns } = model;
  const agent = createAgent({ model, tools: toolsOf(scenario) });
  let messages: readonly BaseMessage[] = [];
  try {
    const recursionLimit = 2 * (scenario.limits.maxTurns ?? 20);
    const states = await agent.stream(question(), { recursionLimit, streamMode: "values" });
    for await (const state of states) ({ messages } = state);
    return { turns, answers: textsIn(messages), text: messages.at(-1)?.text ?? "" };
  } catch (error) {
    return { turns, answers: textsIn(messages), text: "", thrown: (error as Error).name };
  }
}

function question(): { messages: BaseMessage[] } {
  return { messages: [new HumanMessage("Please.")] };
}

function toolsOf({ tools }: SessionScenario): StructuredToolInterface[] {
  const schema = { type: "object" } as const;
  return tools.map(({ name, description, run }) =>
    tool(async () => run(), { name, description, schema }),
  );
}

function textsIn(messages: readonly BaseMessage[]): ReadonlyMap<string, string> {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  return new Map(results.map(({ tool_call_id: id, text }) => [id, text]));
}
