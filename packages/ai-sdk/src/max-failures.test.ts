import { expect, test, vi } from "vitest";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";

describeModes((sdk, mode) => {
  test.each([
    ["the same call", () => 0, 3],
    ["other calls", (turn: number) => turn, 10],
  ])("a tool that fails in the same way is closed: %s", async (_, seats, runs) => {
    const error = Object.assign(new Error("unprocessable"), { status: 422 });
    const execute = vi.fn(async (): Promise<string> => {
      throw error;
    });
    const tools = { book: sdk.ai.tool({ inputSchema: z.object({ seats: z.number() }), execute }) };
    const onEscalation = vi.fn();
    const model = sdk.script((index) => ({
      calls: [{ id: `c${index}`, name: "book", input: JSON.stringify({ seats: seats(index) }) }],
    }));
    const options = { tools, onEscalation, logger: false, stopWhen: steps(20) } as const;
    const { messages } = await sdk.run(mode, {
      model,
      settings: sdk.adapter.withContract(options),
    });
    expect(execute).toHaveBeenCalledTimes(runs);
    expect(onEscalation).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(messages)).toContain(
      `Outcome failed for tool 'book' (attempt ${runs}/10):`,
    );
  });
});
