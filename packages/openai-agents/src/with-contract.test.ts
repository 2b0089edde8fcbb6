import type { Agent, AgentInputItem, MCPServer } from "@openai/agents";
import { EscalationError } from "@toolcontract/core";
import {
  FITS_NO_VARIANT,
  FITS_VARIANT,
  REFUSED_SCHEMA,
  topOf,
  WRITTEN,
} from "@toolcontract/case-table/refused-schema";
import { isWhole } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";
import { loadSdk, type Sdk } from "./testing/sdk.ts";
import { attemptOf, bad, good, GOOD, quiet, WEATHER, weatherWith } from "./testing/weather.ts";

const SDKS: readonly Sdk[] = [await loadSdk("0.20"), ...(isWhole ? [await loadSdk("0.11")] : [])];

describe.each(SDKS)("an agent of OpenAI Agents $version", (sdk) => {
  const { agents, adapter } = sdk;
  const { withContract } = adapter;
  const { weather, agentOf } = weatherWith(sdk);

  describe.each([false, true])("streamed: %s", (stream) => {
    test("a message of four calls: each is answered by the contract, and the good one runs", async () => {
      const { tool, runs } = weather();
      const model = scriptedModel([
        bad("a"),
        good("b"),
        { id: "c", name: "get_weather", args: '{"city": "Os' },
        { id: "d", name: "get_wether", args: GOOD },
      ]);
      const { agent, runner } = withContract(agentOf(model, tool), quiet);
      const result = stream
        ? await runner.run(agent, "Go.", { stream: true })
        : await runner.run(agent, "Go.");
      if ("completed" in result) await result.completed;
      const { a, b, c, d } = answersIn(model);
      expect(a).toContain("/city (VAL-002)");
      expect(b).toBe("Sunny in Oslo");
      expect(c).toContain("VAL-011");
      expect(d).toContain('use "get_weather"');
      expect(runs).toEqual([{ city: "Oslo" }]);
      expect(result.finalOutput).toBe("Done.");
    });
  });

  describe.each([false, true])("a model that never learns, streamed: %s", (stream) => {
    test.each([
      ["invalid calls", { ...bad("") }, undefined],
      ["calls that are cut off", { ...bad(""), args: '{"city":"Os' }, "length"],
      ["calls of an unknown tool", { ...bad(""), name: "get_wether", args: GOOD }, undefined],
    ] as const)("ends in words after %s", async (_, made, finishReason) => {
      for (const isTheOnlyTool of [false, true]) {
        const { tool, runs } = weather();
        const other = agents.tool({
          name: "other",
          description: "o",
          parameters: z.object({}),
          execute: () => "o",
        });
        const model = scriptedModel(
          ...Array.from({ length: 25 }, (__, at) => [{ ...made, id: `c${at}` }]),
        );
        model.finishReason = finishReason;
        const given = agentOf(model, tool);
        if (!isTheOnlyTool) given.tools = [...given.tools, other];
        const { agent, runner } = withContract(given, quiet);
        const result = stream
          ? await runner.run(agent, "Go.", { stream: true, maxTurns: 25 })
          : await runner.run(agent, "Go.", { maxTurns: 25 });
        if ("completed" in result) await result.completed;
        expect(result.finalOutput).toMatch(/get_we/);
        expect(runs).toEqual([]);
        const offered = model.requests.map(({ tools }) =>
          tools.map((one) => "name" in one && one.name).join(),
        );
        expect(offered.length).toBeLessThanOrEqual(5);
        const left = isTheOnlyTool ? "get_weather" : "other";
        expect(offered.slice(3)).toEqual(offered.slice(3).map(() => left));
        const choices = model.requests.map(({ modelSettings }) => modelSettings.toolChoice);
        expect(choices.at(-1)).toBe("none");
        expect(choices.slice(0, -1)).not.toContain("none");
      }
    });
  });

  test.each([
    [undefined, topOf(REFUSED_SCHEMA)],
    ["gemini", WRITTEN],
  ] as const)("with provider %s the model is shown a schema with %j", async (provider, top) => {
    const { tool, runs } = weather({ parameters: REFUSED_SCHEMA });
    const [no, yes] = [bad("a"), good("b")];
    const model = scriptedModel([
      { ...no, args: FITS_NO_VARIANT },
      { ...yes, args: FITS_VARIANT },
    ]);
    const options = { ...quiet, ...(provider && { provider }) };
    const { agent, runner } = withContract(agentOf(model, tool), options);
    await runner.run(agent, "Go.");
    const [shown] = model.requests[0]!.tools as readonly { readonly parameters?: object }[];
    expect(topOf(shown?.parameters)).toEqual(top);
    expect(attemptOf(answersIn(model)["a"])).toBe("1/3");
    expect(runs).toEqual([{ city: "Oslo" }]);
  });

  test("single quotes are read, and the history has JSON", async () => {
    const { tool, runs } = weather();
    const call = { id: "a", name: "get_weather", args: "{'city':'Oslo'}" };
    const model = scriptedModel([call], [{ ...call, id: "b", args: "no JSON at all" }]);
    const { agent, runner } = withContract(agentOf(model, tool), quiet);
    const { history } = await runner.run(agent, "Go.");
    expect(runs).toEqual([{ city: "Oslo" }]);
    const sent = history.flatMap((item) => (item.type === "function_call" ? item.arguments : []));
    expect(sent).toEqual([GOOD, "{}"]);
  });

  const empty = { id: "z", name: "get_weather", args: "{}" } as const;
  const cut = { ...empty, status: "incomplete" } as const;
  test.each([
    ["that is whole", [empty], "VAL-001"],
    ["that is cut", [cut], "VAL-011"],
    ["that is cut, behind a whole one", [good("a"), cut], "VAL-011"],
    ["behind one that is cut", [{ ...cut, id: "a" }, empty], "VAL-001"],
  ])("empty arguments of a call %s", async (_, calls, code) => {
    const model = scriptedModel(calls);
    const { agent, runner } = withContract(agentOf(model, weather().tool), quiet);
    await runner.run(agent, "Go.");
    expect(answersIn(model)["z"]).toContain(code);
  });

  test("attempts are counted over messages, and begin anew with the user's next", async () => {
    const { tool } = weather();
    const model = scriptedModel([bad("a")], [bad("b")], "Sorry.", [bad("c")]);
    const { agent, runner } = withContract(agentOf(model, tool), quiet);
    const session = new agents.MemorySession();
    await runner.run(agent, "Go.", { session });
    const first = answersIn(model);
    await runner.run(agent, "Again.", { session });
    const { c } = answersIn(model);
    expect([first["a"], first["b"], c].map(attemptOf)).toEqual(["1/3", "2/3", "1/3"]);
  });

  test("another process counts on from the texts", async () => {
    const first = scriptedModel([bad("a")]);
    const one = withContract(agentOf(first, weather().tool), quiet);
    const { history } = await one.runner.run(one.agent, "Go.");
    const second = scriptedModel([bad("b")]);
    const other = withContract(agentOf(second, weather().tool), quiet);
    await other.runner.run(other.agent, history.slice(0, -1));
    expect(attemptOf(answersIn(second)["b"])).toBe("2/3");
  });

  test("a conversation that the server keeps counts on without a history", async () => {
    const { tool } = weather();
    const model = scriptedModel([bad("a")], [bad("b")], [bad("c")]);
    const { agent, runner } = withContract(agentOf(model, tool), quiet);
    const answers: (string | undefined)[] = [];
    await runner.run(agent, "Go.", { previousResponseId: "earlier" });
    for (const { input } of model.requests.slice(1)) {
      const items: readonly AgentInputItem[] = typeof input === "string" ? [] : input;
      expect(items).toHaveLength(1);
      answers.push(
        ...items.map((item) => attemptOf((item as { output: { text: string } }).output.text)),
      );
    }
    expect(answers).toEqual(["1/3", "2/3", "3/3"]);
  });

  describe("a rule that JSON Schema does not show", () => {
    const trip = z
      .object({ from: z.string(), to: z.string(), note: z.string().nullable().optional() })
      .refine(({ from, to }) => from < to, { path: ["to"], message: "from must be before to" });
    const options = {
      name: "book",
      description: "Books.",
      parameters: trip,
      execute: async () => "booked",
    };
    const WRONG = '{"from":"b","to":"a","note":null}';
    const made: readonly (readonly [string, () => object, object])[] = [
      ["a tool of this package", () => adapter.tool(options as never), {}],
      ["a schema by name", () => agents.tool(options as never), { schemas: { book: trip } }],
    ];

    test.each(made)("%s: its fault is a rejection that counts", async (_, toolOf, more) => {
      const model = scriptedModel(
        [{ id: "a", name: "book", args: WRONG }],
        [{ id: "b", name: "book", args: WRONG }],
      );
      const { agent, runner } = withContract(agentOf(model, toolOf()), { ...quiet, ...more });
      await runner.run(agent, "Go.");
      const { a, b } = answersIn(model);
      expect(a).toContain("/to (VAL-016): from must be before to");
      expect([a, b].map(attemptOf)).toEqual(["1/3", "2/3"]);
    });

    test.each(made)(
      "%s: what the schema accepts runs, though the strict one would not",
      async (_, toolOf, more) => {
        const model = scriptedModel([{ id: "a", name: "book", args: '{"from":"a","to":"b"}' }]);
        const { agent, runner } = withContract(agentOf(model, toolOf()), { ...quiet, ...more });
        await runner.run(agent, "Go.");
        expect(answersIn(model)["a"]).toBe("booked");
      },
    );

    test("a tool whose schema is unknown and that throws: the refusal counts", async () => {
      const strict = agents.tool({ ...options, errorFunction: null } as never);
      const model = scriptedModel(
        [{ id: "a", name: "book", args: WRONG }],
        [{ id: "b", name: "book", args: WRONG }],
      );
      const { agent, runner } = withContract(agentOf(model, strict), quiet);
      await runner.run(agent, "Go.");
      const { a, b } = answersIn(model);
      expect([a, b].map(attemptOf)).toEqual(["1/3", "2/3"]);
    });
  });

  test("a tool that throws, and whose error the SDK does not answer, ends the run", async () => {
    const failing = agents.tool({
      name: "book",
      description: "Books.",
      parameters: z.object({}),
      errorFunction: null,
      execute: async (): Promise<string> => {
        throw new Error("the office is closed");
      },
    } as never);
    const model = scriptedModel([{ id: "a", name: "book", args: "{}" }]);
    const { agent, runner } = withContract(agentOf(model, failing), quiet);
    await expect(runner.run(agent, "Go.")).rejects.toThrow("the office is closed");
  });

  describe("agents that hand off", () => {
    const HANDOFF = { id: "h", name: "transfer_to_expert", args: "{}" };

    test.each(["an agent", "a handoff"])(
      "%s: the second agent is inside the contract too",
      async (kind) => {
        const { tool, runs } = weather();
        const model = scriptedModel([HANDOFF], [bad("a")]);
        const expert = new agents.Agent({ name: "expert", model, tools: [tool] });
        const target = kind === "an agent" ? expert : agents.handoff(expert);
        const first = new agents.Agent({ name: "first", model, handoffs: [target] });
        const { agent, runner } = withContract(first, quiet);
        const result = await runner.run(agent, "Go.");
        expect(answersIn(model)["a"]).toContain("/city (VAL-002)");
        expect(runs).toEqual([]);
        expect(result.lastAgent?.name).toBe("expert");
      },
    );

    test("agents that hand off to each other end", () => {
      const model = scriptedModel();
      const one = new agents.Agent({ name: "one", model });
      const two = new agents.Agent({ name: "two", model, handoffs: [one] });
      one.handoffs = [two];
      const { agent } = withContract(one, quiet);
      const [back] = (agent.handoffs[0] as Agent).handoffs;
      expect(back).toBe(agent);
    });
  });

  test("a tool is the same object in each turn, also for an agent that is cloned or hands off", async () => {
    const { tool } = weather();
    const model = scriptedModel();
    const expert = new agents.Agent({ name: "expert", model, tools: [tool] });
    const first = new agents.Agent({ name: "first", model, tools: [tool], handoffs: [expert] });
    const { agent } = withContract(first, quiet);
    const clone = agent.clone({ tools: agent.tools });
    const context = new agents.RunContext();
    const all = [agent, agent, agent.handoffs[0] as Agent, clone];
    const offered = await Promise.all(all.map(async (one) => one.getAllTools(context)));
    expect(offered.map((tools) => tools.length)).toEqual([1, 1, 1, 1]);
    expect(new Set(offered.flat()).size).toBe(1);
    expect(offered[0]).not.toEqual([tool]);
  });

  test("a model that is given by name is wrapped by its provider", async () => {
    const { tool, runs } = weather();
    const model = scriptedModel([bad("a")]);
    const named = new agents.Agent({ name: "a", model: "gpt-5", tools: [tool] });
    const names: unknown[] = [];
    const modelProvider = { getModel: (name?: string) => (names.push(name), model) };
    const { agent, runner } = withContract(named, { ...quiet, runConfig: { modelProvider } });
    await runner.run(agent, "Go.");
    expect(names).toContain("gpt-5");
    expect(answersIn(model)["a"]).toContain("/city (VAL-002)");
    expect(runs).toEqual([]);
  });

  test("an agent that is a tool: its own calls are inside the contract, unknown names too", async () => {
    const { tool, runs } = weather();
    const inner = scriptedModel([bad("a"), { id: "b", name: "get_wether", args: GOOD }]);
    const outer = scriptedModel([{ id: "c", name: "ask", args: '{"input":"Weather?"}' }]);
    const expert = withContract(agentOf(inner, tool), quiet).agent;
    const asked = expert.asTool({ toolName: "ask", toolDescription: "Asks." });
    const { agent, runner } = withContract(agentOf(outer, asked), quiet);
    await runner.run(agent, "Go.");
    const { a, b } = answersIn(inner);
    expect(a).toContain("/city (VAL-002)");
    expect(b).toContain('use "get_weather"');
    expect(answersIn(outer)["c"]).toContain("Done.");
    expect(runs).toEqual([]);
  });

  test("an agent outside the contract that shares the provider and the tool is left alone", async () => {
    const { tool, runs } = weather();
    const inner = scriptedModel([bad("a")]);
    const outer = scriptedModel([{ id: "c", name: "ask", args: '{"input":"Weather?"}' }]);
    const free = new agents.Agent({ name: "free", model: "inner", tools: [tool] });
    const asked = free.asTool({ toolName: "ask", toolDescription: "Asks." });
    const modelProvider = { getModel: () => inner };
    const options = { ...quiet, runConfig: { modelProvider } };
    const { agent, runner } = withContract(agentOf(outer, asked, tool), options);
    await runner.run(agent, "Go.");
    expect(runs).toEqual([{ city: 5 }]);
    expect(answersIn(inner)["a"]).toBe("Sunny in 5");
  });

  test("the tools of an MCP server are inside the contract", async () => {
    const called: unknown[] = [];
    const server = {
      name: "server",
      cacheToolsList: false,
      connect: async () => {},
      close: async () => {},
      invalidateToolsCache: async () => {},
      listTools: async () => [{ name: "get_weather", description: "", inputSchema: WEATHER }],
      callTool: async (_: string, args: unknown) => {
        called.push(args);
        return [{ type: "text", text: "Sunny" }];
      },
    } as unknown as MCPServer;
    const model = scriptedModel([bad("a"), good("b")]);
    const own = new agents.Agent({ name: "a", model, mcpServers: [server] });
    const { agent, runner } = withContract(own, quiet);
    await runner.run(agent, "Go.");
    const { a, b } = answersIn(model);
    expect(a).toContain("/city (VAL-002)");
    expect(b).toContain("Sunny");
    expect(called).toEqual([{ city: "Oslo" }]);
  });

  describe("tools that a person must allow", () => {
    const calls = [
      bad("a"),
      good("b"),
      { id: "c", name: "get_weather", args: "[1]" },
      { id: "d", name: "get_weather", args: "no JSON" },
    ];

    test("only the valid call asks, and it runs when it is approved", async () => {
      const { tool, runs } = weather({ needsApproval: true });
      const model = scriptedModel(calls);
      const { agent, runner } = withContract(agentOf(model, tool), quiet);
      const first = await runner.run(agent, "Go.");
      expect(
        first.interruptions.map(({ rawItem }) => (rawItem as { callId: string }).callId),
      ).toEqual(["b"]);
      expect(runs).toEqual([]);
      for (const item of first.interruptions) first.state.approve(item);
      await runner.run(agent, first.state);
      const { a, b, c, d } = answersIn(model);
      expect(b).toBe("Sunny in Oslo");
      expect([a, c, d].map(attemptOf)).toEqual(["1/3", "1/3", "1/3"]);
    });

    test("it runs in another process, from the state as a string", async () => {
      const one = withContract(
        agentOf(scriptedModel(calls), weather({ needsApproval: true }).tool),
        quiet,
      );
      const first = await one.runner.run(one.agent, "Go.");
      const saved = first.state.toString();
      const { tool, runs } = weather({ needsApproval: true });
      const model = scriptedModel();
      const other = withContract(agentOf(model, tool), quiet);
      const state = await agents.RunState.fromString(other.agent, saved);
      for (const item of state.getInterruptions()) state.approve(item);
      await other.runner.run(other.agent, state);
      expect(runs).toEqual([{ city: "Oslo" }]);
      expect(answersIn(model)["b"]).toBe("Sunny in Oslo");
    });

    test("what a person rejects is the SDK's to answer", async () => {
      const { tool } = weather({ needsApproval: true });
      const model = scriptedModel([good("a")]);
      const toolErrorFormatter = () => "A person said no.";
      const options = { ...quiet, runConfig: { toolErrorFormatter } };
      const { agent, runner } = withContract(agentOf(model, tool), options);
      const first = await runner.run(agent, "Go.");
      for (const item of first.interruptions) first.state.reject(item);
      await runner.run(agent, first.state);
      expect(answersIn(model)["a"]).toBe("A person said no.");
    });
  });

  test("ids that are empty or come again are replaced, and each call has its answer", async () => {
    const { tool, runs } = weather();
    const model = scriptedModel([bad(""), good("")], [bad("same"), good("same")], [bad("same")]);
    const { agent, runner } = withContract(agentOf(model, tool), quiet);
    await runner.run(agent, "Go.");
    const answers = Object.values(answersIn(model));
    expect(answers.map((text) => attemptOf(text) ?? text)).toEqual([
      "1/3",
      "Sunny in Oslo",
      "2/3",
      "Sunny in Oslo",
      "3/3",
    ]);
    expect(runs).toHaveLength(2);
  });

  test("a name with a dot does not end the run", async () => {
    const { tool } = weather();
    const model = scriptedModel([good("a", "functions.get_weather")]);
    const { agent, runner } = withContract(agentOf(model, tool), quiet);
    const { history } = await runner.run(agent, "Go.");
    expect(answersIn(model)["a"]).toContain('use "get_weather"');
    const names = history.flatMap((item) => (item.type === "function_call" ? item.name : []));
    expect(names).toEqual(["functions_get_weather"]);
  });

  test("a tool that declares its output may be answered by the contract", async () => {
    const outputSchema = z.object({ sun: z.boolean() });
    const { tool } = weather({ outputSchema, execute: async () => ({ sun: true }) });
    const model = scriptedModel([bad("a")]);
    const { agent, runner } = withContract(agentOf(model, tool), quiet);
    await runner.run(agent, "Go.");
    // The SDK writes what such a tool returns as JSON.
    expect(answersIn(model)["a"]).toContain(
      "Validation failed for tool 'get_weather' (attempt 1/3)",
    );
  });

  test("the last attempt ends the run, if it is to throw", async () => {
    const { tool } = weather();
    const model = scriptedModel([bad("a")], [bad("b"), good("c")], [bad("d")]);
    const options = { ...quiet, maxAttempts: 2, escalate: "throw" } as const;
    const { agent, runner } = withContract(agentOf(model, tool), options);
    const thrown: unknown = await runner.run(agent, "Go.").catch((error: unknown) => error);
    expect(EscalationError.isInstance(thrown)).toBe(true);
    expect(model.requests).toHaveLength(2);
  });

  test("the agent that was passed stays as it is, and its listeners hear the guarded one", async () => {
    const { tool } = weather();
    const model = scriptedModel([good("a")]);
    const plain = agentOf(model, tool);
    const heard: string[] = [];
    plain.on("agent_tool_end", () => heard.push("tool"));
    const { agent, runner } = withContract(plain, quiet);
    await runner.run(agent, "Go.");
    expect(heard).toEqual(["tool"]);
    expect(plain.tools).toEqual([tool]);
    expect(plain.model).toBe(model);
    expect(agent).toBeInstanceOf(agents.Agent);
    expect(withContract(agent.clone({ name: "b" }), quiet).agent.name).toBe("b");
  });

  test.each<[unknown, object | undefined, string]>([
    [undefined, undefined, "withContract: pass the agent first"],
    [{}, undefined, "withContract: pass the agent first"],
    [
      "agent",
      { escalate: "stop" },
      `withContract: option 'escalate' must be "continue" or "throw"`,
    ],
    ["agent", { schema: {} }, "withContract: unknown option 'schema'"],
  ])("misuse throws at once: %j, %j", (agent, options, words) => {
    const given = agent === "agent" ? agentOf(scriptedModel()) : agent;
    expect(() => withContract(given as Agent, options as never)).toThrow(words);
  });
});
