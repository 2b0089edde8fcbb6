import { expect, test } from "vitest";
import type { ReplyFacts, SessionLimits, Target } from "../shared/index.ts";
import { createSession } from "./index.ts";

const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** Runs turns in which the model only writes, until none is left. */
async function answered(
  texts: readonly string[],
  limits: SessionLimits,
): Promise<{ readonly finalReport: unknown; readonly statuses: readonly string[] }> {
  const target: Target<string> = { model: "m" };
  const session = createSession(
    { targets: [target], clock: () => 7, ...limits },
    { where: "test", nameOf: () => ({ provider: "p", model: "m" }) },
  );
  let asked = 0;
  const { finalReport, accounting } = await session.run({
    call: async (run) =>
      run.turn({ tools: [], messages: () => [] }, async (attempt) => {
        const reply: ReplyFacts = { text: texts[asked] ?? "", hasReasoning: false, calls: [] };
        asked += 1;
        return attempt.end(reply);
      }),
    conversation: () => [],
  });
  return { finalReport, statuses: accounting.map(({ status }) => status) };
}

test.each([
  ["the only turn", { maxTurns: 1 }],
  ["a turn before the last", { maxTurns: 3, maxRetries: 1 }],
])("text in %s is held to the output schema, like a call of the report tool", async (_, limits) => {
  const json = { expectedOutputFormat: "json", outputSchema: CITY, ...limits } as const;
  const report = { status: "success", format: "json", ts: 7, content_json: { city: "Paris" } };
  expect((await answered(['{"city":"Paris"}'], json)).finalReport).toEqual(report);
  const { finalReport } = await answered(['{"town":"Paris"}'], json);
  expect(finalReport).toMatchObject({ status: "failure", format: "json" });
});

test("text that the output schema does not accept is asked for again", async () => {
  const json = { expectedOutputFormat: "json", outputSchema: CITY } as const;
  const { finalReport, statuses } = await answered(['{"town":"Paris"}', '{"city":"Paris"}'], json);
  expect(statuses).toEqual(["failed", "ok"]);
  expect(finalReport).toMatchObject({ content_json: { city: "Paris" } });
});
