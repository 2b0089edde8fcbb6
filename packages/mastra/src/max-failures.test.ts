import { expect, test, vi } from "vitest";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const lab = await loadMastra("1.71");

async function run(city: (turn: number) => string, options: object) {
  const error = Object.assign(new Error("unprocessable"), { status: 422 });
  const execute = vi.fn(async () => Promise.reject(error));
  const turns = Array.from({ length: 14 }, (_, turn) => {
    const args = JSON.stringify({ city: city(turn) });
    return [{ id: `c${turn}`, name: "get_weather", args }];
  });
  const model = scriptedModel(...turns);
  const inputSchema = z.object({ city: z.string() });
  const given = { id: "get_weather", description: "The weather.", inputSchema, execute };
  const tools = { get_weather: lab.tools.createTool(given as never) };
  const config = { id: "a", name: "a", instructions: "Go.", model, tools } as never;
  const onEscalation = vi.fn();
  const guarded = lab.adapter.withContract(config, { logger: false, onEscalation, ...options });
  await new lab.agent.Agent(guarded).generate("Go", { maxSteps: 20 });
  return { execute, onEscalation, read: JSON.stringify(model.requests.at(-1)?.prompt) };
}

test.each([
  ["the same call", () => "Oslo", 3],
  ["other calls", (turn: number) => `Oslo ${turn}`, 10],
])("a tool that fails in the same way is closed: %s", async (_, city, runs) => {
  const { execute, onEscalation, read } = await run(city, { conversationId: "chat-1" });
  expect(execute).toHaveBeenCalledTimes(runs);
  expect(onEscalation).toHaveBeenCalledTimes(1);
  expect(read).toContain(`Outcome failed for tool 'get_weather' (attempt ${runs}/10):`);
});

test("nothing is counted where neither conversations nor runs are told apart", async () => {
  const { execute, onEscalation } = await run(() => "Oslo", {});
  expect(execute).toHaveBeenCalledTimes(14);
  expect(onEscalation).not.toHaveBeenCalled();
});
