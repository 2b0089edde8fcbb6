import { expect, test } from "vitest";
import { describeModes } from "./testing/every-sdk.ts";
import { steps } from "./testing/describe-on.ts";
import { bad } from "./testing/travel.ts";

describeModes((sdk, mode) => {
  test.each([
    [{ agentName: "planner" }, "planner"],
    [{}, undefined],
  ])("the log names the agent of %j", async (named, expected) => {
    const names: unknown[] = [];
    const logger = (fields: object): void =>
      void names.push((fields as { readonly agent_name?: string }).agent_name);
    const inputSchema = sdk.ai.jsonSchema({ type: "object", required: ["city"] });
    const tools = { get_weather: sdk.ai.tool({ inputSchema, execute: async () => "Sunny." }) };
    const model = sdk.script([{ calls: [bad("a", "get_weather", "{}")] }]);
    const settings = sdk.adapter.withContract({ tools, logger, stopWhen: steps(1), ...named });
    await sdk.run(mode, { model, settings });
    expect(names).toEqual([expected]);
  });
});
