import { tool } from "@langchain/core/tools";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from "deepagents";
import { createAgent } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { escalationOf, toolContractMiddleware, wrapAgent, wrapTools } from "./index.ts";
import { loadLab } from "./testing/langchain.ts";
import { textOfMessage } from "./messages.ts";

const lab = await loadLab("newest");
const go = { messages: [{ role: "user", content: "go" }] } as never;
const quiet = { logger: false } as const;

const refunds = tool(async () => "done", {
  name: "refund",
  description: "Refunds.",
  schema: z.object({ euros: z.number() }),
});
const wrong = lab.script(async (index) => ({
  calls: [{ id: `r${index}`, name: "refund", args: `{"euros":"${index}"}` }],
}));
const call = (name: string, args: object) => ({
  calls: [{ id: "t", name, args: JSON.stringify(args) }],
});

const asTool = () => {
  const inner = createAgent({
    model: wrong.model,
    tools: [refunds],
    middleware: [toolContractMiddleware(quiet)],
  });
  return tool(async () => (await inner.invoke(go)).messages.at(-1)?.text, {
    name: "desk",
    description: "Asks the desk.",
    schema: z.object({}),
  });
};

const FAILED =
  /^Tool '(?:task|desk)' failed: its agent gave up\.\n\nIts tool 'refund': validation failed after 3 attempts\.\n\nAttempt 1: /;

const teams = {
  "deepagents' task": () => {
    const main = lab.script([
      call("task", { description: "Refund.", subagent_type: "general-purpose" }),
    ]);
    const agent = createDeepAgent(
      wrapAgent(
        {
          model: main.model,
          tools: [refunds],
          subagents: [{ ...GENERAL_PURPOSE_SUBAGENT, model: wrong.model }],
        },
        quiet,
      ),
    );
    return { main, invoke: async () => agent.invoke(go) };
  },
  "an agent as a tool": () => {
    const main = lab.script([call("desk", {})]);
    const agent = createAgent({
      model: main.model,
      tools: [asTool()],
      middleware: [toolContractMiddleware(quiet)],
    });
    return { main, invoke: async () => agent.invoke(go) };
  },
};

test.each(Object.entries(teams))(
  "an agent that gives up is a failure of %s, in words for a model",
  async (_name, make) => {
    const { main, invoke } = make();
    const state = await invoke();
    const answer = state.messages.find((one) => lab.messages.ToolMessage.isInstance(one));
    expect(answer).toMatchObject({ status: "error" });
    expect(textOfMessage(answer as never)).toMatch(FAILED);
    expect(textOfMessage(answer as never)).not.toContain("intervene");
    expect(main.requests).toHaveLength(2);
    expect(escalationOf(state)).toBeUndefined();
  },
);

test("an agent that gives up is a failure of a wrapped tool", async () => {
  const [desk] = wrapTools([asTool()], quiet);
  const message = new lab.messages.AIMessage({
    content: "",
    tool_calls: [{ id: "t", name: "desk", args: {}, type: "tool_call" }],
  });
  const { messages } = (await new ToolNode([desk as never]).invoke({ messages: [message] })) as {
    readonly messages: readonly { readonly status?: string; readonly text: string }[];
  };
  expect(messages[0]?.status).toBe("error");
  expect(messages[0]?.text).toMatch(FAILED);
});

test("the log names the agent that made a call", async () => {
  const log: object[] = [];
  const main = lab.script([
    { calls: [{ id: "1", name: "refund", args: '{"euros":"1"}' }] },
    call("task", { description: "Refund.", subagent_type: "general-purpose" }),
  ]);
  const sub = lab.script([{ calls: [{ id: "1", name: "refund", args: '{"euros":"1"}' }] }]);
  const settings = wrapAgent(
    {
      name: "lead",
      model: main.model,
      tools: [refunds],
      subagents: [{ ...GENERAL_PURPOSE_SUBAGENT, model: sub.model }],
    },
    { logger: (fields) => void log.push(fields) },
  );
  await createDeepAgent(settings).invoke(go, { configurable: { thread_id: "T" } });
  const line = { tool_name: "refund", correlation_id: "T", retry_attempt: 1 };
  expect(log).toMatchObject([
    { ...line, agent_name: "lead" },
    { ...line, agent_name: "general-purpose" },
  ]);
});
