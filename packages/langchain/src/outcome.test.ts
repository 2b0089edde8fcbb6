import { ToolMessage } from "@langchain/core/messages";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { Outcome } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { isOutcome, outcomeIn } from "./outcome.ts";
import { LABS } from "./testing/every-langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const failure = Outcome.error("sold_out", "the supplier refused");
const saying = (content: unknown): ToolMessage =>
  new ToolMessage({ content: content as string, tool_call_id: "a" });

test("a failure is read back from the message that LangChain made of it", () => {
  expect(outcomeIn(saying(JSON.stringify(failure)))).toEqual({ ...failure });
  expect(isOutcome(outcomeIn(saying(JSON.stringify(failure))))).toBe(true);
});

test.each<[string, unknown]>([
  ["a success, which data may look like", saying(JSON.stringify(Outcome.ok(1)))],
  ["other data", saying('{"status":"error"}')],
  ["JSON that is cut off", saying('{"status":"error","error_type":"x"')],
  ["blocks", saying([{ type: "text", text: JSON.stringify(failure) }])],
  ["no message", failure],
])("%s is not a failure", (_, message) => {
  expect(outcomeIn(message)).toBeUndefined();
});

const passing: ExecutionStage = {
  name: "pass",
  lanes: { outcome: 2 },
  around: async ({ run }) => ({ action: "return", value: await run() }),
};

describe.each(LABS)("an outcome that nothing unwraps, langchain $version", (lab) => {
  const schema = { type: "object", properties: {} } as const;

  test.each<[string, object]>([
    ["without a stage", {}],
    ["with a stage that does not read it", { guardrails: passing }],
  ])("is a message with its JSON, %s", async (_, options) => {
    const { tool } = spied(lab, "buy", schema, () => failure);
    const turns = [{ calls: [{ id: "a", name: "buy", args: "{}" }] }];
    const { results } = await runAgent(lab, { turns, tools: [tool], options });
    expect(results.map(({ content, name, tool_call_id }) => [content, name, tool_call_id])).toEqual(
      [[JSON.stringify(failure), "buy", "a"]],
    );
    const [wrapped] = lab.adapter.wrapTools([tool], { logger: () => undefined, ...options });
    const call = { type: "tool_call", id: "b", name: "buy", args: {} } as const;
    expect(await wrapped.invoke(call)).toMatchObject({ content: JSON.stringify(failure) });
    expect(await wrapped.invoke({})).toBe(failure);
  });
});
