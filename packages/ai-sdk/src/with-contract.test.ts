import { parseRejection } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadSdk, type Sdk } from "./testing/sdk.ts";

const quiet = { logger: () => undefined };

for (const sdk of [await loadSdk(7), await loadSdk(6), await loadSdk(5)]) {
  for (const mode of sdk.modes) describe(`ai ${sdk.version}, ${mode}`, () => cases(sdk, mode));
}

function cases(sdk: Sdk, mode: Sdk["modes"][number]): void {
  const { tool } = sdk.ai;
  const stopAfter = (count: number) => ({ steps }: { steps: readonly unknown[] }) =>
    steps.length >= count;

  function files(): { ran: unknown[]; tools: Parameters<Sdk["adapter"]["withContract"]>[0]["tools"] } {
    const ran: unknown[] = [];
    const read_file = tool({
      description: "Reads a file",
      inputSchema: z.object({ path: z.string().min(1), encoding: z.enum(["utf-8", "ascii"]).default("utf-8") }),
      execute: async (input) => {
        ran.push(input);
        return "done";
      },
    });
    const list = tool({ inputSchema: z.object({}), execute: async () => "a.txt" });
    return { ran, tools: { read_file, list } };
  }

  test("a valid call runs with defaults, an invalid one is answered and corrected", async () => {
    const { ran, tools } = files();
    const model = sdk.script([
      { calls: [{ id: "call_1", name: "read_file", input: '{"path":7,"encoding":"utf8"}' }] },
      { calls: [{ id: "call_2", name: "read_file", input: '{"path":"notes.txt"}' }] },
      { text: "Here they are." },
    ]);
    const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: stopAfter(8) });
    const result = await sdk.run(mode, { model, settings });
    expect(ran).toEqual([{ path: "notes.txt", encoding: "utf-8" }]);
    expect(result.text).toBe("Here they are.");
    const sent = model.requests[1]!.prompt.at(-1);
    expect(sent).toMatchObject({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "call_1", output: { type: "error-text" } }],
    });
    const { value } = (sent as any).content[0].output;
    expect(value).toMatchInlineSnapshot(`
      "Validation failed for tool 'read_file' (attempt 1/3):

      Errors:
      • /encoding (VAL-008): Invalid enum value
        Expected: one of "utf-8", "ascii"
        Actual: "utf8"
        Hint: use "utf-8"
      • /path (VAL-002): Type mismatch: expected string, got integer
        Expected: string, at least 1 character
        Actual: 7
        Hint: use "7"

      Correct these and call 'read_file' again with all arguments."
    `);
    expect(parseRejection(value)).toMatchObject({ attempt: 1, status: "rejected" });
  });

  test("escalates with drop-tool: the model answers without the tool", async () => {
    const { tools } = files();
    const bad = (id: string) => ({ calls: [{ id, name: "read_file", input: "{}" }] });
    const model = sdk.script([bad("call_1"), bad("call_2"), bad("call_3"), { text: "I need a path." }]);
    const settings = sdk.adapter.withContract({ ...quiet, tools, stopWhen: stopAfter(8) });
    const result = await sdk.run(mode, { model, settings });
    expect(result.text).toBe("I need a path.");
    expect(model.requests.map((request) => request.tools?.map((one) => one.name))).toEqual([
      ["read_file", "list"], ["read_file", "list"], ["read_file", "list"], ["list"],
    ]);
    expect(sdk.adapter.escalationsOf(result.steps)).toMatchObject([{ status: "blocked", attempts: 3 }]);
  });
}
