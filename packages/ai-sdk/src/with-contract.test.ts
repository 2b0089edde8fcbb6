import { expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";

const quiet = { logger: () => undefined };

describeModes((sdk, mode) => {
  test("an invalid call is answered and corrected; a valid one runs with its defaults", async () => {
    const ran: unknown[] = [];
    const read_file = sdk.ai.tool({
      inputSchema: z.object({
        path: z.string().min(1),
        encoding: z.enum(["utf-8", "ascii"]).default("utf-8"),
      }),
      execute: async (input) => {
        ran.push(input);
        return "Buy milk";
      },
    });
    const model = sdk.script([
      { calls: [{ id: "call_1", name: "read_file", input: '{"path":7,"encoding":"utf8"}' }] },
      { calls: [{ id: "call_2", name: "read_file", input: '{"path":"notes.txt"}' }] },
      { text: "You need milk." },
    ]);
    const tools = { read_file };
    const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(8) });
    const { text } = await sdk.run(mode, { model, settings });
    expect(text).toBe("You need milk.");
    expect(ran).toEqual([{ path: "notes.txt", encoding: "utf-8" }]);
    expect(model.requests[1]!.prompt.at(-1)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "call_1", output: { type: "error-text" } }],
    });
    expect(textOf(model.requests[1]!.prompt, "call_1")).toBe(
      `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii"
  Actual: "utf8"
  Hint: use "utf-8"
• /path (VAL-002): Type mismatch: expected string, got integer
  Expected: string, at least 1 character
  Actual: 7
  Hint: use "7"

Correct these and call 'read_file' again with all arguments.`,
    );
  });
});

describeVersions((sdk) => {
  test("a tool of an older version throws, because its schema would not be found", () => {
    const find = { description: "Finds.", parameters: z.object({ id: z.int() }), execute: () => 1 };
    expect(() =>
      sdk.adapter.withContract({ ...quiet, tools: { find } as never, stopWhen: steps(8) }),
    ).toThrow(/'find' has 'parameters' and no 'inputSchema'.*as 'inputSchema'/);
  });

  test("one guarded set serves many runs at once", async () => {
    const tools = {
      find: sdk.ai.tool({ inputSchema: z.object({ id: z.int() }), execute: async () => "found" }),
    };
    const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: steps(8) });
    const runs = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const calls = Array.from({ length: index % 3 }, (__, number) => ({
          calls: [{ id: `call_${number}`, name: "find", input: "{}" }],
        }));
        const model = sdk.script([...calls, { text: "done" }]);
        const { messages } = await sdk.run("generateText", { model, settings });
        return calls.map((___, number) => /\d\/3/.exec(textOf(messages, `call_${number}`))?.[0]);
      }),
    );
    for (const [index, numbers] of runs.entries())
      expect(numbers).toEqual(["1/3", "2/3"].slice(0, index % 3));
  });
});
