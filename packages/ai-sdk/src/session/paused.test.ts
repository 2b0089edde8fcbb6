import { tool, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeVersions } from "../testing/every-sdk.ts";

const what = { inputSchema: z.object({ what: z.string() }) };
const tools: ToolSet = {
  ask: { description: "Asks the user.", ...what },
  pay: tool({ ...what, needsApproval: true, execute: (input) => `paid ${input.what}` }),
};

describeVersions((sdk) => {
  test.for([
    ["ask", "paused: the result of ask is to come"],
    ["pay", "paused: a call waits for approval"],
  ])("a run that waits for somebody is paused: %s", async ([name = "", error], { skip }) => {
    skip(name === "pay" && sdk.version === 5, "version 5 knows no approval");
    const calls = [{ id: "c1", name, input: '{"what":"it"}' }];
    const { model } = sdk.script([{ calls }]);
    const session = sdk.session.agentSession({ targets: [{ model }], tools });
    const result = await session.run(async (options) =>
      sdk.ai.generateText({ ...options, prompt: "Pay." }),
    );
    expect(result).toMatchObject({ success: false, error });
    expect(result.finalReport).toBeUndefined();
    expect(result.conversation.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(result.value?.steps).toHaveLength(1);
  });
});
