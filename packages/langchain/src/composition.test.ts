import type { AgentMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/both-ends.ts";
import { attemptsOf, codeOf } from "./testing/read-messages.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { BAD_ORDER, GOOD_ORDER, spied } from "./testing/tools.ts";

const call = (args: string, id: string, name = "create_order") => ({ id, name, args });
const order = (args: string, id: string) => ({ calls: [call(args, id)] });

describe.each(LABS)("beside the other middleware of langchain $version", (lab) => {
  const { langchain, langgraph, messages } = lab;
  const { line, isRecent } = lab;

  test.skipIf(!isRecent)(
    "humanInTheLoopMiddleware with validCallsOnly asks nobody to approve an invalid call",
    async () => {
      const { tool, runs } = spied(lab);
      const reviewed = langchain.humanInTheLoopMiddleware({
        interruptOn: {
          create_order: {
            allowedDecisions: ["approve", "edit"],
            when: lab.adapter.validCallsOnly([tool]),
          },
        },
      } as never) as unknown as AgentMiddleware<undefined, undefined>;
      const script = lab.script([order(BAD_ORDER, "a"), order("{", "b"), order(GOOD_ORDER, "c")]);
      const agent = langchain.createAgent({
        model: script.model,
        tools: [tool],
        middleware: [contractOf(lab), reviewed],
        checkpointer: new langgraph.MemorySaver(),
      });
      const config = { configurable: { thread_id: "1" } };
      const first = await agent.invoke({ messages: [new messages.HumanMessage("Go.")] }, config);
      expect(attemptsOf(toRan(lab, first, script).results)).toEqual(["1/3", "2/3"]);
      expect(script.requests).toHaveLength(3);
      expect(runs).toEqual([]);
      const resume = { decisions: [{ type: "approve" }] };
      await agent.invoke(new langgraph.Command({ resume }), config);
      expect(runs).toEqual([JSON.parse(GOOD_ORDER)]);
    },
  );

  test("validCallsOnly leaves calls of tools that it does not know to the person", async () => {
    const request = {
      toolCall: { id: "a", name: "create_order", args: JSON.parse(GOOD_ORDER) as object },
      state: { messages: [new messages.HumanMessage("Go.")] },
    };
    expect(await lab.adapter.validCallsOnly([])(request)).toBe(true);
  });

  test.skipIf(!isRecent)(
    "a repaired call that a person edits runs with the person's arguments",
    async () => {
      const { tool, runs } = spied(lab, "send", z.object({ to: z.string() }));
      const options = { interruptOn: { send: { allowedDecisions: ["edit"] } } };
      const reviewed = langchain.humanInTheLoopMiddleware(
        options as never,
      ) as unknown as AgentMiddleware<undefined, undefined>;
      const script = lab.script([{ calls: [call("{'to': 'bob'}", "a", "send")] }]);
      const agent = langchain.createAgent({
        model: script.model,
        tools: [tool],
        middleware: [contractOf(lab), reviewed],
        checkpointer: new langgraph.MemorySaver(),
      });
      const config = { configurable: { thread_id: "1" } };
      const asked = await agent.invoke({ messages: [new messages.HumanMessage("Go.")] }, config);
      expect(JSON.stringify(asked)).toContain('"to":"bob"');
      const editedAction = { name: "send", args: { to: "eve" } };
      const resume = { decisions: [{ type: "edit", editedAction }] };
      await agent.invoke(new langgraph.Command({ resume }), config);
      expect(runs).toEqual([{ to: "eve" }]);
    },
  );

  test("piiMiddleware drops artifact and status: attempts are read from the text", async () => {
    const { tool } = spied(lab);
    const turns = ["a", "b", "c", "d"].map((id) => order(BAD_ORDER, id));
    const { results, script, last } = await runAgent(lab, {
      turns,
      tools: [tool],
      agent: {
        middleware: [
          contractOf(lab),
          langchain.piiMiddleware("order", {
            detector: /alice/g,
            strategy: "redact",
            applyToToolResults: true,
          } as never),
        ],
      },
    });
    expect(script.requests).toHaveLength(3);
    // Messages are rewritten once they have been seen.
    expect(results.map(({ artifact }) => artifact !== undefined)).toEqual([false, false, false]);
    expect(last).toMatch(/^Tool 'create_order' validation failed after 3 attempts\.\n/);
  });

  for (const first of ["contract", "retry"] as const) {
    test.skipIf(line === "oldest")(
      `toolRetryMiddleware never retries an invalid call (${first} first)`,
      async () => {
        let failures = 0;
        const { tool, runs } = spied(lab, "create_order", undefined, () => {
          failures += 1;
          if (failures === 1) throw new Error("busy");
          return "done";
        });
        const retry = langchain.toolRetryMiddleware({
          maxRetries: 2,
          initialDelayMs: 1,
          jitter: false,
        });
        const pair = [contractOf(lab), retry];
        const { results } = await runAgent(lab, {
          turns: [order(BAD_ORDER, "a"), order(GOOD_ORDER, "b")],
          tools: [tool],
          agent: { middleware: first === "contract" ? pair : pair.toReversed() },
        });
        expect(attemptsOf(results)[0]).toBe("1/3");
        expect(runs.length).toBe(first === "contract" ? 2 : 1);
      },
    );
  }

  test.skipIf(line === "oldest").each(["first", "last"])(
    "contextEditingMiddleware clears the state as it does alone, the contract %s",
    async (place) => {
      const { tool } = spied(lab);
      const editing = langchain.contextEditingMiddleware({
        edits: [
          new langchain.ClearToolUsesEdit({ trigger: { messages: 2 }, keep: { messages: 1 } }),
        ],
      }) as unknown as AgentMiddleware<undefined, undefined>;
      const pair = place === "first" ? [contractOf(lab), editing] : [editing, contractOf(lab)];
      const cleared = async (middleware: readonly AgentMiddleware<undefined, undefined>[]) => {
        const turns = ["a", "b", "c", "d"].map((id) => order(GOOD_ORDER, id));
        const { results } = await runAgent(lab, { turns, tools: [tool], agent: { middleware } });
        return results.map(({ content }) => content);
      };
      const alone = await cleared([editing]);
      expect(alone).toContain("[cleared]");
      expect(await cleared(pair)).toEqual(alone);
    },
  );

  test.skipIf(line === "oldest")(
    "what toolRetryMiddleware lets through ends the run, with toolErrors: throw",
    async () => {
      const { tool } = spied(lab, "create_order", undefined, () => {
        throw new Error("quota exceeded");
      });
      const retry = langchain.toolRetryMiddleware({ maxRetries: 0, onFailure: "error" });
      const run = {
        turns: [order(GOOD_ORDER, "a")],
        tools: [tool],
        agent: { middleware: [contractOf(lab, { toolErrors: "throw" }), retry] },
      };
      await expect(runAgent(lab, run)).rejects.toThrow("quota exceeded");
    },
  );

  test.skipIf(line === "oldest")("toolStrategy still gives the structured response", async () => {
    const { tool } = spied(lab);
    const responseFormat = langchain.toolStrategy(z.object({ total: z.number() }));
    const [{ name }] = responseFormat as unknown as [{ readonly name: string }];
    const { state, results } = await runAgent(lab, {
      turns: [order(BAD_ORDER, "a"), { calls: [call('{"total": 3}', "b", name)] }],
      tools: [tool],
      agent: { middleware: [contractOf(lab)], responseFormat },
    });
    expect(state["structuredResponse"]).toEqual({ total: 3 });
    expect(attemptsOf(results)[0]).toBe("1/3");
  });

  test.skipIf(line === "oldest")(
    "malformed structured output is answered with what is wrong with it",
    async () => {
      const { tool } = spied(lab);
      const responseFormat = langchain.toolStrategy(z.object({ total: z.number() }));
      const [{ name }] = responseFormat as unknown as [{ readonly name: string }];
      const { state, script } = await runAgent(lab, {
        turns: [
          { calls: [call('{"total": 3', "a", name)] },
          { calls: [call("{total: 3}", "b", name)] },
          { calls: [call('{"total": 3}', "c", name)] },
        ],
        tools: [tool],
        agent: { middleware: [contractOf(lab)], responseFormat },
      });
      const answers = script.requests.map((request) => {
        const last = request.at(-1);
        return [attemptsOf([last])[0], codeOf(last)];
      });
      expect(answers).toEqual([
        [undefined, undefined],
        ["1/3", "VAL-011"],
        ["2/3", "VAL-004"],
      ]);
      expect(state["structuredResponse"]).toEqual({ total: 3 });
    },
  );

  test.skipIf(line === "oldest")(
    "malformed structured output is asked for three times",
    async () => {
      const { tool } = spied(lab);
      const responseFormat = langchain.toolStrategy(z.object({ total: z.number() }));
      const [{ name }] = responseFormat as unknown as [{ readonly name: string }];
      const { last, script } = await runAgent(lab, {
        turns: ["a", "b", "c", "d"].map((id) => ({ calls: [call('{"total": 3', id, name)] })),
        tools: [tool],
        agent: { middleware: [contractOf(lab)], responseFormat },
      });
      expect(script.requests).toHaveLength(3);
      expect(last).toContain("validation failed after 3 attempts");
    },
  );

  test("malformed structured output beside a tool call is removed, so that no call stays unanswered", async () => {
    const { tool, runs } = spied(lab);
    const both = [call('{"total": 3', "a", "extract-1"), call(GOOD_ORDER, "b")];
    const { messages: left } = await runAgent(lab, { turns: [{ calls: both }], tools: [tool] });
    expect(runs).toHaveLength(1);
    expect(left[1]).toMatchObject({ tool_calls: [{ id: "b" }], invalid_tool_calls: [] });
    expect(JSON.stringify(left[1])).not.toContain("extract-1");
  });

  test("a returnDirect tool is called again after an invalid call", async () => {
    const { tool, runs } = spied(lab);
    tool.returnDirect = true;
    const { script } = await runAgent(lab, {
      turns: [order(BAD_ORDER, "a"), order(GOOD_ORDER, "b")],
      tools: [tool],
    });
    expect(runs).toHaveLength(1);
    expect(script.requests).toHaveLength(2);
  });

  test("summarizationMiddleware deletes history: the count starts again and nothing breaks", async () => {
    const { tool } = spied(lab);
    const { model } = lab.script([{ text: "They ordered." }, { text: "Again." }]);
    const turns = ["a", "b", "c", "d", "e"].map((id) => order(BAD_ORDER, id));
    const trigger = { trigger: { messages: 4 }, keep: { messages: 1 } };
    const middleware = langchain.summarizationMiddleware({ model, ...trigger } as never);
    const { results, last } = await runAgent(lab, {
      turns,
      tools: [tool],
      agent: { middleware: [contractOf(lab), middleware] },
      config: { recursionLimit: 100 },
    });
    expect(results.length).toBeGreaterThan(0);
    expect(last).toMatch(/^Done|^Tool 'create_order' validation failed/);
  });

  test("other middleware that supplies a tool runs it", async () => {
    const { tool } = spied(lab);
    const supplied = spied(lab, "supplied", { type: "object" });
    const supplying = {
      name: "supplying",
      wrapToolCall: async (
        request: { readonly toolCall: { readonly name: string } },
        next: (one: object) => Promise<unknown>,
      ) =>
        next(request.toolCall.name === "supplied" ? { ...request, tool: supplied.tool } : request),
    };
    const run = {
      turns: [{ calls: [call("{}", "a", "supplied")] }],
      tools: [tool],
      agent: { middleware: [contractOf(lab), supplying] },
    };
    if (!isRecent) return;
    expect((await runAgent(lab, run)).results[0]?.content).toBe("done");
  });

  test("errors of other middleware are rethrown unchanged", async () => {
    const { tool } = spied(lab);
    const broken = {
      name: "broken",
      wrapToolCall: () => {
        throw new Error("broken middleware");
      },
    };
    const run = {
      turns: [order(GOOD_ORDER, "a")],
      tools: [tool],
      agent: { middleware: [contractOf(lab), broken] },
    };
    // Older versions do not distinguish them from a tool's errors.
    if (!isRecent) {
      expect((await runAgent(lab, run)).results[0]?.content).toContain("broken middleware");
      return;
    }
    await expect(runAgent(lab, run)).rejects.toThrow("broken middleware");
  });
});
