import { expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";

const TEXT = "exactly this\nand nothing else";

// What this package relies on, tried on the bare SDK. If one fails, read docs/decisions/adapters.md.
describeModes((sdk, mode) => {
  const find = sdk.ai.tool({
    inputSchema: z.object({ id: z.int() }),
    execute: async () => "found",
  });
  const mutate = async ({ error }: { readonly error: Error }): Promise<null> => {
    Object.defineProperty(error, "message", { value: TEXT });
    Object.defineProperty(error, "toString", { value: () => TEXT });
    return null;
  };
  const settings = {
    tools: { find },
    ...(sdk.version === 7 ? { repairToolCall: mutate } : { experimental_repairToolCall: mutate }),
    stopWhen: steps(2),
  };

  test.each([
    ["a wrong argument", "find", '{"id":"x"}'],
    ["malformed JSON", "find", '{"id":'],
    ["an unknown tool", "found", '{"id":7}'],
  ])(
    "the SDK answers with the error that a repair function changed: %s",
    async (_, name, input) => {
      const model = sdk.script([{ calls: [{ id: "call_1", name, input }] }, { text: "sorry" }]);
      const { messages, steps: ran, chunks } = await sdk.run(mode, { model, settings });
      expect(textOf(messages, "call_1")).toBe(TEXT);
      expect(textOf(model.requests[1]!.prompt, "call_1")).toBe(TEXT);
      const [made] = ran[0]!.toolCalls as unknown as [
        { readonly invalid: boolean; readonly error: Error },
      ];
      expect([made.invalid, made.error.message]).toEqual([true, TEXT]);
      const shown = chunks.flatMap((chunk) =>
        chunk.type === "tool-input-error" ? [chunk.errorText] : [],
      );
      if (chunks.length > 0) expect(shown).toEqual([TEXT]);
    },
  );
});

describeModes((sdk, mode) => {
  test("the SDK keeps a schema's TypeValidationError unchanged, and does not print the value", async () => {
    const error = new sdk.ai.TypeValidationError({ value: undefined, cause: undefined });
    const inputSchema = sdk.ai.jsonSchema(
      { type: "object" },
      {
        validate: (value: unknown) => {
          Object.defineProperty(error, "value", { get: () => value });
          return { success: false, error };
        },
      },
    );
    const seen: unknown[] = [];
    const look = async ({ error: given }: { readonly error: Error }): Promise<null> => {
      seen.push(given.cause);
      return null;
    };
    const settings = {
      tools: { find: sdk.ai.tool({ inputSchema }) },
      repairToolCall: look,
      experimental_repairToolCall: look,
    };
    const model = sdk.script([
      { calls: [{ id: "call_1", name: "find", input: '{"card":"4111"}' }] },
    ]);
    await sdk.run(mode, { model, settings });
    expect(seen).toEqual([error]);
    expect(seen[0]).toBe(error);
  });
});
