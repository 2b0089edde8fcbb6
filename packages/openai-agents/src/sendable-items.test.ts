import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withSendableItems } from "./sendable-items.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";
import { loadSdk } from "./testing/sdk.ts";
import { GOOD, quiet, weatherWith } from "./testing/weather.ts";

type Item = Readonly<Record<string, unknown>>;
type Request = Parameters<typeof withSendableItems>[0];

const call = (callId: string, name = "get_weather", args = GOOD): Item => {
  return { type: "function_call", callId, name, arguments: args, status: "completed" };
};
const result = (callId: string, name = "get_weather"): Item => {
  return { type: "function_call_result", callId, name, output: { type: "text", text: "r" } };
};
const user: Item = { role: "user", content: "go" };
const thought: Item = { type: "reasoning", content: [] };
const said: Item = { type: "message", role: "assistant", content: [] };
const sent = (...input: readonly Item[]): readonly Item[] => {
  const request = { input } as unknown as Request;
  return withSendableItems(request).input as unknown as readonly Item[];
};

describe("the items of a request", () => {
  test.each<[string, readonly Item[]]>([
    ["whole turns", [user, thought, call("a"), said, call("b"), result("b"), result("a"), user]],
    [
      "other items that have results",
      [user, call("a"), { type: "computer_call" }, { type: "computer_call_result" }, result("a")],
    ],
    ["nothing", []],
  ])("stay the same: %s", (_, input) => {
    const request = { input } as unknown as Request;
    expect(withSendableItems(request)).toBe(request);
  });

  test("what a server keeps stays as it is: its calls are not here", () => {
    for (const kept of [{ previousResponseId: "r" }, { conversationId: "c" }]) {
      const request = { input: [result("a")], ...kept } as unknown as Request;
      expect(withSendableItems(request)).toBe(request);
    }
  });

  test("an open call has an answer after the calls of its response", () => {
    const input = [user, call("a"), call("b", "pay"), result("a"), user];
    const shown = sent(...input);
    expect(shown.map(({ type = "message", callId }) => [type, callId])).toEqual([
      ["message", undefined],
      ["function_call", "a"],
      ["function_call", "b"],
      ["function_call_result", "a"],
      ["function_call_result", "b"],
      ["message", undefined],
    ]);
    expect(JSON.stringify(shown[4])).toContain("outcome of this call is unknown");
  });

  test("whatever they are, each call has one answer, and a second repair changes nothing", () => {
    const id = fc.constantFrom("a", "b", "", "x:1");
    const item = fc.oneof(
      fc.tuple(id, id, fc.json()).map(([a, b, c]) => call(a, b, c)),
      fc.tuple(id, id).map(([a, b]) => result(a, b)),
      fc.constantFrom(user, thought, said),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (input) => {
        const shown = sent(...input);
        const ids = (type: string) =>
          shown.filter((one) => one["type"] === type).map(({ callId }) => callId);
        const calls = ids("function_call");
        const answers = ids("function_call_result");
        expect(new Set(calls).size).toBe(calls.length);
        expect([answers.length, new Set(answers)]).toEqual([calls.length, new Set(calls)]);
        expect(sent(...shown)).toEqual(shown);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a run", async () => {
  const sdk = await loadSdk("0.20");
  const { weather, agentOf } = weatherWith(sdk);

  test.each([
    ["functions.load", GOOD, "c1"],
    ["load file", GOOD, "c1"],
    [`load_${"k".repeat(90)}`, GOOD, "c1"],
    ["get_weather", '["x"]', "c1"],
    ["get_weather", "null", "c1"],
    ["get_weather", GOOD, "functions.load:0"],
    ["get_weather", GOOD, "i".repeat(60)],
  ])(
    "sends a call of %j with %j and the id %j as every provider takes it",
    async (name, args, id) => {
      const model = scriptedModel([{ id, name, args }]);
      const { agent, runner } = sdk.adapter.withContract(agentOf(model, weather().tool), quiet);
      expect((await runner.run(agent, "Go.")).finalOutput).toBe("Done.");
      const items = model.requests.at(-1)?.input as unknown as readonly Item[];
      const [made] = items.filter(({ type }) => type === "function_call");
      expect(made?.["name"]).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(made?.["callId"]).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
      expect(String(made?.["arguments"])).toMatch(/^\{.*\}$/);
      expect(Object.keys(answersIn(model))).toEqual([made?.["callId"]]);
    },
  );
});
