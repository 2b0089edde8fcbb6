import { tool } from "@langchain/core/tools";
import { createSwarm } from "@langchain/langgraph-swarm";
import { createGuardrails } from "@toolcontract/guardrails";
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from "deepagents";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type ToolContractMiddlewareOptions,
  toolContractMiddleware,
  wrapAgent,
  wrapAgents,
} from "./index.ts";
import { loadLab } from "./testing/langchain.ts";
import type { Turn } from "./testing/scripted-model.ts";

const lab = await loadLab("newest");
const go = { messages: [{ role: "user", content: "go" }] } as never;
const context = { user: "u" };

const task = (id: string, agent: string): Turn => ({
  calls: [
    { id, name: "task", args: JSON.stringify({ description: `task ${id}`, subagent_type: agent }) },
  ],
});
const refund = (id: string, euros: unknown): Turn => ({
  calls: [{ id, name: "refund", args: JSON.stringify({ euros }) }],
});

/** A shop whose refunds share a limit of 100, and what was logged. */
function shop() {
  const ran: number[] = [];
  const log: { readonly fields: object; readonly message: string }[] = [];
  const refunds = tool(async ({ euros }) => (ran.push(euros), "done"), {
    name: "refund",
    description: "Refunds.",
    schema: z.object({ euros: z.number() }),
  });
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { refund: "irreversible" },
    limits: { desk: { max: 100, scope: "user" } },
    spends: { refund: ({ args }) => ({ desk: (args as { euros: number }).euros }) },
  });
  const logger = (fields: object, message: string) => void log.push({ fields, message });
  const options: ToolContractMiddlewareOptions = { guardrails, context, logger };
  return { ran, log, refunds, options };
}

const about = (log: readonly { readonly message: string }[]) =>
  log.filter(({ message }) => message.startsWith("Sub-agents"));

const desk = { name: "desk", description: "Refunds.", systemPrompt: "You refund." } as const;

describe("wrapAgent", () => {
  test.each(["general-purpose", "desk"])(
    "puts the sub-agent %s of deepagents under the contract and its limits",
    async (name) => {
      const { ran, log, refunds, options } = shop();
      const sub = lab.script([refund("1", "60"), refund("2", 60), refund("3", 60)]);
      const main = lab.script([task("t", name)]);
      const settings = wrapAgent(
        {
          model: main.model,
          tools: name === "desk" ? [] : [refunds],
          subagents: [
            { ...GENERAL_PURPOSE_SUBAGENT, model: sub.model },
            { ...desk, model: sub.model, tools: [refunds] },
          ],
        },
        options,
      );
      await createDeepAgent(settings).invoke(go);
      expect(ran).toEqual([60]);
      const [, ...asked] = sub.requests.map((request) => JSON.stringify(request));
      expect(asked[0]).toContain("VAL-002");
      expect(asked[2]).toContain("GRD-008");
      expect(about(log)).toEqual([]);
    },
  );

  test("asks the models of a team what they are asked without the contract", async () => {
    const { refunds, options } = shop();
    const run = async (isWrapped: boolean) => {
      const sub = lab.script([refund("1", 60), { text: "done" }]);
      const main = lab.script([task("t", "general-purpose"), refund("2", 40), { text: "end" }]);
      const own = {
        model: main.model,
        tools: [refunds],
        subagents: [
          { ...GENERAL_PURPOSE_SUBAGENT, model: sub.model },
          { ...desk, model: sub.model, tools: [refunds] },
        ],
      };
      await createDeepAgent(isWrapped ? wrapAgent(own, options) : own).invoke(go);
      return [main, sub].map(({ requests, shown }) => ({
        shown,
        said: requests.map((request) => request.map((one) => [one.type, one.text])),
      }));
    };
    const bare = await run(false);
    expect(await run(true)).toEqual(bare);
    expect(bare.map(({ shown }) => shown.length)).toEqual([3, 2]);
  });

  test("gives the general-purpose agent the skills that deepagents would give it", () => {
    const { subagents } = wrapAgent({
      skills: ["/skills/"],
      subagents: [GENERAL_PURPOSE_SUBAGENT, desk],
    });
    expect(subagents).toMatchObject([{ skills: ["/skills/"] }, desk]);
    expect(subagents[1]).not.toHaveProperty("skills");
  });

  test("leaves agents that are made or elsewhere as they are", () => {
    const others = [
      { name: "made", description: "Made.", runnable: {} },
      { name: "far", description: "Far.", graphId: "far" },
    ];
    const { subagents } = wrapAgent({ subagents: [GENERAL_PURPOSE_SUBAGENT, ...others] });
    expect(subagents.slice(1)).toEqual(others);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      "no general-purpose agent",
      () => wrapAgent({ subagents: [desk] }),
      /GENERAL_PURPOSE_SUBAGENT/,
    ],
    ["an agent", () => wrapAgent({ invoke: () => undefined } as never), /before createAgent/],
    ["createReactAgent", () => wrapAgent({ llm: {} } as never), /wrapTools\(tools, options\)/],
    ["one agent", () => wrapAgents({ tools: [] } as never), /several agents as a list/],
    [
      "an unknown option",
      () => wrapAgent({}, { maxAttempt: 2 } as never),
      /^wrapAgent: .*maxAttempts/,
    ],
  ])("throws for %s", (_name, wrap, message) => {
    expect(wrap).toThrow(message);
  });
});

describe("wrapAgents", () => {
  test("puts the agents of a swarm under one contract", async () => {
    const { ran, refunds, options } = shop();
    const models = [
      lab.script([refund("1", 60), { text: "ann's end" }]),
      lab.script([refund("2", 60), refund("3", 40)]),
    ];
    const wrapped = wrapAgents(
      ["ann", "ben"].map((name, index) => ({
        name,
        model: models[index]?.model as never,
        tools: [refunds],
      })),
      options,
    );
    const agents = wrapped.map((settings) => createAgent(settings).graph);
    for (const defaultActiveAgent of ["ann", "ben"]) {
      await createSwarm({ agents: agents as never[], defaultActiveAgent })
        .compile()
        .invoke(go);
    }
    expect(ran).toEqual([60, 40]);
  });

  test("lets each agent name tools in guardrails that only others have", async () => {
    const { ran, refunds, options } = shop();
    const model = lab.script([{ text: "end" }]);
    const [ann] = wrapAgents(
      [
        { name: "ann", model: model.model, tools: [] },
        { name: "ben", tools: [refunds] },
      ],
      options,
    );
    await createAgent(ann).invoke(go);
    expect(ran).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });
});

describe("sub-agents of deepagents outside of the contract", () => {
  test("are named once, at the first request, with the cure", async () => {
    const { log, refunds, options } = shop();
    const main = lab.script([{ text: "end" }]);
    const agent = createDeepAgent({
      model: main.model,
      tools: [refunds],
      subagents: [desk],
      middleware: [toolContractMiddleware(options)],
    });
    await agent.invoke(go);
    await agent.invoke(go);
    const [one, ...more] = about(log);
    expect(more).toEqual([]);
    expect(one).toEqual({
      fields: {
        level: "warn",
        package: "langchain",
        agents: ["general-purpose", "desk"],
        guarded_tools: ["refund"],
      },
      message:
        "Sub-agents get no middleware from their parent, so 'general-purpose', 'desk' may call the same tools outside of the contract and its guardrails: make the settings with wrapAgent, which reaches all of them",
    });
  });

  test("are not looked for behind another tool named task", async () => {
    const { log, options } = shop();
    const note = tool(async () => "noted", {
      name: "task",
      description: "Notes a task.",
      schema: z.object({ title: z.string() }),
    });
    const model = lab.script([{ text: "end" }]);
    const agent = createAgent({
      model: model.model,
      tools: [note],
      middleware: [toolContractMiddleware({ logger: options.logger as never })],
    });
    await agent.invoke(go);
    expect(about(log)).toEqual([]);
  });
});
