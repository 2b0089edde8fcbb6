import { createRequire } from "node:module";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/both-ends.ts";
import { loadLab } from "./testing/langchain.ts";
import { attemptsOf } from "./testing/read-messages.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { BAD_ORDER, GOOD_ORDER, spied } from "./testing/tools.ts";

const order = (args: string, id: string) => ({ calls: [{ id, name: "create_order", args }] });
const TURNS = [order(BAD_ORDER, "a"), order(GOOD_ORDER, "b")];

describe.each(LABS)("ways to run an agent of langchain $version", (lab) => {
  const { langchain, messages } = lab;

  test.each(["v1", "v2"] as const)("graph version %s", async (version) => {
    const { results, last } = await runAgent(lab, {
      turns: TURNS,
      tools: [spied(lab).tool],
      agent: { middleware: [contractOf(lab)], version },
    });
    expect(attemptsOf(results)).toEqual(["1/3", undefined]);
    expect(last).toBe("Done.");
  });

  test.each(["values", "updates", "messages"] as const)("stream mode %s", async (streamMode) => {
    const { tool, runs } = spied(lab);
    const agent = langchain.createAgent({
      model: lab.script(TURNS).model,
      tools: [tool],
      middleware: [contractOf(lab)],
    });
    const given = { messages: [new messages.HumanMessage("Order.")] };
    let text = "";
    for await (const chunk of await agent.stream(given, { streamMode }))
      text += JSON.stringify(chunk);
    expect(text).toContain("attempt 1/3");
    expect(runs).toEqual([JSON.parse(GOOD_ORDER)]);
  });

  test("a history without artifacts, as a client sends it back, is counted from its text", async () => {
    const { tool } = spied(lab);
    const first = await runAgent(lab, { turns: [TURNS[0] ?? {}], tools: [tool] });
    const bare = first.messages.slice(0, 3).map((message) =>
      messages.ToolMessage.isInstance(message)
        ? new messages.ToolMessage({
            content: message.content,
            tool_call_id: message.tool_call_id,
          })
        : message,
    );
    const { results } = await runAgent(lab, {
      turns: [order(BAD_ORDER, "z")],
      tools: [tool],
      messages: bare,
    });
    expect(attemptsOf(results)).toEqual(["1/3", "2/3"]);
  });
});

describe("two copies of core, as ESM and CJS load them", async () => {
  const lab = await loadLab("newest");
  const require = createRequire(import.meta.url);
  const other = require("@langchain/core/tools") as typeof lab.tools;
  const made = (schema: unknown): StructuredToolInterface =>
    other.tool(() => "done", {
      name: "create_order",
      description: "A tool.",
      schema: schema as never,
    }) as unknown as StructuredToolInterface;
  const passing = {
    name: "pass",
    wrapToolCall: async (request: never, next: (one: never) => unknown) => next(request),
  };

  test("a tool of the other copy would make the run throw; the contract answers", async () => {
    expect(other.ToolInputParsingException).not.toBe(lab.tools.ToolInputParsingException);
    const tool = made(z.object({ customer_email: z.email(), items: z.array(z.unknown()) }));
    const run = { turns: [order('{"customer_email":"x","items":[]}', "a")], tools: [tool] };
    await expect(runAgent(lab, { ...run, agent: { middleware: [passing] } })).rejects.toThrow();
    expect(attemptsOf((await runAgent(lab, run)).results)).toEqual(["1/3"]);
  });

  test("a refusal by the other copy's validation is recognised by its shape", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { n: { $ref: "#/definitions/n", minimum: 5 } },
      definitions: { n: { type: "integer" } },
    };
    const run = { turns: [order('{"n":1}', "a")], tools: [made(schema)] };
    const beside = { middleware: [contractOf(lab), passing] };
    const script = lab.script([]);
    const { state } = await runAgent(lab, { ...run, agent: beside });
    expect(attemptsOf(toRan(lab, state, script).results)).toEqual(["1/3"]);
  });
});
