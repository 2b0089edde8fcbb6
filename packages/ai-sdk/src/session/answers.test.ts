import { jsonSchema, type ToolSet } from "ai";
import { afterEach, expect, test, vi } from "vitest";
import { describeModes } from "../testing/every-sdk.ts";
import { call, type RawAnswer, rawModel, type RawModel, text } from "../testing/raw-model.ts";
import { runSession } from "../testing/run-session.ts";
import type { Mode, Sdk } from "../testing/sdk.ts";
import type { AgentSessionOptions, SessionResult } from "./index.ts";

afterEach(() => vi.restoreAllMocks());

const STRICT = { type: "object", required: ["path"], properties: { path: { type: "string" } } };
const tools: ToolSet = {
  read: { inputSchema: jsonSchema(STRICT as object), execute: async () => "notes" },
};
const READ = call("c", "read", { path: "a" });
const WRONG: RawAnswer = { content: [call("c", "read", {})] };

interface Ran {
  readonly result: SessionResult<unknown>;
  readonly requests: RawModel["requests"];
}

async function run(
  sdk: Sdk,
  mode: Mode,
  answers: Parameters<typeof rawModel>[1],
  options: Partial<AgentSessionOptions<ToolSet>> = {},
  settings: object = {},
): Promise<Ran> {
  const { model, requests } = rawModel(sdk.version, answers);
  const given = { targets: [{ model }], tools, logger: false, ...options };
  const session = sdk.session.agentSession<ToolSet>(given as AgentSessionOptions<ToolSet>);
  return { result: await runSession(sdk, mode, session, settings), requests };
}

describeModes((sdk, mode) => {
  test.each([
    ["final_report", { maxTurns: 1 }],
    ["final_report", {}],
    ["agent.final_report", {}],
    ["agent_finalReport", {}],
  ])("a report under the name %s is the report: %j", async (name, options) => {
    const answer = { content: [call("r", name, { content: "done" })] };
    const { result } = await run(sdk, mode, [answer], { maxToolCallsPerTurn: 1, ...options });
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
    expect(result.accounting[1]).toMatchObject({ command: "agent__final_report", status: "ok" });
    expect(JSON.stringify(result.conversation)).not.toContain(`"${name}"`);
  });

  test("your own tool of such a name is yours", async () => {
    const final_report = { inputSchema: jsonSchema({ type: "object" }), execute: () => "filed" };
    const answers = [{ content: [call("r", "final_report")] }, { content: [text("done")] }];
    const { result } = await run(sdk, mode, answers, { tools: { final_report } });
    expect(result.accounting[1]).toMatchObject({ command: "final_report", status: "ok" });
    expect(result.finalReport?.content).toBe("done");
  });

  test.each(["other", "unknown", "length"])(
    "whole calls of an answer that ended with %s run",
    async (finishReason) => {
      const { result } = await run(sdk, mode, [
        { content: [READ], finishReason },
        { content: [call("r", "agent__final_report", { content: "done" })], finishReason },
      ]);
      expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
      expect(result.accounting).toMatchObject([
        { type: "llm", stopReason: finishReason },
        { command: "read", status: "ok" },
        { type: "llm" },
        { command: "agent__final_report", status: "ok" },
      ]);
    },
  );

  test.each([
    ["", "length"],
    ["", "other"],
    ["{}", "length"],
  ])(
    "a call that ends with %j and %s may have had arguments, and is asked for again",
    async (input, finishReason) => {
      const ran: unknown[] = [];
      const wipe = {
        inputSchema: jsonSchema({ type: "object" }),
        execute: async (given: unknown) => void ran.push(given),
      };
      const { result, requests } = await run(
        sdk,
        mode,
        [{ content: [call("c", "wipe", input)], finishReason }, { content: [text("done")] }],
        { tools: { wipe } },
      );
      expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
      expect([ran, requests.length]).toEqual([[], 2]);
    },
  );

  test("a call without arguments runs if something follows it", async () => {
    const ran: unknown[] = [];
    const look = {
      inputSchema: jsonSchema({ type: "object" }),
      execute: async (given: unknown) => void ran.push(given),
    };
    const content = [call("c", "look", ""), text("Let me lo")];
    await run(sdk, mode, [{ content, finishReason: "length" }, { content: [text("done")] }], {
      tools: { look },
    });
    expect(ran).toEqual([{}]);
  });

  test("an answer stays one if the SDK wanted a call", async () => {
    const answers = [{ content: [text("done")] }];
    const settings = { toolChoice: "required" };
    const { result, requests } = await run(sdk, mode, answers, { maxTurns: 1 }, settings);
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
    expect(result.conversation.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(requests[0]?.toolChoice).toEqual({ type: "auto" });
  });

  test("words beside a call that the SDK has not answered are no answer", async () => {
    const answers = [{ content: [text("I read them."), READ] }];
    const stopWhen = (): never => {
      throw new Error("cannot stop");
    };
    const { result } = await run(sdk, mode, answers, { stopWhen });
    expect(result).toMatchObject({ success: false, error: "cannot stop" });
    expect(result.conversation.map(({ role }) => role)).toEqual(["user"]);
  });

  test.each<[string, RawAnswer]>([
    ["text", { content: [text("done")] }],
    ["a report", { content: [call("r", "agent__final_report", { content: "done" })] }],
  ])("%s stays the answer beside an output of your own", async (_, answer) => {
    const { Output } = sdk.ai as { readonly Output: typeof sdk.ai.Output };
    const output = Output.object({ schema: jsonSchema({ type: "object" }) });
    const settings = { output, experimental_output: output };
    const { result } = await run(sdk, mode, [answer], {}, settings);
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
  });

  test.each([null, {}, 7, { inputTokens: null, outputTokens: { total: "many" } }])(
    "usage that is %j loses no answer",
    async (usage) => {
      const { result } = await run(sdk, mode, [
        { content: [READ], usage },
        { content: [text("done")], usage },
      ]);
      expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
      for (const entry of result.accounting) {
        if (entry.type === "llm") expect(entry.tokens.totalTokens).toBe(0);
      }
    },
  );

  test.each(["stop", "throw"] as const)(
    "an escalation is the run's error: %s",
    async (escalate) => {
      const { result } = await run(sdk, mode, () => WRONG, { escalate });
      expect(result).toMatchObject({
        success: false,
        error: "Tool 'read' is blocked after attempt 3",
        finalReport: { status: "failure", metadata: { reason: "no_answer" } },
      });
      expect(result.conversation).toHaveLength(7);
    },
  );

  test.each([{}, { activeTools: ["read"] }])(
    "the only tool is dropped too, because the report is left: %j",
    async (options) => {
      const answers = [WRONG, WRONG, WRONG, { content: [text("done")] }];
      const { result, requests } = await run(sdk, mode, answers, options);
      expect(result.success).toBe(true);
      const names = requests.map(({ tools: offered = [] }) => offered.map(({ name }) => name));
      expect(names).toEqual([
        ["read", "agent__final_report"],
        ["read", "agent__final_report"],
        ["read", "agent__final_report"],
        ["agent__final_report"],
      ]);
    },
  );

  test("a model of another function's options is a misuse", async () => {
    const other = rawModel(sdk.version, [{ content: [text("unlimited")] }]);
    const ran = run(sdk, mode, [], {}, { model: other.model });
    await expect(ran).rejects.toMatchObject({
      name: "ToolContractError",
      message: expect.stringContaining("Spread the options after your own"),
    });
  });

  test("nothing is printed", async () => {
    const printed = (["log", "info", "warn", "error"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    await run(sdk, mode, [{ fails: { with: "down" } }, { fails: { with: "down" } }]);
    await run(sdk, mode, () => ({ fails: { with: { status: 401, message: "bad key" } } }));
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });
});
