import { setTimeout } from "node:timers/promises";
import type { HostedTool } from "./sdk.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newest, oldest } from "./testing/both-ends.ts";
import { answersIn, type ScriptedModel, scriptedModel } from "./testing/scripted-model.ts";
import { attemptOf, bad, good, GOOD, quiet, weatherWith } from "./testing/weather.ts";

describe.each([newest, oldest])("tools, with OpenAI Agents $version", (sdk) => {
  const { agents, adapter } = sdk;
  const { withContract } = adapter;
  const { weather, agentOf } = weatherWith(sdk);

  describe("in a namespace", () => {
    /** Two tools with one name, and what ran. */
    function namesakes(make: typeof adapter.tool = agents.tool) {
      const ran: unknown[] = [];
      const tools = ["books", "films"].flatMap((name) =>
        agents.toolNamespace({
          name,
          description: name,
          tools: [
            make({
              name: "list",
              description: "Lists.",
              parameters: z.object({ year: z.number().int() }),
              execute: async ({ year }) => {
                ran.push(`${name} ${year}`);
                return name;
              },
            }),
          ],
        }),
      );
      return { tools, ran };
    }
    const list = (id: string, namespace: string | undefined, year: unknown, name = "list") => {
      const args = JSON.stringify({ year });
      return { id, name, args, ...(namespace !== undefined && { namespace }) };
    };
    const offered = ({ requests }: ScriptedModel): readonly string[] =>
      (requests[0]?.tools ?? []).map((tool) => {
        const { namespace, name } = tool as { namespace?: string; name: string };
        return `${namespace}.${name}`;
      });

    test("both are offered, each call runs its own, and a wrong one is answered under the whole name", async () => {
      const { tools, ran } = namesakes();
      const model = scriptedModel(
        [
          list("a", "films", 1999),
          list("b", "books", "2001"),
          list("c", undefined, 1987, "books.list"),
          list("d", "films", 1954, "lists"),
        ],
        [list("e", "books", "2001")],
      );
      const { agent, runner } = withContract(agentOf(model, ...tools), quiet);
      await runner.run(agent, "Go.");
      const { a, b, c, d, e } = answersIn(model);
      expect(offered(model)).toEqual(["books.list", "films.list"]);
      expect(ran).toEqual(["films 1999", "books 1987"]);
      expect([a, c]).toEqual(["films", "books"]);
      expect(b).toContain("Validation failed for tool 'books.list' (attempt 1/3)");
      expect(d).toContain('use "films.list"');
      expect(attemptOf(e)).toBe("2/3");
    });

    test("each has the options and the schema of its whole name, or those of its own name", async () => {
      const even = z.object({ year: z.number().refine((year) => year % 2 === 0, "must be even") });
      const { tools, ran } = namesakes();
      const model = scriptedModel([list("a", "books", 1999), list("b", "films", 1999)]);
      const { agent, runner } = withContract(agentOf(model, ...tools), {
        ...quiet,
        schemas: { "books.list": even },
      });
      await runner.run(agent, "Go.");
      expect(answersIn(model)["a"]).toContain("must be even");
      expect(ran).toEqual(["films 1999"]);
    });

    test("a tool of this package keeps its schema there", async () => {
      const { tools, ran } = namesakes(adapter.tool);
      const model = scriptedModel([
        { id: "a", name: "list", namespace: "books", args: '{"year":1999,"extra":true}' },
      ]);
      const { agent, runner } = withContract(agentOf(model, ...tools), quiet);
      await runner.run(agent, "Go.");
      expect(ran).toEqual(["books 1999"]);
    });
  });

  describe("that a search loads", () => {
    const SEARCH = {
      type: "tool_search_call",
      id: "search",
      status: "completed",
      arguments: { query: "weather" },
      providerData: { call_id: "search", execution: "client" },
    };

    /** A search of the client that finds what is given. */
    function searchFor(find: (offered: readonly unknown[]) => unknown): HostedTool {
      const providerData = { type: "tool_search", execution: "client" };
      const search = { type: "hosted_tool", name: "tool_search", providerData } as HostedTool;
      return agents.attachClientToolSearchExecutor(
        search,
        async ({ availableTools }) => find(availableTools) as never,
      );
    }

    test.each<[string, (found: object) => unknown]>([
      ["one", (found) => found],
      ["a list", (found) => [found]],
    ])(
      "%s: later calls and those of the same message are inside the contract",
      async (_, given) => {
        const { tool, runs } = weather();
        const model = scriptedModel([SEARCH, bad("a"), good("b")], [bad("c"), good("d", "wether")]);
        const { agent, runner } = withContract(
          agentOf(
            model,
            searchFor(() => given(tool)),
          ),
          quiet,
        );
        await runner.run(agent, "Go.");
        const { a, c, d } = answersIn(model);
        expect([a, c].map(attemptOf)).toEqual(["1/3", "2/3"]);
        expect(d).toContain("Unknown tool 'wether'");
        expect(runs).toEqual([{ city: "Oslo" }]);
      },
    );

    test("the search sees the tools themselves, and may find one that is there", async () => {
      const { tool, runs } = weather();
      let seen: readonly unknown[] = [];
      const search = searchFor((offered) => ((seen = offered), tool));
      const model = scriptedModel([SEARCH], [good("a")]);
      const { agent, runner } = withContract(agentOf(model, tool, search), quiet);
      await runner.run(agent, "Go.");
      expect(seen[0]).toBe(tool);
      expect(runs).toEqual([{ city: "Oslo" }]);
    });
  });

  test("a time limit, custom data and guardrails of a tool are the tool's", async () => {
    const { tool: slow } = weather({
      name: "slow",
      timeoutMs: 1,
      execute: async () => setTimeout(1_000, "late"),
    });
    const given: unknown[] = [];
    const customDataExtractor = ({ input, output }: { input: unknown; output: unknown }) => {
      given.push(input, output);
      return { seen: true };
    };
    const { tool } = weather({ customDataExtractor });
    const model = scriptedModel([good("a"), { ...good("b"), name: "slow" }]);
    const { agent, runner } = withContract(agentOf(model, tool, slow), quiet);
    await runner.run(agent, "Go.");
    expect(answersIn(model)["b"]).toBe("Tool 'slow' timed out after 1ms.");
    expect(given).toEqual([{ city: "Oslo" }, "Sunny in Oslo"]);
  });

  describe("that a person must allow", () => {
    test("a policy is asked with what the schema makes of the arguments", async () => {
      const asked: unknown[] = [];
      const pay = adapter.tool({
        name: "pay",
        description: "Pays.",
        parameters: z.object({ amount: z.number().default(500), to: z.string() }),
        needsApproval: async (_context, { amount }) => {
          asked.push(amount);
          return amount > 100;
        },
        execute: async ({ amount }) => `paid ${amount}`,
      });
      const model = scriptedModel([
        { id: "a", name: "pay", args: '{"amount":99,"to":"kim"}' },
        { id: "b", name: "pay", args: '{"to":"kim"}' },
      ]);
      const { agent, runner } = withContract(agentOf(model, pay), quiet);
      const { interruptions } = await runner.run(agent, "Go.");
      expect(asked).toEqual([99, 500]);
      expect(interruptions.map(({ rawItem }) => Reflect.get(rawItem, "callId"))).toEqual(["b"]);
    });

    test("a call goes on in a later run, though the first one was cancelled while it waited", async () => {
      const { tool, runs } = weather({ needsApproval: true });
      const model = scriptedModel([good("a")]);
      const { agent, runner } = withContract(agentOf(model, tool), quiet);
      const request = new AbortController();
      const first = await runner.run(agent, "Go.", { signal: request.signal });
      request.abort(new Error("the page was closed"));
      for (const item of first.interruptions) first.state.approve(item);
      const { finalOutput } = await runner.run(agent, first.state);
      expect(runs).toEqual([{ city: "Oslo" }]);
      expect(finalOutput).toBe("Done.");
    });

    test("the id of a stored call is not a verdict: another one of this process may have it", async () => {
      const stored = withContract(
        agentOf(scriptedModel([good("same")]), weather({ needsApproval: true }).tool),
        quiet,
      );
      const waiting = await stored.runner.run(stored.agent, "Go.");
      const { tool, runs } = weather({ needsApproval: true });
      const model = scriptedModel([bad("same"), { ...good("same"), args: '{"city":"Bergen"}' }]);
      const { agent, runner } = withContract(agentOf(model, tool), quiet);
      await runner.run(agent, "Somebody else's.");
      const state = await agents.RunState.fromString(agent, waiting.state.toString());
      for (const item of state.getInterruptions()) state.approve(item);
      await runner.run(agent, state);
      expect(runs).toEqual([{ city: "Oslo" }]);
      expect(answersIn(model)["same"]).toBe("Sunny in Oslo");
    });

    test("what was refused in another process under an id of this one is not counted here", async () => {
      const { tool } = weather();
      const model = scriptedModel([bad("same")], "Sorry.", [bad("b")]);
      const { agent, runner } = withContract(agentOf(model, tool), quiet);
      await runner.run(agent, "Somebody else's.");
      const call = { type: "function_call", callId: "same", name: "get_weather", arguments: GOOD };
      const output = { type: "text", text: "Sunny in Oslo" };
      const result = { type: "function_call_result", callId: "same", name: "get_weather", output };
      const history = [agents.user("Go."), call, { ...result, status: "completed" }];
      await runner.run(agent, history as never);
      expect(attemptOf(answersIn(model)["b"])).toBe("1/3");
    });
  });
});
