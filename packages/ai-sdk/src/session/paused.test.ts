import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeVersions } from "../testing/every-sdk.ts";

const ask = tool({ description: "Asks the user.", inputSchema: z.object({ what: z.string() }) });
const pay = tool({
  description: "Pays.",
  inputSchema: z.object({ what: z.string() }),
  needsApproval: true,
  execute: ({ what }) => `paid ${what}`,
});

describeVersions((sdk) => {
  test.for([
    ["ask", "paused: the result of ask is to come"],
    ["pay", "paused: a call waits for approval"],
  ])("a run that waits for somebody is paused: %s", async ([name = "", error], { skip }) => {
    skip(name === "pay" && sdk.version === 5, "version 5 knows no approval");
    const calls = [{ id: "c1", name, input: '{"what":"it"}' }];
    const { model } = sdk.script([{ calls }]);
    const session = sdk.session.agentSession({ targets: [{ model }], tools: { ask, pay } });
    const result = await session.run(async (options) =>
      sdk.ai.generateText({ ...options, prompt: "Pay." }),
    );
    expect(result).toMatchObject({ success: false, error });
    expect(result.finalReport).toBeUndefined();
    expect(result.conversation.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(result.value?.steps).toHaveLength(1);
  });
});
