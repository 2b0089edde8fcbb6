import { describe, expect, test } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import { attemptsOf } from "./testing/read-messages.ts";
import { runAgent } from "./testing/run-agent.ts";
import { BAD_ORDER, GOOD_ORDER, ORDER_SCHEMA, spied } from "./testing/tools.ts";

const NONE = { middleware: [] };
const order = (args: string, id = "call_1") => ({ calls: [{ id, name: "create_order", args }] });

describe.each(LABS)("what langchain $version does without the contract, and with it", (lab) => {
  test("a stack trace with all values becomes one short message with every error", async () => {
    const { tool } = spied(lab);
    const run = { turns: [order(BAD_ORDER)], tools: [tool] };
    const before = (await runAgent(lab, { ...run, agent: NONE })).results[0]?.content;
    expect(before).toContain("sk-secret-123");
    expect(before).toContain("    at ");
    const after = (await runAgent(lab, run)).results[0];
    expect(after?.content).toMatchInlineSnapshot(`
      "Validation failed for tool 'create_order' (attempt 1/3):

      Errors:
      • /customer_email (VAL-010): Invalid format
        Expected: email string such as "ana@example.com"
        Actual: "alice.example.com"
      • /items/0/quantity (VAL-002): Type mismatch: expected integer, got string
        Expected: integer
        Actual: "two"

      Correct these and call 'create_order' again with all arguments."
    `);
    expect(after).toMatchObject({ status: "error", tool_call_id: "call_1", name: "create_order" });
  });

  test("a JSON Schema tool reports every error instead of none", async () => {
    const { tool } = spied(lab, "create_order", ORDER_SCHEMA);
    const run = { turns: [order(BAD_ORDER)], tools: [tool] };
    const before = (await runAgent(lab, { ...run, agent: NONE })).results[0]?.content;
    expect(before).not.toMatch(/quantity(?!":"two")/);
    const after = (await runAgent(lab, run)).results[0]?.content;
    expect(after).toContain("/customer_email (VAL-010)");
    expect(after).toContain("/items/0/quantity (VAL-002)");
    expect(after).not.toContain("sk-secret-123");
  });

  test("a model that repeats a bad call is stopped after three attempts instead of the step limit", async () => {
    const { tool, runs } = spied(lab);
    const turns = Array.from({ length: 30 }, (_, index) => order(BAD_ORDER, `call_${index}`));
    await expect(runAgent(lab, { turns, tools: [tool], agent: NONE })).rejects.toThrow(
      /[Rr]ecursion limit/,
    );
    const { script, last, results } = await runAgent(lab, { turns, tools: [tool] });
    expect(script.requests).toHaveLength(3);
    expect(attemptsOf(results)).toEqual(["1/3", "2/3", "3/3"]);
    expect(last).toMatch(/^Tool 'create_order' validation failed after 3 attempts\./);
    expect(runs).toEqual([]);
  });

  test("malformed JSON is answered instead of silently ending the run", async () => {
    const { tool, runs } = spied(lab);
    const turns = [order('{"customer_email": "alice@example.com", items: [['), order(GOOD_ORDER)];
    const silent = await runAgent(lab, { turns, tools: [tool], agent: NONE });
    expect(silent.script.requests).toHaveLength(1);
    expect(silent.last).toBe("");
    const { results, last } = await runAgent(lab, { turns, tools: [tool] });
    expect(results[0]?.content).toContain("VAL-011");
    expect(results[0]?.content).not.toContain("alice");
    expect(last).toBe("Done.");
    expect(runs).toEqual([JSON.parse(GOOD_ORDER)]);
  });

  test("streamed arguments that were cut off are rejected instead of completed and run", async () => {
    const note = spied(lab, "add_note", {
      type: "object",
      properties: { id: { type: "integer" }, note: { type: "string" } },
    });
    const cut = { id: "call_1", name: "add_note", args: '{"id": 12, "note": "hel' };
    const turns = [{ calls: [cut], streamed: true }];
    await runAgent(lab, { turns, tools: [note.tool], agent: NONE });
    expect(note.runs.splice(0)).toEqual([{ id: 12, note: "hel" }]);
    const { results, messages } = await runAgent(lab, { turns, tools: [note.tool] });
    expect(note.runs).toEqual([]);
    expect(results[0]?.content).toContain("(arguments) (VAL-011)");
    expect(results[0]?.content).not.toContain("hel");
    expect(messages[1]).toMatchObject({ tool_calls: [{ id: "call_1", args: {} }] });
  });

  test("an ordinary tool exception reads as it does without any middleware", async () => {
    const { tool } = spied(lab, "lookup", { type: "object" }, () => {
      throw new Error("DB down");
    });
    const run = {
      turns: [{ calls: [{ id: "call_1", name: "lookup", args: "{}" }] }],
      tools: [tool],
    };
    const before = await runAgent(lab, { ...run, agent: NONE });
    const after = await runAgent(lab, run);
    expect(before.results[0]?.content).toBe("Error: DB down\n Please fix your mistakes.");
    expect(after.results[0]?.content).toBe(before.results[0]?.content);
    const passing = {
      name: "pass",
      wrapToolCall: async (request: never, next: (one: never) => unknown) => next(request),
    };
    await expect(runAgent(lab, { ...run, agent: { middleware: [passing] } })).rejects.toThrow();
  });

  test.skipIf(lab.line === "oldest")(
    "an unknown tool is answered with a similar name",
    async () => {
      const { tool } = spied(lab);
      const turns = [{ calls: [{ id: "call_1", name: "make_order", args: "{}" }] }];
      const { results } = await runAgent(lab, { turns, tools: [tool] });
      expect(results[0]?.content).toContain("VAL-012");
      expect(results[0]?.content).toContain("create_order");
    },
  );

  test("attempts are counted from the messages, without state or extra graph steps", async () => {
    const { tool } = spied(lab);
    const turns = [order(BAD_ORDER, "a"), order(GOOD_ORDER, "b"), order(BAD_ORDER, "c")];
    const run = { turns, tools: [tool], config: { recursionLimit: 8 } };
    // The agent alone needs as many steps.
    await expect(
      runAgent(lab, { ...run, agent: NONE, config: { recursionLimit: 7 } }),
    ).rejects.toThrow();
    const { results, state } = await runAgent(lab, run);
    expect(attemptsOf(results)).toEqual(["1/3", undefined, "1/3"]);
    expect(Object.keys(state)).toEqual(["messages"]);
    expect(structuredClone(results[0]?.artifact)).toMatchObject({
      toolcontract: { status: "rejected", formatVersion: "1.2" },
    });
  });
});
