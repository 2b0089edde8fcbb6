import { createHandoffTool, createSwarm } from "@langchain/langgraph-swarm";
import { ChatOpenAI } from "@langchain/openai";
import { createDeepAgent } from "deepagents";
import { createAgent } from "langchain";
import { expect, test } from "vitest";
import { isOtherModel } from "./targets.ts";
import { agentSession } from "./index.ts";
import { loadLab } from "../testing/langchain.ts";

const lab = await loadLab("newest");
const modelOf = (model: string) => new ChatOpenAI({ model, apiKey: "none" });

test("a model is another one if its name is not one of the targets'", () => {
  const targets = [{ model: modelOf("a") }];
  expect(isOtherModel(modelOf("a"), targets)).toBe(false);
  expect(isOtherModel(modelOf("b"), targets)).toBe(true);
  expect(isOtherModel({}, targets)).toBe(false);
});

test("a session around an agent of deepagents says how its sub-agents come under a contract", async () => {
  const script = lab.script([{ text: "The end." }]);
  const log: string[] = [];
  const session = agentSession({
    targets: [{ model: script.model }],
    logger: (_, message) => void log.push(message),
  });
  const agent = createDeepAgent({ model: script.model, middleware: [session.middleware] });
  const input = { messages: [{ role: "user", content: "go" }] };
  await session.run(agent as never, input as never);
  expect(log.filter((message) => message.startsWith("Sub-agents"))).toEqual([
    "Sub-agents get no middleware from their parent, so 'general-purpose' may call the same tools outside of the contract: wrap the settings of the sub-agents with wrapAgents",
  ]);
});

test("a session around a swarm of two models says that one of them is never asked", async () => {
  const script = lab.script([
    { calls: [{ id: "h", name: "transfer_to_ben", args: "{}" }] },
    { text: "Ben's end." },
  ]);
  const named = Object.assign(script.model, { model: "ann" });
  const events: object[] = [];
  const session = agentSession({
    targets: [{ model: named }],
    maxTurns: 6,
    logger: false,
    onEvent: (event) => events.push(event),
  });
  const make = (name: string, other: string) => {
    const model = name === "ann" ? named : modelOf("ben");
    const tools = [createHandoffTool({ agentName: other })];
    return createAgent({ name, model, tools, middleware: [session.middleware] }).graph;
  };
  const agents = [make("ann", "ben"), make("ben", "ann")] as never[];
  const swarm = createSwarm({ agents, defaultActiveAgent: "ann" }).compile();
  await session.run(swarm as never, { messages: [{ role: "user", content: "go" }] } as never);
  expect(events.filter((event) => "what" in event && event.what === "model")).toEqual([
    expect.objectContaining({ type: "not-judged", detail: expect.stringContaining("never asked") }),
  ]);
});
