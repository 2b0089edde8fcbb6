import type { ToolSet } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeVersions } from "../testing/both-ends.ts";
import { quiet } from "../testing/travel.ts";

const REPORT = "agent__final_report";

describeVersions((sdk) => {
  const { agentSession } = sdk.session;
  const Agent =
    sdk.ai.ToolLoopAgent ??
    (sdk.ai as unknown as { Experimental_Agent: typeof sdk.ai.ToolLoopAgent }).Experimental_Agent;
  const toolNamed = (name: string, execute: () => unknown = () => name): ToolSet[string] =>
    sdk.ai.tool({ inputSchema: z.object({ id: z.string() }), execute }) as ToolSet[string];
  const called = (id: string, name: string) => ({ calls: [{ id, name, input: '{"id":"a"}' }] });

  // Version 5 has no prepareCall.
  const hasPrepareCall = sdk.version > 5;

  test.runIf(hasPrepareCall).each([
    ["a tool that the session lacks", { tools: ["lookup", "extra"] }, "tool 'extra'"],
    ["fewer tools than the session", { tools: [] }, "tool 'lookup'"],
    ["another model", { tools: ["lookup"], isOther: true }, "the agent's model"],
  ])("an agent with %s rejects the run", async (_, { tools, ...more }, words) => {
    const { model } = sdk.script([{ text: "done" }]);
    const other = sdk.script([{ text: "done" }]);
    const session = agentSession({
      ...quiet,
      targets: [{ model }],
      tools: { lookup: toolNamed("lookup") },
    });
    const agent = new Agent({
      model: "isOther" in more ? other.model : model,
      tools: Object.fromEntries(tools.map((name) => [name, toolNamed(name)])),
      prepareCall: session.prepareCall,
    });
    const run = session.run(async () => agent.generate({ prompt: "Go." }));
    await expect(run).rejects.toThrow(words);
    await expect(run).rejects.toThrow("a session of its own");
    expect(other.requests).toEqual([]);
  });

  test.runIf(hasPrepareCall)(
    "a sub-agent with the prepareCall of its parent rejects the run, although its tool catches it",
    async () => {
      const sub = sdk.script([{ text: "sub" }]);
      const { model } = sdk.script([called("1", "plan"), { text: "end" }]);
      const plan = toolNamed("plan", async () => {
        const tools = { hire: toolNamed("hire") };
        const prepareCall = session.prepareCall;
        return new Agent({ model: sub.model, tools, prepareCall }).generate({ prompt: "sub" });
      });
      const session = agentSession({ ...quiet, targets: [{ model }], tools: { plan } });
      const agent = new Agent({
        model,
        tools: { plan },
        prepareCall: session.prepareCall,
      });
      const run = session.run(async () => agent.generate({ prompt: "Go." }));
      await expect(run).rejects.toThrow("a session of its own");
      expect(sub.requests).toEqual([]);
    },
  );

  test.runIf(hasPrepareCall).each(["settings", "prepareCall"])(
    "active tools in the %s of an agent leave the report tool in",
    async (how) => {
      const report = JSON.stringify({ status: "success", content: "all", format: "markdown" });
      const script = sdk.script([
        called("1", "lookup"),
        { calls: [{ id: "2", name: REPORT, input: report }] },
      ]);
      const session = agentSession({
        ...quiet,
        targets: [{ model: script.model }],
        tools: { lookup: toolNamed("lookup"), wipe: toolNamed("wipe") },
        maxTurns: 2,
      });
      const activeTools = ["lookup"];
      const prepareCall = (options: object) => ({ ...session.prepareCall(options), activeTools });
      const agent = new Agent({
        model: script.model,
        tools: { lookup: toolNamed("lookup"), wipe: toolNamed("wipe") },
        ...(how === "settings"
          ? { activeTools, prepareCall: session.prepareCall }
          : { prepareCall: prepareCall as never }),
      } as never);
      const run = await session.run(async () => agent.generate({ prompt: "Go." }));
      expect(run.success).toBe(true);
      expect(run.finalReport?.content).toBe("all");
      const offered = script.requests.map(({ tools }) => (tools ?? []).map(({ name }) => name));
      expect(offered).toEqual([["lookup", REPORT], [REPORT]]);
    },
  );

  test("a run that returns a stream of parts rejects, with what to return", async () => {
    const { model } = sdk.script([{ text: "done" }]);
    const session = agentSession({ ...quiet, targets: [{ model }], tools: {} });
    const run = session.run((options) =>
      sdk.ai.streamText({ ...options, prompt: "Go." }).toUIMessageStream(),
    );
    await expect(run).rejects.toThrow("Return what agent.stream or streamText returned");
  });
});
