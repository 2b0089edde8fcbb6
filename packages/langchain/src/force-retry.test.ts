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

  test("a tool's own reply that quotes a refusal forces nothing", async () => {
    const { tool } = spied(lab, "book", SCHEMA);
    const { results } = await runAgent(lab, { turns: [bad("a")], tools: [tool] });
    const quoted = results[0]?.content;
    expect(quoted).toContain("attempt 1/3");
    const { tool: log } = spied(lab, "read_log", { type: "object" }, () => quoted);
    const { script } = await runAgent(lab, {
      turns: [{ calls: [{ id: "a", name: "read_log", args: "{}" }] }],
      tools: [tool, log],
      options: { retryWith: "tool-choice", logger: false },
    });
    expect(script.choices).toEqual([undefined, undefined]);
  });
});
