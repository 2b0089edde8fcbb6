import { createGuardrails } from "@toolcontract/guardrails";
import { experimental_toolCaller as toolCaller, type ToolSet, toolSearch } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";

const input = z.object({ tool: z.string(), input: z.unknown() });
type Runnable = { execute: (given: unknown, options: unknown) => unknown };

/** A tool that runs other tools, and tells the model in a message which: again after each that was found. */
function runner({ tool }: Pick<typeof import("ai"), "tool">): ToolSet[string] {
  const unbound = tool({ inputSchema: input, execute: () => "unbound" });
  return toolCaller(unbound, {
    type: "local",
    bind: (tools) =>
      tool({
        inputSchema: input,
        execute: async (call, options) =>
          (tools[call.tool] as unknown as Runnable).execute(call.input, options),
      }),
    prepareModelMessage: (tools) => `You can run: ${Object.keys(tools).join(", ")}`,
  });
}

describeModes((sdk, mode) => {
  function desk() {
    const ran: number[] = [];
    const hotel = { description: "finds a hotel", inputSchema: z.object({ n: z.number() }) };
    const tools = {
      code: runner(sdk.ai),
      find: toolSearch(),
      hotel: sdk.ai.tool({ ...hotel, deferLoading: true, execute: async () => "found" } as never),
      refund: sdk.ai.tool({
        inputSchema: z.object({ euros: z.number() }),
        execute: async ({ euros }) => (ran.push(euros), "done"),
      }),
    };
    return { ran, tools: tools as unknown as ToolSet };
  }

  const refund = (id: string, euros: unknown) => ({
    id,
    name: "refund",
    input: JSON.stringify({ euros }),
  });
  const find = {
    id: "find",
    name: "code",
    input: JSON.stringify({ tool: "find", input: { query: "hotel" } }),
  };
  const experimental_toolCallers = { find: ["code"], hotel: ["code"] };

  test.runIf(sdk.version === 7)(
    "limits know the run of a call whose tools were announced in a message",
    async () => {
      const { tools, ran } = desk();
      const logged: unknown[] = [];
      const guardrails = createGuardrails({
        effects: { refund: "irreversible" },
        guardrails: [],
        limits: { budget: { max: 10 } },
        spends: { refund: ({ args }) => ({ budget: (args as { euros: number }).euros }) },
      });
      const model = sdk.script([
        { calls: [refund("1", 1)] },
        { calls: [find] },
        { calls: [refund("2", 6)] },
        { calls: [refund("3", 6)] },
        { text: "end" },
      ]);
      const guarded = sdk.adapter.withContract({
        tools,
        guardrails,
        logger: (_, message) => logged.push(message),
        stopWhen: steps(5),
      });
      const settings = { ...guarded, experimental_toolCallers };
      const { messages } = await sdk.run(mode, { model, settings });
      expect(ran).toEqual([1, 6]);
      expect(textOf(messages, "3")).toContain("3 are left");
      expect(logged).not.toContain("Tool contract degraded");
    },
  );

  test.runIf(sdk.version === 7)("an announcement is not a message of the user", async () => {
    const { tools } = desk();
    const model = sdk.script([
      { calls: [refund("1", "a")] },
      { calls: [find, refund("2", "b")] },
      { calls: [refund("3", "c")] },
      { text: "end" },
    ]);
    const settings = {
      ...sdk.adapter.withContract({ tools, logger: false, stopWhen: steps(4) }),
      experimental_toolCallers,
    };
    const { messages } = await sdk.run(mode, { model, settings });
    expect(["1", "2", "3"].map((id) => textOf(messages, id)?.match(/\(.*?\)/)?.[0])).toEqual([
      "(attempt 1/3)",
      "(attempt 2/3)",
      "(attempt 3/3)",
    ]);
  });
});
