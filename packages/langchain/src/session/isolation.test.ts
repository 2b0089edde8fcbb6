import { isWhole } from "@toolcontract/case-table/whole";
import type { AgentMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import { ask, resultsOf, runSession, textAt } from "../testing/run-session.ts";
import { report, sessionModel } from "../testing/session-model.ts";
import { spied } from "../testing/tools.ts";

const call = (id: string, name: string, args: object = {}) => ({
  id,
  name,
  args: JSON.stringify(args),
});
const tick = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each(LABS)("runs on langchain $version", (lab) => {
  const { langchain } = lab;

  test("many runs of one agent at once stay apart, and the queue is never over its limit", async () => {
    let running = 0;
    let most = 0;
    const { tool } = spied(lab, "read", { type: "object" }, async (input) => {
      running += 1;
      most = Math.max(most, running);
      await tick();
      running -= 1;
      return `notes of ${(input as { readonly who: string }).who}`;
    });
    // The model repeats the name it was asked for, so a run that read another's messages would show.
    const model = sessionModel(lab, ({ messages }) => {
      const who = textAt(messages, 0);
      return messages.length === 1
        ? { calls: [call("c1", "read", { who }), call("c2", "read", { who })], usage: [10, 1] }
        : { calls: [report(`${who}: ${textAt(messages, -1)}`)], usage: [20, 1] };
    });
    const session = lab.session.agentSession({
      targets: [{ model: model.model }],
      queues: { disk: { concurrent: 3 } },
      queueOf: { read: "disk" },
    });
    const agent = langchain.createAgent({
      model: model.model,
      tools: [tool],
      middleware: [session.middleware],
    });
    const names = Array.from({ length: isWhole ? 40 : 10 }, (_, index) => `user-${index}`);
    const results = await Promise.all(
      names.map(async (name) => session.run(agent, ask(lab, name))),
    );
    expect(results.map(({ finalReport }) => finalReport?.content)).toEqual(
      names.map((name) => `${name}: notes of ${name}`),
    );
    for (const { accounting } of results) {
      expect(accounting.map((entry) => (entry.type === "llm" ? "llm" : entry.command))).toEqual([
        "llm",
        "read",
        "read",
        "llm",
        "agent__final_report",
      ]);
    }
    expect(most).toBe(3);
    expect(running).toBe(0);
  });

  test("a run inside a tool of another run counts by itself, and is traced as its child", async () => {
    const inner = sessionModel(lab, ({ index }) =>
      index === 0 ? { calls: [call("i1", "look")] } : { text: "Found it." },
    );
    const { tool: look } = spied(lab, "look", { type: "object" }, () => "here");
    const shared: Parameters<typeof lab.session.agentSession>[0] = {
      targets: [{ model: inner.model }],
      maxTurns: 2,
      trace: { agentId: "any" },
    };
    const session = lab.session.agentSession(shared);
    const worker = langchain.createAgent({
      model: inner.model,
      tools: [look],
      middleware: [session.middleware],
    });
    const within: unknown[] = [];
    const { tool: delegate } = spied(lab, "delegate", { type: "object" }, async () => {
      const result = await session.run(worker, ask(lab, "Look."));
      within.push(result.accounting);
      return result.finalReport?.content;
    });
    const outer = sessionModel(lab, [
      { calls: [call("c1", "delegate")] },
      { calls: [report("All found.")] },
    ]);
    const around = lab.session.agentSession({
      targets: [{ model: outer.model }],
      maxTurns: 2,
      trace: { agentId: "boss" },
    });
    const agent = langchain.createAgent({
      model: outer.model,
      tools: [delegate],
      middleware: [around.middleware],
    });
    const result = await around.run(agent, ask(lab));
    expect(result).toMatchObject({ success: true, finalReport: { content: "All found." } });
    expect(resultsOf(result.conversation)).toEqual(["Found it.", "ok"]);
    expect(result.accounting).toHaveLength(4);
    const { txnId } = result.accounting[0] ?? {};
    expect(within).toMatchObject([[{ parentTxnId: txnId }, { parentTxnId: txnId }, {}]]);
  });

  test("the same session may run its agent inside its own tools", async () => {
    let depth = 0;
    const model = sessionModel(lab, ({ messages }) =>
      messages.length === 1 && depth < 3
        ? { calls: [call("c1", "deeper")] }
        : { text: `${textAt(messages, -1)}.` },
    );
    const session = lab.session.agentSession({
      targets: [{ model: model.model }],
      maxTurns: 3,
      queues: { default: { concurrent: 1 } },
    });
    const { tool } = spied(lab, "deeper", { type: "object" }, async () => {
      depth += 1;
      const result = await session.run(agent, ask(lab, `level ${depth}`));
      return result.finalReport?.content;
    });
    const agent = langchain.createAgent({
      model: model.model,
      tools: [tool],
      middleware: [session.middleware],
    });
    const result = await session.run(agent, ask(lab));
    expect(result).toMatchObject({ success: true, finalReport: { content: "level 3...." } });
  });

  test("the middleware throws outside of a run, also inside a tool of one", async () => {
    const advice =
      /agentSession: the middleware ran outside of a run.*session\.run\(agent, input\)/;
    const failures: unknown[] = [];
    const { tool } = spied(lab, "delegate", { type: "object" }, async () => {
      failures.push(await agent.invoke(ask(lab)).catch((error: unknown) => error));
      return "failed";
    });
    const model = sessionModel(lab, [{ calls: [call("c1", "delegate")] }, { text: "Ok." }]);
    const session = lab.session.agentSession({ targets: [{ model: model.model }] });
    const agent = langchain.createAgent({
      model: model.model,
      tools: [tool],
      middleware: [session.middleware],
    });
    await expect(agent.invoke(ask(lab))).rejects.toThrow(advice);
    const result = await session.run(agent, ask(lab));
    expect(result).toMatchObject({ success: true, finalReport: { content: "Ok." } });
    expect(failures).toMatchObject([{ message: expect.stringMatching(advice) as unknown }]);
    expect(model.requests).toHaveLength(2);
  });

  test.skipIf(!lab.isRecent)(
    // Older versions show no `configurable` to hooks, so only the asynchronous context is left to find a run.
    "middleware that calls hooks in the context of another run mixes nothing up",
    async () => {
      // As a rate limiter does: whoever comes second is called by whoever is done first.
      const waiting: (() => void)[] = [];
      let isBusy = false;
      const limiter = {
        name: "limiter",
        wrapModelCall: async (request: unknown, handler: (one: unknown) => Promise<unknown>) =>
          new Promise((resolve, reject) => {
            const start = (): void => {
              isBusy = true;
              handler(request)
                .then(resolve, reject)
                .finally(() => {
                  isBusy = false;
                  waiting.shift()?.();
                });
            };
            if (isBusy) waiting.push(start);
            else start();
          }),
      };
      const model = sessionModel(lab, ({ messages }) => ({
        text: textAt(messages, -1),
      }));
      const session = lab.session.agentSession({ targets: [{ model: model.model }] });
      const agent = langchain.createAgent({
        model: model.model,
        middleware: [
          limiter as unknown as AgentMiddleware<undefined, undefined>,
          session.middleware,
        ],
      });
      const names = Array.from({ length: 8 }, (_, index) => `user-${index}`);
      const results = await Promise.all(
        names.map(async (name) => session.run(agent, ask(lab, name))),
      );
      expect(results.map(({ finalReport }) => finalReport?.content)).toEqual(names);
      expect(results.map(({ accounting }) => accounting.length)).toEqual(names.map(() => 1));
    },
  );

  test("a run may go through a graph with the agent in a node", async () => {
    const { langgraph } = lab;
    const model = sessionModel(lab, ({ index }) => ({ calls: [call(`c${index}`, "read")] }));
    let notes = 0;
    // The same result again and again would end the run before its last turn.
    const { tool } = spied(lab, "read", { type: "object" }, () => `note ${++notes}`);
    const session = lab.session.agentSession({ targets: [{ model: model.model }], maxTurns: 15 });
    const agent = langchain.createAgent({
      model: model.model,
      tools: [tool],
      middleware: [session.middleware],
    });
    const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("agent", async (state) => agent.invoke(state as never) as never)
      .addEdge(langgraph.START, "agent")
      .compile();
    const result = await session.run(graph, ask(lab));
    expect(model.requests).toHaveLength(15);
    expect(result).toMatchObject({
      success: false,
      finalReport: { metadata: { reason: "max_turns_exhausted" } },
    });
  });

  test("an agent without the middleware is refused, and so is what is not an agent", async () => {
    const { session, model } = await runSession(lab, { replies: [{ text: "Ok." }] });
    const bare = langchain.createAgent({ model: model.model, tools: [] });
    await expect(session.run(bare, ask(lab))).rejects.toThrow(
      "agentSession: the agent does not have the middleware of this session, so it has no limits. Pass it: createAgent({ middleware: [session.middleware] }).",
    );
    await expect(session.run({} as typeof bare, ask(lab))).rejects.toThrow(
      "agentSession: pass what createAgent or graph.compile() returned",
    );
  });
});
