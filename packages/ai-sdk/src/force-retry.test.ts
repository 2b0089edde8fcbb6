import { expect, test } from "vitest";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";

describeModes((sdk, mode) => {
  const bad = (id: string) => ({ calls: [{ id, name: "book", input: '{"seats":"two"}' }] });
  const inputSchema = z.object({ seats: z.number() });
  const tools = {
    book: sdk.ai.tool({ inputSchema, execute: async () => "booked" }),
    cancel: sdk.ai.tool({ inputSchema: z.object({}), execute: async () => "cancelled" }),
  };
  const options = { tools, retryWith: "tool-choice", logger: false, stopWhen: steps(6) } as const;
  const AUTO = { type: "auto" };
  const BOOK = { type: "tool", toolName: "book" };

  test("the next request after a refusal names the tool, once", async () => {
    const good = { calls: [{ id: "c", name: "book", input: '{"seats":2}' }] };
    const model = sdk.script([bad("a"), bad("b"), good, { text: "Done." }]);
    await sdk.run(mode, { model, settings: sdk.adapter.withContract(options) });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([AUTO, BOOK, AUTO, AUTO]);
  });

  test("a model that does something else ends no run", async () => {
    const other = { calls: [{ id: "b", name: "cancel", input: "{}" }] };
    for (const said of [other, { text: "I would rather not." }]) {
      const model = sdk.script([bad("a"), said, { text: "Done." }]);
      const { text } = await sdk.run(mode, { model, settings: sdk.adapter.withContract(options) });
      expect(text).not.toBe("");
    }
  });

  test("a blocked tool is never named", async () => {
    const model = sdk.script([bad("a"), { text: "Done." }]);
    const settings = sdk.adapter.withContract({ ...options, maxAttempts: 1 });
    await sdk.run(mode, { model, settings });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([AUTO, AUTO]);
  });
});
