import type { Agent, Handoff, Model } from "@openai/agents";
import { describe, expect, test } from "vitest";
import { newest, oldest } from "./testing/both-ends.ts";
import { answersIn, type ScriptedModel, scriptedModel } from "./testing/scripted-model.ts";
import { bad, quiet, weatherWith } from "./testing/weather.ts";

const HANDOFF = { id: "h", name: "transfer_to_expert", args: "{}" };

describe.each([newest, oldest])("views, with OpenAI Agents $version", (sdk) => {
  const { agents, adapter } = sdk;
  const { withContract } = adapter;
  const { weather, agentOf } = weatherWith(sdk);

  /** A model whose methods need its private members. */
  class PrivateModel implements Model {
    readonly #model: ScriptedModel;
    readonly #failures: Error[];
    constructor(model: ScriptedModel, ...failures: readonly Error[]) {
      this.#model = model;
      this.#failures = [...failures];
    }
    async getResponse(request: Parameters<Model["getResponse"]>[0]) {
      const failure = this.#failures.shift();
      if (failure) throw failure;
      return this.#model.getResponse(request);
    }
    getStreamedResponse(request: Parameters<Model["getResponse"]>[0]) {
      return this.#model.getStreamedResponse(request);
    }
    getRetryAdvice() {
      return { suggested: this.#failures.length === 0 };
    }
  }

  const busy = () => Object.assign(new Error("503 busy"), { status: 503 });

  test("the failure of a model with private members is its own, and a retry policy asks it", async () => {
    const model = () => new PrivateModel(scriptedModel("fine"), busy());
    const once = withContract(new agents.Agent({ name: "a", model: model() }), quiet);
    await expect(once.runner.run(once.agent, "Go.")).rejects.toThrow("503 busy");
    const policy = agents.retryPolicies.providerSuggested();
    const retry = { maxRetries: 1, policy, backoff: { initialDelayMs: 1 } };
    const plain = new agents.Agent({ name: "a", model: model(), modelSettings: { retry } });
    const again = withContract(plain, quiet);
    expect((await again.runner.run(again.agent, "Go.")).finalOutput).toBe("fine");
  });

  test("a provider with private members, also of a subclass, gives the model by name", async () => {
    class Provider {
      readonly #model = scriptedModel([bad("a")]);
      getModel() {
        return this.#model;
      }
      get model() {
        return this.#model;
      }
    }
    const modelProvider = new Provider();
    const named = new agents.Agent({ name: "a", model: "gpt-5", tools: [weather().tool] });
    const { agent, runner, runConfig } = withContract(named, {
      ...quiet,
      runConfig: { modelProvider },
    });
    await runner.run(agent, "Go.");
    expect(answersIn(modelProvider.model)["a"]).toContain("/city (VAL-002)");
    expect(runConfig.modelProvider).toBeInstanceOf(Provider);
  });

  describe("agents of a subclass with private members", () => {
    class Polite extends agents.Agent {
      #greeting = "Hello.";
      get greeting(): string {
        return this.#greeting;
      }
      set greeting(greeting: string) {
        this.#greeting = greeting;
      }
      override async getSystemPrompt(): Promise<string> {
        return this.#greeting;
      }
      override async getAllTools(context: never): Promise<never> {
        return this.#greeting === ""
          ? ([] as never)
          : ((await super.getAllTools(context)) as never);
      }
      override async getEnabledHandoffs(context: never): Promise<never> {
        return this.#greeting === "" ? ([] as never) : (super.getEnabledHandoffs(context) as never);
      }
      override clone(config: object): never {
        const clone = new Polite(Object.assign({}, this, config));
        clone.greeting = this.#greeting;
        return clone as never;
      }
    }
    class Strict extends agents.Handoff<unknown, never> {
      readonly #tag = "strict";
      get tag(): string {
        return this.#tag;
      }
      override getHandoffAsFunctionTool() {
        return { ...super.getHandoffAsFunctionTool(), description: this.#tag };
      }
    }

    test("run, hand off and clone", async () => {
      const { tool, runs } = weather();
      const model = scriptedModel([HANDOFF], [bad("a")]);
      const expert = new Polite({ name: "expert", model, tools: [tool] });
      const target = new Strict(expert as never, async () => expert as never);
      const first = new Polite({ name: "first", model, handoffs: [target as never] });
      const { agent, runner } = withContract(first, quiet);
      agent.greeting = "Good day.";
      const result = await runner.run(agent, "Go.");
      expect(answersIn(model)["a"]).toContain("/city (VAL-002)");
      expect(runs).toEqual([]);
      expect(model.requests.map(({ systemInstructions }) => systemInstructions)).toEqual([
        "Good day.",
        "Hello.",
        "Hello.",
      ]);
      expect(result.lastAgent).toBeInstanceOf(Polite);
      const clone: Polite = agent.clone({ name: "clone" });
      expect([clone.greeting, first.greeting, clone.name]).toEqual([
        "Good day.",
        "Good day.",
        "clone",
      ]);
      const [guarded] = agent.handoffs as unknown as readonly Strict[];
      expect(guarded).toBeInstanceOf(Strict);
      expect([guarded?.tag, guarded?.getHandoffAsFunctionTool().description]).toEqual([
        "strict",
        "strict",
      ]);
    });
  });

  test("a copy of a handoff is inside the contract too", async () => {
    const model = scriptedModel([HANDOFF], [bad("a")]);
    const expert = new agents.Agent({ name: "expert", model, tools: [weather().tool] });
    const first = new agents.Agent({ name: "first", model, handoffs: [agents.handoff(expert)] });
    const { agent, runner } = withContract(first, quiet);
    const [guarded] = agent.handoffs as readonly Handoff[];
    // Older versions have no such method.
    if (!guarded || !("clone" in agents.Handoff.prototype)) return;
    agent.handoffs = [guarded.clone({ toolDescription: "Another." })];
    await runner.run(agent, "Go.");
    expect(answersIn(model)["a"]).toContain("/city (VAL-002)");
  });

  describe("what is changed later is seen", () => {
    type Change = (agent: Agent, model: ScriptedModel, expert: Agent) => void;
    const changes: readonly (readonly [string, Change])[] = [
      ["a model", (agent, model) => void (agent.model = model)],
      ["tools", (agent) => void (agent.tools = [...agent.tools, weather({ name: "added" }).tool])],
      ["a tool", (agent) => void agent.tools.push(weather({ name: "added" }).tool)],
      ["handoffs", (agent, _, expert) => void (agent.handoffs = [...agent.handoffs, expert])],
      ["a handoff", (agent, _, expert) => void agent.handoffs.push(expert)],
    ];

    describe.each(["the agent", "the guarded agent"])("of %s", (side) => {
      test.each(changes)("%s", async (what, change) => {
        const old = scriptedModel();
        const model = scriptedModel(
          [bad("a"), bad("b", "added"), { ...HANDOFF, name: "transfer_to_expert" }],
          [bad("c")],
        );
        const expert = new agents.Agent({ name: "expert", model, tools: [weather().tool] });
        const plain = agentOf(what === "a model" ? old : model, weather().tool);
        const { agent, runner } = withContract(plain, quiet);
        change(side === "the agent" ? plain : agent, model, expert);
        await runner.run(agent, "Go.");
        const { a, b, c } = answersIn(model);
        expect(old.requests).toEqual([]);
        expect(a).toContain("/city (VAL-002)");
        if (what.startsWith("tool") || what === "a tool") expect(b).toContain("/city (VAL-002)");
        else expect(b).toContain("Unknown tool 'added'");
        if (what.startsWith("handoff") || what === "a handoff")
          expect(c).toContain("/city (VAL-002)");
        // Nothing of the contract is in the agent that was passed.
        expect([plain.model, ...plain.tools, ...plain.handoffs]).toEqual([
          model,
          ...agent.tools,
          ...(plain.handoffs.length > 0 ? [expert] : []),
        ]);
        expect(agent.handoffs).toHaveLength(plain.handoffs.length);
      });
    });
  });

  test("frozen agents, tools and lists can be guarded", async () => {
    const { tool, runs } = weather();
    const model = scriptedModel([HANDOFF], [bad("a")]);
    const expert = Object.freeze(
      new agents.Agent({ name: "expert", model, tools: [Object.freeze(tool)] }),
    );
    const handoffs = Object.freeze([expert]) as never;
    const { agent, runner } = withContract(new agents.Agent({ name: "b", model, handoffs }), quiet);
    await runner.run(agent, "Go.");
    expect(answersIn(model)["a"]).toContain("/city (VAL-002)");
    expect(runs).toEqual([]);
  });
});
