import { describe, expect, test } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const SCHEMA = { type: "object", properties: { seats: { type: "number" } } } as const;
const bad = (id: string) => ({ calls: [{ id, name: "book", args: '{"seats":"two"}' }] });

describe.each(LABS)("retryWith on LangChain $version", (lab) => {
  test("the next request after a refusal names the tool, once", async () => {
    const { tool } = spied(lab, "book", SCHEMA);
    const turns = [bad("a"), bad("b"), { calls: [{ id: "c", name: "book", args: '{"seats":2}' }] }];
    const options = { retryWith: "tool-choice", logger: false } as const;
    const { script } = await runAgent(lab, { turns, tools: [tool], options });
    expect(script.choices).toEqual([undefined, "book", undefined, undefined]);
  });
});
