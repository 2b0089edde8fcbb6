import { describe, expect, test, vi } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

describe.each(LABS)("LangChain $version", (lab) => {
  test.each([
    ["the same call", () => 1, 3],
    ["other calls", (turn: number) => turn, 10],
  ])("a tool that fails in the same way is closed: %s", async (_, seats, runs) => {
    const error = Object.assign(new Error("unprocessable"), { status: 422 });
    const execute = vi.fn(async () => Promise.reject(error));
    const schema = { type: "object", properties: { seats: { type: "number" } } } as const;
    const { tool } = spied(lab, "book", schema, execute);
    const onEscalation = vi.fn();
    const turns = Array.from({ length: 14 }, (__, turn) => {
      const args = JSON.stringify({ seats: seats(turn) });
      return { calls: [{ id: `c${turn}`, name: "book", args }] };
    });
    const config = { configurable: { thread_id: "t" }, recursionLimit: 60 };
    const ran = await runAgent(lab, {
      turns,
      tools: [tool],
      config,
      options: { onEscalation, logger: false },
    });
    expect(execute).toHaveBeenCalledTimes(runs);
    expect(onEscalation).toHaveBeenCalledTimes(1);
    expect(ran.results.at(-1)?.content).toContain(
      `Outcome failed for tool 'book' (attempt ${runs}/10):`,
    );
  });
});
