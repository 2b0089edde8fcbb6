import { jsonSchema, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { describeVersions } from "../testing/every-sdk.ts";

describeVersions((sdk) => {
  test("a tool that runs at the provider is reported once per run", async () => {
    const type = sdk.version === 7 ? "provider" : "provider-defined";
    const search = { type, id: "openai.web_search", name: "search", args: {} };
    const tools = {
      search: { ...search, inputSchema: jsonSchema({ type: "object" }) },
    } as unknown as ToolSet;
    const details: string[] = [];
    const session = sdk.session.agentSession({
      targets: [{ model: sdk.script([{ text: "a" }, { text: "b" }]).model }],
      tools,
      onEvent: (event) => {
        if (event.type === "not-judged") details.push(`${event.what}: ${event.detail}`);
      },
    });
    const detail = "provider-tool: Tools that run at the provider are outside of the limits";
    for (const seen of [[detail], [detail, detail]]) {
      await session.run(async (options) => sdk.ai.generateText({ ...options, prompt: "Hello" }));
      expect(details).toEqual(seen);
    }
  });
});
