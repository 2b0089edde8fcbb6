import fc from "fast-check";
import { expect, test } from "vitest";
import { newest } from "./testing/both-ends.ts";
import { scriptedModel } from "./testing/scripted-model.ts";
import { quiet, weatherWith } from "./testing/weather.ts";

const { weather, agentOf } = weatherWith(newest);
const VALID = new Map([
  ['{"city":"Oslo"}', "Oslo"],
  ['{ "city": "Oslo" }', "Oslo"],
  ['{"city":"Bergen"}', "Bergen"],
]);

const calls = fc.record({
  id: fc.constantFrom("", "call_0", "call_1", "__proto__"),
  name: fc.constant("get_weather"),
  args: fc.oneof(fc.constantFrom(...VALID.keys()), fc.constantFrom('{"city":5}', "{", "", "[1]")),
});
const conversations = fc.array(fc.array(calls, { minLength: 1, maxLength: 3 }), { maxLength: 4 });

test("whatever ids come again, a valid call runs once, and each call of the history has one answer", async () => {
  await fc.assert(
    fc.asyncProperty(conversations, async (messages) => {
      const { tool, runs } = weather();
      const { agent, runner } = newest.adapter.withContract(
        agentOf(scriptedModel(...messages), tool),
        quiet,
      );
      const { history, finalOutput } = await runner.run(agent, "Go.");
      const seen = new Set<string>();
      const due = messages.flat().flatMap(({ id, args }) => {
        const city = VALID.get(args);
        const isRepeated = id !== "" && seen.has(`${id} ${city}`);
        if (city === undefined || isRepeated) return [];
        seen.add(`${id} ${city}`);
        return [{ city }];
      });
      expect(runs).toEqual(due);
      expect(finalOutput).toBe("Done.");
      const idsOf = (type: string) =>
        history.flatMap((item) => (item.type === type && "callId" in item ? item.callId : []));
      const ids = idsOf("function_call");
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain("");
      expect(new Set(idsOf("function_call_result"))).toEqual(new Set(ids));
      expect(idsOf("function_call_result")).toHaveLength(ids.length);
    }),
  );
});
