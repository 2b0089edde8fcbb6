import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/every-langchain.ts";
import { attemptsOf, codeOf } from "./testing/read-messages.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const TOTAL = z.object({ total: z.number() });
const NAMED = z.object({ total: z.number() }).meta({ title: "Total" });
const IN_JSON_SCHEMA = {
  title: "Total",
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
};

describe.each(LABS.filter(({ line }) => line !== "oldest"))(
  "structured output on langchain $version",
  (lab) => {
    const { langchain } = lab;

    const formats = [
      [
        "a strategy of a schema with a title",
        () => langchain.toolStrategy(IN_JSON_SCHEMA as never),
      ],
      ["a strategy of a zod schema with a title", () => langchain.toolStrategy(NAMED)],
      ["a zod schema with a title", () => NAMED],
    ] as const;
    test.each(formats)("%s, malformed, is not treated as an unknown tool", async (_, format) => {
      const { state, script } = await runAgent(lab, {
        turns: ['{"total": 3', '{"total": 3}'].map((args, index) => ({
          calls: [{ id: `call_${index}`, name: "Total", args }],
        })),
        tools: [spied(lab).tool],
        agent: { responseFormat: format() },
      });
      const answer = script.requests[1]?.at(-1);
      expect([attemptsOf([answer])[0], codeOf(answer)]).toEqual(["1/3", "VAL-011"]);
      expect(state["structuredResponse"]).toEqual({ total: 3 });
    });

    test("invalid output beside a malformed call repeats no message and leaves no call unanswered", async () => {
      const responseFormat = langchain.toolStrategy(TOTAL);
      const [{ name }] = responseFormat as unknown as [{ readonly name: string }];
      const both = [
        { id: "a", name, args: '{"total": "x"}' },
        { id: "b", name: "create_order", args: '{"customer' },
      ];
      const { messages, state } = await runAgent(lab, {
        turns: [{ calls: both }, { calls: [{ id: "c", name, args: '{"total": 3}' }] }],
        tools: [spied(lab).tool],
        agent: { responseFormat },
      });
      const called = messages.flatMap((one) =>
        lab.messages.AIMessage.isInstance(one) ? (one.tool_calls ?? []).map(({ id }) => id) : [],
      );
      const answered = messages.flatMap((one) =>
        lab.messages.ToolMessage.isInstance(one) ? [one.tool_call_id] : [],
      );
      expect(called).toEqual(["a", "c"]);
      expect(answered).toEqual(["a", "c"]);
      expect(state["structuredResponse"]).toEqual({ total: 3 });
    });
  },
);
