import {
  FITS_NO_VARIANT,
  FITS_VARIANT,
  REFUSED_SCHEMA,
  topOf,
  WRITTEN,
} from "@toolcontract/case-table/refused-schema";
import { isWhole } from "@toolcontract/case-table/whole";
import { EscalationError, parseRejection } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { PromptRequest, StreamPart } from "./mastra.ts";
import { loadMastra } from "./testing/mastra.ts";
import {
  answersIn,
  resultsIn,
  type ScriptedMessage,
  type ScriptedModel,
  scriptedModel,
} from "./testing/scripted-model.ts";

// Loading a second Mastra takes seconds.
const LABS = [await loadMastra("1.71"), ...(isWhole ? [await loadMastra("1.42")] : [])];

const ZOD = z.object({
  city: z.string(),
  unit: z.enum(["C", "F"]).optional(),
  tags: z.array(z.string()).optional(),
});
const JSON_SCHEMA = {
  type: "object",
  properties: {
    city: { type: "string" },
    unit: { enum: ["C", "F"] },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["city"],
  additionalProperties: false,
} as const;
const GOOD = '{"city":"Oslo"}';
const BAD = '{"city":5}';
const quiet = { logger: false } as const;
const call = (id: string, args: string, name = "get_weather") => ({ id, name, args });
const bad = (id: string) => call(id, BAD);
const good = (id: string) => call(id, GOOD);

/** Whether an answer is the contract's, and which attempt it counts. */
const attemptOf = (text: string | undefined): string | undefined => {
  const read = parseRejection(text ?? "");
  return read && `${read.attempt}/${read.maxAttempts}`;
};

describe.each(LABS)("an agent of Mastra $version", (lab) => {
  const { Agent } = lab.agent;
  const { withContract } = lab.adapter;

  /** A tool that says where the sun shines, and what it was given. */
  function weather(more: object = {}) {
    const runs: unknown[] = [];
    const tool = lab.tools.createTool({
      id: "get_weather",
      description: "The weather.",
      inputSchema: ZOD,
      execute: async (input: unknown) => {
        runs.push(input);
        return `Sunny in ${(input as { readonly city?: string }).city}`;
      },
      ...more,
    } as never);
    return { tool, runs };
  }

  function configOf(model: unknown, get_weather: unknown, more: object = {}) {
    const tools = get_weather === undefined ? {} : { get_weather };
    return { id: "a", name: "a", instructions: "Help.", model, tools, ...more } as never;
  }

  const agentOf = (model: unknown, tool: unknown, more: object = {}, options: object = {}) =>
    new Agent(withContract(configOf(model, tool, more), { ...quiet, ...options }));

  test("tools of classes keep what runs on their private members", async () => {
    class Station {
      readonly id = "get_weather";
      readonly description = "The weather.";
      readonly inputSchema = ZOD;
      readonly #sky: string = "Sunny";
      async execute(): Promise<string> {
        return this.#sky;
      }
      report(): string {
        return this.#sky;
      }
    }
    const config = configOf(scriptedModel(), new Station());
    const { tools } = withContract(config, quiet) as {
      readonly tools: { readonly get_weather: Station };
    };
    const { get_weather: guarded } = tools;
    expect([guarded.report(), await guarded.execute(), guarded instanceof Station]).toEqual([
      "Sunny",
      "Sunny",
      true,
    ]);
  });

  test("the log names the agent", async () => {
    const named: unknown[] = [];
    const logger = (fields: object): void =>
      void named.push((fields as { readonly agent_name?: string }).agent_name);
    const { tool } = weather();
    const model = scriptedModel([bad("c1")]);
    await agentOf(model, tool, { name: "forecaster" }, { logger }).generate("Oslo?");
    expect(named).toEqual(["forecaster"]);
  });

  /** The same agent in a place that keeps runs while they wait. */
  function kept<TAgent extends object>(agent: TAgent): TAgent {
    const storage = new lab.InMemoryStore();
    const mastra = new lab.Mastra({ agents: { a: agent }, storage, logger: false });
    expect(mastra.getStorage()).toBeDefined();
    return agent;
  }

  async function ask(model: ScriptedModel, tool: unknown, ...messages: ScriptedMessage[]) {
    for (const message of messages) model.say(message);
    await agentOf(model, tool).generate("Go.");
    return answersIn(model);
  }

  test.each([
    [undefined, topOf(REFUSED_SCHEMA)],
    ["openai", WRITTEN],
  ] as const)("with provider %s the model is shown a schema with %j", async (provider, top) => {
    const { tool, runs } = weather({ inputSchema: REFUSED_SCHEMA });
    const model = scriptedModel([call("a", FITS_NO_VARIANT), call("b", FITS_VARIANT)]);
    await agentOf(model, tool, {}, provider && { provider }).generate("Go.");
    expect(topOf(model.requests[0]?.tools?.[0]?.inputSchema)).toEqual(
      expect.arrayContaining([...top]),
    );
    expect(attemptOf(answersIn(model)["a"])).toBe("1/3");
    expect(runs).toEqual([{ city: "Oslo" }]);
  });

  describe.each(["generate", "stream"] as const)("%s", (mode) => {
    test.each([
      ["zod", ZOD],
      ["JSON Schema", JSON_SCHEMA],
    ])(
      "each call is answered by the contract, and the good one runs: %s",
      async (_, inputSchema) => {
        const { tool, runs } = weather({ inputSchema });
        const model = scriptedModel([
          bad("a"),
          good("b"),
          call("c", '{"city": "Os'),
          call("d", GOOD, "get_wether"),
          call("e", "null"),
          call("f", "{'city':'Rome'}"),
        ]);
        const agent = agentOf(model, tool);
        const text =
          mode === "generate"
            ? (await agent.generate("Go.")).text
            : await (
                await agent.stream("Go.")
              ).text;
        expect(text).toBe("Done.");
        const { a, b, c, d, e, f } = answersIn(model);
        expect(a).toContain("/city (VAL-002)");
        expect(b).toBe("Sunny in Oslo");
        expect(c).toContain("VAL-011");
        expect(d).toContain('use "get_weather"');
        expect(e).toContain("expected object, got null");
        expect(f).toBe("Sunny in Rome");
        expect(runs).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
        const types = Object.values(resultsIn(model)).map(({ output }) => output?.type);
        expect(types).toEqual([
          "error-text",
          "text",
          "error-text",
          "error-text",
          "error-text",
          "text",
        ]);
      },
    );
  });

  test.each([
    ["nulls of optional fields", '{"city":"Oslo","unit":null}', { city: "Oslo" }],
    ["a list in a string", '{"city":"Oslo","tags":"[\\"a\\"]"}', { city: "Oslo", tags: ["a"] }],
  ])("what Mastra accepts runs: %s", async (_, args, given) => {
    for (const inputSchema of [ZOD, JSON_SCHEMA]) {
      const { tool, runs } = weather({ inputSchema });
      await ask(scriptedModel(), tool, [call("a", args)]);
      expect(runs).toEqual([given]);
    }
  });

  const optional = ZOD.partial();
  test.each(["[]", "{}{}", "undefined", "None", "null", '"null"', '""', ""])(
    "%s runs for a tool that needs no arguments, as bare Mastra does or more",
    async (args) => {
      for (const inputSchema of [optional, { ...JSON_SCHEMA, required: [] }]) {
        const { tool, runs } = weather({ inputSchema });
        const { a } = await ask(scriptedModel(), tool, [call("a", args)]);
        expect([a, ...runs]).toEqual(["Sunny in undefined", {}]);
      }
    },
  );

  test.each<[object, ran: boolean]>([
    [{ unified: "stop", raw: "end_turn" }, true],
    [{ unified: "other", raw: "eos" }, true],
    // A server that gives none.
    [{ unified: "other" }, true],
    [{ unified: "other", raw: "insufficient_system_resource" }, false],
    [{ unified: "content-filter", raw: "content_filter" }, false],
  ])("a call without arguments at the finish reason %j: ran %s", async (finishReason, ran) => {
    const { tool, runs } = weather({ inputSchema: optional });
    const model = scriptedModel();
    model.say([call("a", "")], finishReason as never);
    await agentOf(model, tool).generate("Go.");
    expect(runs).toEqual(ran ? [{}] : []);
  });

  test("a tool without a schema is Mastra's own, and named once in the log", async () => {
    const logged: object[] = [];
    const { tool, runs } = weather({ inputSchema: undefined });
    const model = scriptedModel([call("a", "{}")], [call("b", "{}")]);
    const logger = (fields: object): void => void logged.push(fields);
    await agentOf(model, tool, {}, { logger }).generate("Go.");
    expect(runs).toHaveLength(2);
    expect(logged).toEqual([{ level: "warn", package: "core", tool_name: "get_weather" }]);
  });

  test("the real fault is told, also where nulls would have been left out", async () => {
    const { tool } = weather();
    const { a } = await ask(scriptedModel(), tool, [call("a", '{"city":5,"unit":null}')]);
    expect(a).toContain("/city (VAL-002): Type mismatch: expected string, got integer");
  });

  test("a rule that JSON Schema does not show is a fault that counts", async () => {
    const inputSchema = ZOD.refine(({ city }) => city !== "Rome", {
      path: ["city"],
      message: "no weather in Rome",
    });
    const { tool, runs } = weather({ inputSchema });
    const args = '{"city":"Rome"}';
    const { a, b } = await ask(scriptedModel(), tool, [call("a", args)], [call("b", args)]);
    expect(a).toContain("/city (VAL-016): no weather in Rome");
    expect([a, b].map(attemptOf)).toEqual(["1/3", "2/3"]);
    expect(runs).toEqual([]);
  });

  test("half a call never runs, though {} would be valid", async () => {
    const { tool, runs } = weather({ inputSchema: z.object({ city: z.string().optional() }) });
    const { a } = await ask(scriptedModel(), tool, [call("a", '{"city":"Os')]);
    expect(a).toContain("VAL-011");
    expect(runs).toEqual([]);
  });

  test.each([
    ["weather.get", "weather_get"],
    ["1st", "_1st"],
    ["w".repeat(70), "w".repeat(63)],
  ])("a tool is judged by the name that Mastra offers: %s", async (key, offered) => {
    const { tool, runs } = weather();
    const model = scriptedModel([call("a", BAD, offered)], [call("b", GOOD, offered)]);
    await agentOf(model, undefined, { tools: { [key]: tool } }).generate("Go.");
    expect(answersIn(model)["a"]).toContain(
      `Validation failed for tool '${offered}' (attempt 1/3)`,
    );
    expect(answersIn(model)["b"]).toBe("Sunny in Oslo");
    expect(runs).toEqual([{ city: "Oslo" }]);
  });

  test("a name that is not offered is refused, also if Mastra would find a tool by it", async () => {
    const { tool, runs } = weather({ id: "the-weather" });
    const { a } = await ask(scriptedModel(), tool, [call("a", GOOD, "the-weather")]);
    expect(a).toContain("Unknown tool 'the-weather'");
    expect(runs).toEqual([]);
  });

  test("unknown names are counted, and those that every object has end no run", async () => {
    const { tool } = weather();
    const model = scriptedModel();
    const first = await ask(model, tool, [call("a", GOOD, "get_wether")], [call("b", BAD)]);
    expect([first["a"], first["b"]].map(attemptOf)).toEqual(["1/3", "2/3"]);
    const other = scriptedModel();
    const { c } = await ask(other, tool, [call("c", "{}", "constructor")]);
    expect(c).toContain("Unknown tool 'constructor'");
  });

  test("ids that are empty or come again are replaced, and each call has its answer", async () => {
    const { tool, runs } = weather();
    const answers = await ask(
      scriptedModel(),
      tool,
      [bad(""), good("")],
      [bad("same"), good("same")],
      [bad("same")],
    );
    expect(Object.values(answers).map((text) => attemptOf(text) ?? text)).toEqual([
      "1/3",
      "Sunny in Oslo",
      "2/3",
      "Sunny in Oslo",
      "3/3",
    ]);
    expect(runs).toHaveLength(2);
  });

  test("calls of two runs at once that have one id are two calls", async () => {
    const { tool, runs } = weather({ inputSchema: z.object({ city: z.string().optional() }) });
    const scripted = scriptedModel([call("call_0", '{"city":Oslo')], [call("call_0", GOOD)]);
    let waiting = 2;
    let bothCame = (): void => undefined;
    const both = new Promise<void>((resolve) => (bothCame = resolve));
    const model = {
      ...scripted,
      async doStream(request: PromptRequest) {
        const { stream } = await scripted.doStream(request);
        const untilBoth = new TransformStream<StreamPart, StreamPart>({
          async transform(part, controller) {
            if (part.type === "finish" && (waiting -= 1) === 0) bothCame();
            if (part.type === "finish" && waiting >= 0) await both;
            controller.enqueue(part);
          },
        });
        return { stream: stream.pipeThrough(untilBoth) };
      },
    };
    const agent = agentOf(model, tool);
    await Promise.all(
      ["Ann", "Ben"].map(async (name) => (await agent.stream(`I am ${name}.`)).consumeStream()),
    );
    expect(runs).toEqual([{ city: "Oslo" }]);
  });

  test("a stored call is not answered with what another user's call of that id was told", async () => {
    const stored = [
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        content: [
          {
            type: "tool-call",
            toolCallId: "call_0",
            toolName: "get_weather",
            input: { city: "Rome" },
          },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "call_0",
            toolName: "get_weather",
            output: { type: "text", value: "Rain in Rome" },
          },
        ],
      },
      { role: "user", content: "And now?" },
    ];
    const model = scriptedModel([call("call_0", BAD)], "Sorry.");
    const agent = agentOf(model, weather().tool);
    await agent.generate("I am Ann.");
    await agent.generate(stored as never);
    expect(answersIn(model)["call_0"]).toBe("Rain in Rome");
  });

  describe("attempts", () => {
    test("begin anew with the user's next message", async () => {
      const { tool } = weather();
      const model = scriptedModel([bad("a")], [bad("b")], "Sorry.", [bad("c")]);
      const agent = agentOf(model, tool);
      const { response } = await agent.generate("Go.");
      const history = [...(response.messages ?? []), { role: "user", content: "Again." }];
      await agent.generate(history as never);
      const { a, b, c } = answersIn(model);
      expect([a, b, c].map(attemptOf)).toEqual(["1/3", "2/3", "1/3"]);
    });

    test("count on in another process, from the texts", async () => {
      const first = scriptedModel([bad("a"), good("b")], [bad("c")]);
      const { response } = await agentOf(first, weather().tool).generate("Go.");
      const second = scriptedModel([bad("d")]);
      const history = [{ role: "user", content: "Go." }, ...(response.messages ?? [])];
      await agentOf(second, weather().tool).generate(history.slice(0, -1) as never);
      expect(attemptOf(answersIn(second)["d"])).toBe("3/3");
    });

    test("end the run, if it is to throw", async () => {
      const model = scriptedModel([bad("a")], [bad("b"), good("c")], [bad("d")]);
      const options = { maxAttempts: 2, escalate: "throw" };
      const run = agentOf(model, weather().tool, {}, options).generate("Go.");
      const thrown: unknown = await run.catch((error: unknown) => error);
      expect(EscalationError.isInstance(thrown)).toBe(true);
      expect(model.requests).toHaveLength(2);
    });
  });

  describe.each(["generate", "stream"] as const)("a model that never learns, in %s", (way) => {
    test.each([
      ["invalid calls", call("", BAD), undefined],
      ["calls that are cut off", call("", '{"city":"Os'), "length"],
      ["calls of an unknown tool", call("", GOOD, "get_wether"), undefined],
    ] as const)("ends in words after %s", async (_, made, finishReason) => {
      const { tool, runs } = weather();
      for (const text of ["", "Sorry."]) {
        const model = scriptedModel();
        for (let at = 0; at < 25; at += 1) model.say([{ ...made, id: `c${at}` }], finishReason);
        const agent = new Agent(
          withContract(
            {
              id: "a",
              name: "a",
              instructions: "Help.",
              model: model as never,
              tools: { get_weather: tool, other: weather({ id: "other" }).tool },
            },
            quiet,
          ),
        );
        if (text !== "") model.sayBeside(text);
        const end = await agent[way]("Go.", { maxSteps: 25 });
        expect(await end.text).toMatch(text || /get_we|unknown/);
        const offered = model.requests.map(({ tools }) => tools?.map(({ name }) => name).join());
        expect(model.requests.length).toBeLessThanOrEqual(5);
        expect(offered.slice(3)).toEqual(offered.slice(3).map(() => "other"));
        expect(model.requests.at(-1)?.toolChoice).toEqual({ type: "none" });
        expect(
          model.requests.slice(0, -1).every(({ toolChoice }) => toolChoice?.type !== "none"),
        ).toBe(true);
      }
      expect(runs).toEqual([]);
    });

    test("the only tool is treated like the others: it stays in the list, and nothing may be called", async () => {
      const { tool } = weather();
      const model = scriptedModel(...Array.from({ length: 9 }, (_, at) => [bad(`c${at}`)]));
      const end = await agentOf(model, tool)[way]("Go.", { maxSteps: 25 });
      expect(await end.text).toContain("get_weather");
      expect(model.requests).toHaveLength(5);
      expect(model.requests.at(-1)).toMatchObject({
        tools: [{ name: "get_weather" }],
        toolChoice: { type: "none" },
      });
    });
  });

  describe("tools that a person must allow", () => {
    test.each([
      ["true", true],
      ["a function", async () => true],
    ])(
      "only the valid call asks, and it runs when it is approved: %s",
      async (_, requireApproval) => {
        const { tool, runs } = weather({ requireApproval });
        const model = scriptedModel([bad("a"), good("b"), call("c", "no JSON"), call("d", "[1]")]);
        const agent = kept(agentOf(model, tool));
        const first = await agent.stream("Go.");
        const asked: string[] = [];
        for await (const chunk of first.fullStream) {
          if (chunk.type === "tool-call-approval") asked.push(chunk.payload.toolCallId);
        }
        expect(asked).toEqual(["b"]);
        expect(runs).toEqual([]);
        const resumed = await agent.approveToolCall({ runId: first.runId, toolCallId: "b" });
        await resumed.consumeStream();
        expect(runs).toEqual([{ city: "Oslo" }]);
        const { a, b, c, d } = answersIn(model);
        expect(b).toBe("Sunny in Oslo");
        expect([a, c, d].map(attemptOf)).toEqual(["1/3", "1/3", "1/3"]);
      },
    );

    test("a function that allows a call is asked about valid calls only", async () => {
      const seen: unknown[] = [];
      const requireApproval = (input: unknown) => void seen.push(input);
      const { tool, runs } = weather({ requireApproval });
      await ask(scriptedModel(), tool, [bad("a"), good("b")]);
      expect(seen).toEqual([{ city: "Oslo" }]);
      expect(runs).toEqual([{ city: "Oslo" }]);
    });
  });

  test("a tool that waits for something runs on with it", async () => {
    const seen: unknown[] = [];
    const { tool } = weather({
      suspendSchema: z.object({ why: z.string() }),
      resumeSchema: z.object({ key: z.string() }),
      execute: async (
        _: unknown,
        context: { agent: { resumeData?: unknown; suspend: Function } },
      ) => {
        const { resumeData, suspend } = context.agent;
        seen.push(resumeData);
        return resumeData === undefined ? suspend({ why: "a key" }) : "Sunny";
      },
    });
    const model = scriptedModel([good("a")]);
    const agent = kept(agentOf(model, tool));
    const first = await agent.stream("Go.");
    await first.consumeStream();
    const resumed = await agent.resumeStream({ key: "k" }, { runId: first.runId, toolCallId: "a" });
    await resumed.consumeStream();
    expect(seen).toEqual([undefined, { key: "k" }]);
    expect(answersIn(model)["a"]).toBe("Sunny");
  });

  describe("the model", () => {
    test.each<readonly [string, (model: ScriptedModel) => unknown]>([
      ["a function", (model) => async () => model],
      ["a list", (model) => [{ model, maxRetries: 0 }]],
      ["a function that returns a list", (model) => () => [{ model: () => model, maxRetries: 0 }]],
    ])("is guarded as %s", async (_, modelOf) => {
      const { tool, runs } = weather();
      const model = scriptedModel([bad("a"), call("b", GOOD, "get_wether")]);
      await agentOf(modelOf(model), tool).generate("Go.");
      const { a, b } = answersIn(model);
      expect(a).toContain("/city (VAL-002)");
      expect(b).toContain('use "get_weather"');
      expect(runs).toEqual([]);
    });

    test("is guarded by its name, and keeps what it says of itself", async () => {
      const agent = agentOf("openai/gpt-5", weather().tool);
      expect(await agent.getModel()).toMatchObject({ modelId: "gpt-5", provider: "openai" });
    });
  });

  test("tools that a function returns are guarded", async () => {
    const { tool, runs } = weather();
    const model = scriptedModel([bad("a"), good("b")]);
    await agentOf(model, undefined, { tools: () => ({ get_weather: tool }) }).generate("Go.");
    expect(answersIn(model)["a"]).toContain("/city (VAL-002)");
    expect(runs).toEqual([{ city: "Oslo" }]);
  });

  test("a tool of the AI SDK is guarded, which Mastra does not validate", async () => {
    const runs: unknown[] = [];
    const tool = {
      description: "The weather.",
      inputSchema: { jsonSchema: JSON_SCHEMA, [Symbol.for("vercel.ai.schema")]: true },
      execute: async (input: unknown) => runs.push(input),
    };
    const { a } = await ask(scriptedModel(), tool, [bad("a"), good("b")]);
    expect(a).toContain("/city (VAL-002)");
    expect(runs).toEqual([{ city: "Oslo" }]);
  });

  test("a call that is made where no tool is offered is Mastra's to answer", async () => {
    const model = scriptedModel([call("a", GOOD)]);
    await agentOf(model, undefined).generate("Go.");
    expect(answersIn(model)["a"]).toContain(`Tool "get_weather" not found`);
  });

  test("the tools of one call are Mastra's own", async () => {
    const { tool, runs } = weather();
    const model = scriptedModel([bad("a"), call("b", '{"city":"Rome","unit":null}')]);
    await agentOf(model, undefined).generate("Go.", {
      toolsets: { own: { get_weather: tool } },
    } as never);
    expect(answersIn(model)["a"]).toContain("Tool input validation failed");
    expect(runs).toEqual([{ city: "Rome" }]);
  });

  test("an agent that is a tool has a contract of its own", async () => {
    const { tool, runs } = weather();
    const inner = scriptedModel([bad("a")]);
    const outer = scriptedModel([call("b", '{"prompt":"Weather?"}', "agent-expert")]);
    const expert = new Agent(
      withContract(
        configOf(inner, tool, { id: "expert", name: "expert", description: "Knows." }),
        quiet,
      ),
    );
    await agentOf(outer, undefined, { agents: { expert } }).generate("Go.");
    expect(answersIn(inner)["a"]).toContain("/city (VAL-002)");
    expect(answersIn(outer)["b"]).toContain("Done.");
    expect(runs).toEqual([]);
  });

  test("the agent's own hooks hear of calls that may run", async () => {
    const heard: string[] = [];
    const hooks = {
      beforeToolCall: ({ input }: { input: unknown }) =>
        void heard.push(`before ${JSON.stringify(input)}`),
      afterToolCall: ({ output }: { output?: unknown }) =>
        void heard.push(`after ${String(output)}`),
    };
    const model = scriptedModel([bad("a"), good("b")]);
    await agentOf(model, weather().tool, { hooks }).generate("Go.");
    expect(heard).toEqual([`before ${GOOD}`, "after Sunny in Oslo"]);
  });

  test("processors of the agent and of one call change nothing", async () => {
    const seen: string[] = [];
    const processor = (id: string) => ({
      id,
      async processOutputStream({ part }: { readonly part: { readonly type: string } }) {
        if (part.type === "tool-error") seen.push(id);
        return part;
      },
    });
    const { tool, runs } = weather();
    const model = scriptedModel([bad("a"), good("b")], [bad("c")]);
    const agent = agentOf(model, tool, { outputProcessors: [processor("agent")] });
    await agent.generate("Go.", { outputProcessors: [processor("call")] } as never);
    const { a, c } = answersIn(model);
    expect([a, c].map(attemptOf)).toEqual(["1/3", "2/3"]);
    expect(runs).toEqual([{ city: "Oslo" }]);
    expect(new Set(seen)).toEqual(new Set(["call"]));
  });

  test("a tool that throws is Mastra's to answer, and ends the count", async () => {
    const execute = async () => {
      throw new Error("No sun today");
    };
    const { a, b, c } = await ask(
      scriptedModel(),
      weather({ execute }).tool,
      [bad("a")],
      [good("b")],
      [bad("c")],
    );
    expect(b).toContain("No sun today");
    expect([a, c].map(attemptOf)).toEqual(["1/3", "1/3"]);
  });

  test("the configuration that was passed stays as it is", () => {
    const { tool } = weather();
    const model = scriptedModel();
    const config: { readonly tools: object } = configOf(model, tool);
    const before = { ...config };
    withContract(config as never, quiet);
    expect(config).toEqual(before);
    expect(config.tools).toEqual({ get_weather: tool });
  });

  test.each<[unknown, object | undefined, string]>([
    [undefined, undefined, "withContract: pass the agent's configuration first"],
    [{ tools: {} }, undefined, "withContract: pass the agent's configuration first"],
    [{ model: "a/b" }, { escalate: "stop" }, `option 'escalate' must be "continue" or "throw"`],
    [{ model: "a/b" }, { conversation: "x" }, "withContract: unknown option 'conversation'"],
  ])("misuse throws at once: %j, %j", (config, options, words) => {
    expect(() => withContract(config as never, options as never)).toThrow(words);
  });
});
