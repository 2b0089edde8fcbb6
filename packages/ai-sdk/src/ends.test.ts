import type { ToolSet } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import { quiet } from "./testing/travel.ts";

interface Given {
  readonly steps: readonly { readonly toolCalls: readonly unknown[] }[];
}

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;
  const verdict = (id: string, score: unknown) => ({
    calls: [{ id, name: "verdict", input: JSON.stringify({ score }) }],
  });

  test.each(["drop-tool", "stop", "throw"] as const)(
    "hasToolCall ends no run at an invalid call, and the model corrects it (%s)",
    async (escalate) => {
      const tools = { verdict: sdk.ai.tool({ inputSchema: z.object({ score: z.number() }) }) };
      const model = sdk.script([verdict("1", "nine"), verdict("2", 9), { text: "too far" }]);
      const settings = withContract<ToolSet>({
        ...quiet,
        tools: tools as never,
        escalate,
        stopWhen: [sdk.ai.hasToolCall("verdict"), steps(5)] as never,
      });
      const run = await sdk.run(mode, { model, settings });
      expect(model.requests).toHaveLength(2);
      expect(run.steps.at(-1)?.toolCalls.map(({ input }) => input)).toEqual([{ score: 9 }]);
    },
  );

  test("the result keeps the invalid calls that a condition is not shown", async () => {
    const seen: number[] = [];
    const tools = { verdict: sdk.ai.tool({ inputSchema: z.object({ score: z.number() }) }) };
    const model = sdk.script([verdict("1", "nine"), { text: "end" }]);
    const settings = withContract<ToolSet>({
      ...quiet,
      tools: tools as never,
      stopWhen: (({ steps: all }: Given) => {
        seen.push(all.at(-1)?.toolCalls.length ?? 0);
        return false;
      }) as never,
    });
    const run = await sdk.run(mode, { model, settings });
    expect(seen[0]).toBe(0);
    expect(run.steps[0]?.toolCalls).toHaveLength(1);
  });
});
