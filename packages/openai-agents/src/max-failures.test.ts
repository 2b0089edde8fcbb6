import { describe, expect, test, vi } from "vitest";
import { newest, oldest } from "./testing/both-ends.ts";
import { scriptedModel } from "./testing/scripted-model.ts";
import { quiet, WEATHER, weatherWith } from "./testing/weather.ts";

describe.each([newest, oldest])("OpenAI Agents $version", (sdk) => {
  test.each([
    ["the same call", () => "Oslo", 3],
    ["other calls", (turn: number) => `Oslo ${turn}`, 10],
  ])("a tool that fails in the same way is closed: %s", async (_, city, runs) => {
    const error = Object.assign(new Error("unprocessable"), { status: 422 });
    const execute = vi.fn(async () => Promise.reject(error));
    const given = { name: "get_weather", description: "The weather.", parameters: WEATHER };
    // The SDK answers what the function of a tool of its own throws, and says nothing of it.
    const tool = sdk.adapter.tool({ ...given, strict: false, execute } as never);
    const turns = Array.from({ length: 14 }, (__, turn) => {
      const args = JSON.stringify({ city: city(turn) });
      return [{ id: `c${turn}`, name: "get_weather", args }];
    });
    const model = scriptedModel(...turns);
    const onEscalation = vi.fn();
    const own = weatherWith(sdk).agentOf(model, tool);
    const { agent, runner } = sdk.adapter.withContract(own, { ...quiet, onEscalation });
    await runner.run(agent, "Go", { maxTurns: 20 });
    expect(execute).toHaveBeenCalledTimes(runs);
    expect(onEscalation).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(model.requests.at(-1)?.input)).toContain(
      `Outcome failed for tool 'get_weather' (attempt ${runs}/10):`,
    );
  });
});
