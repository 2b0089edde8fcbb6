import { REPORT_TOOL } from "@toolcontract/session/adapter";
import type { ToolSet } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeModes } from "../testing/both-ends.ts";
import { runSession } from "../testing/run-session.ts";
import { quiet } from "../testing/travel.ts";

describeModes((sdk, mode) => {
  test.each([
    ["the only tool", false],
    ["one of two", true],
  ])(
    "after a message of nothing but calls of a blocked tool comes the last turn: %s",
    async (_, hasOther) => {
      const rent = sdk.ai.tool({
        inputSchema: z.object({ days: z.number() }),
        execute: async () => "rented",
      });
      const look = sdk.ai.tool({ inputSchema: z.object({}), execute: async () => "seen" });
      const tools: ToolSet = { rent, ...(hasOther && { look }) };
      const model = sdk.script((index, { tools: offered = [] }) =>
        offered.every(({ name }) => name === REPORT_TOOL)
          ? { text: "Sorry." }
          : { calls: [{ id: `c${index}`, name: "rent", input: '{"days":"x"}' }] },
      );
      const session = sdk.session.agentSession({
        ...quiet,
        targets: [{ model: model.model }],
        tools,
        maxTurns: 9,
      });
      const result = await runSession(sdk, mode, session);
      expect(result).toMatchObject({ success: true, finalReport: { content: "Sorry." } });
      const others = hasOther ? ["look"] : [];
      const all = ["rent", ...others, REPORT_TOOL];
      const names = model.requests.map((request) => request.tools?.map(({ name }) => name));
      expect(names).toEqual(
        [all, all, all, [...others, REPORT_TOOL], [REPORT_TOOL]].slice(0, names.length),
      );
      expect(names.length).toBeLessThanOrEqual(5);
    },
  );
});
