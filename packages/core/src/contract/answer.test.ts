import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { parseRejection } from "../message/index.ts";
import { createContract } from "./create-contract.ts";
import type { ContractOptions } from "./options.ts";

const REVIEW = {
  type: "object",
  properties: { rating: { type: "integer", maximum: 5 }, title: { type: "string" } },
  required: ["rating", "title"],
} as const;
const GOOD = '{"rating":4,"title":"Fine"}';
const BAD = '{"rating":10}';
const HERE = { conversationId: "c", runId: "r" };

function judged(options: ContractOptions = {}) {
  const lines: { readonly fields: object; readonly message: string }[] = [];
  const contract = createContract({
    logger: (fields, message) => lines.push({ fields, message }),
    ...options,
  });
  const answer = async (text: unknown, more: object = {}) =>
    contract.answer(text, { schema: REVIEW, ...HERE, ...more });
  return { contract, answer, lines };
}

describe("contract.answer", () => {
  test.each([
    ["plain", GOOD],
    ["in a fence", `\`\`\`json\n${GOOD}\n\`\`\``],
    ["in the literals of Python", "{'rating': 4, 'title': 'Fine'}"],
    ["as a value", { rating: 4, title: "Fine" }],
  ])("an answer that fits is valid: %s", async (_, text) => {
    const { answer } = judged();
    expect(await answer(text)).toMatchObject({
      status: "valid",
      output: { rating: 4, title: "Fine" },
    });
  });

  test("one that does not is told all of its faults, until its attempts are spent", async () => {
    const onEscalation = vi.fn();
    const { answer, contract, lines } = judged({ onEscalation });
    const first = await answer(BAD);
    expect(first).toMatchObject({ status: "rejected", attempt: 1, maxAttempts: 3 });
    const content = first.status === "rejected" ? first.content : "";
    expect(content).toBe(
      [
        "Validation failed for the answer (attempt 1/3):",
        "",
        "Errors:",
        "\u2022 /rating (VAL-003): Value out of range",
        "  Expected: integer at most 5",
        "  Actual: 10",
        "\u2022 /title (VAL-001): Required field 'title' is missing",
        "  Expected: string",
        "",
        "Correct these and answer again with the whole JSON.",
      ].join("\n"),
    );
    expect(parseRejection(content)).toMatchObject({
      isAnswer: true,
      toolName: "answer",
      attempt: 1,
      status: "rejected",
      errors: [{ errorCode: "VAL-003" }, { errorCode: "VAL-001" }],
    });
    await answer('{"rating":11}');
    const last = await answer(BAD);
    expect(last).toMatchObject({
      status: "blocked",
      attempt: 3,
      escalation: { toolName: "answer", attempts: 3 },
    });
    const end = last.status === "blocked" ? last : undefined;
    expect(parseRejection(end?.content)).toMatchObject({ status: "blocked", isAnswer: true });
    expect(end?.escalation.summary).toContain("The answer: validation failed after 3 attempts.");
    expect(end?.content).toContain("These are the same arguments as in attempt 1.");
    expect(onEscalation).toHaveBeenCalledTimes(1);
    expect(contract.metrics()).toMatchObject({
      calls: 3,
      rejected: 2,
      blocked: 1,
      byTool: { answer: { calls: 3 } },
    });
    expect(lines.map(({ message }) => message)).toEqual([
      "Tool validation failed",
      "Tool validation failed",
      "Tool validation blocked",
    ]);
    expect(lines[0]?.fields).toMatchObject({ tool_name: "answer", retry_attempt: 1 });
  });

  test("a good answer ends the count, another run begins a new one", async () => {
    const { answer } = judged();
    await answer(BAD);
    expect(await answer(GOOD)).toMatchObject({ status: "valid", attempt: 2 });
    expect(await answer(BAD)).toMatchObject({ status: "rejected", attempt: 1 });
    expect(await answer(BAD, { runId: "r2" })).toMatchObject({ status: "rejected", attempt: 1 });
    expect(await answer(BAD, { conversationId: "d" })).toMatchObject({ attempt: 1 });
  });

  test.each(["answer", "(answer)"])("a tool named %s has a count of its own", async (name) => {
    const { answer, contract } = judged();
    const tool = { name, inputSchema: REVIEW };
    await answer(BAD);
    const call = { id: "1", name, arguments: BAD };
    const admission = await contract.admit(call, { ...HERE, tool });
    expect(admission).toMatchObject({ status: "rejected", attempt: 1 });
    expect(await answer(BAD)).toMatchObject({ attempt: 2 });
  });

  test.each([
    ["cut", '{"rating":4,"ti', {}, "VAL-011"],
    ["cut by the provider", "", { finishReason: "length" }, "VAL-011"],
    ["no JSON at all", "I cannot say.", {}, "VAL-004"],
    ["empty", "", { finishReason: "stop" }, "VAL-001"],
  ])("text that is %s", async (_, text, more, errorCode) => {
    const { answer } = judged();
    const told = await answer(text, more);
    expect(told).toMatchObject({ status: "rejected" });
    expect(told.status === "rejected" && told.errors.map((error) => error.errorCode)).toContain(
      errorCode,
    );
  });

  test.each([
    ["as validator", (one: z.ZodType) => ({ schema: undefined, validator: one })],
    ["as schema", (one: z.ZodType) => ({ schema: one })],
  ])("a schema of zod, %s, judges and transforms", async (_, given) => {
    const schema = z.object({ day: z.string().transform((day) => day.length) });
    const { answer } = judged();
    expect(await answer('{"day":"Monday"}', given(schema))).toMatchObject({ output: { day: 6 } });
    expect(await answer('{"day":1}', given(schema))).toMatchObject({ status: "rejected" });
  });

  test("lists and plain text are answers too", async () => {
    const { answer } = judged();
    const list = { schema: { type: "array", items: { type: "integer" } } };
    expect(await answer("[1,2]", list)).toMatchObject({ output: [1, 2] });
    expect(await answer('[1,"x"]', list)).toMatchObject({ status: "rejected" });
    const text = { schema: { type: "string", maxLength: 5 } };
    expect(await answer("Hello", text)).toMatchObject({ output: "Hello" });
    expect(await answer("Hello you", text)).toMatchObject({ status: "rejected" });
  });

  test("has a limit of its own", async () => {
    const { answer } = judged();
    expect(await answer(BAD, { maxAttempts: 1 })).toMatchObject({
      status: "blocked",
      maxAttempts: 1,
    });
  });

  test("is only reported in mode observe", async () => {
    const { answer, contract } = judged({ mode: "observe" });
    expect(await answer(BAD)).toMatchObject({ status: "valid", output: { rating: 10 } });
    expect(contract.metrics()).toMatchObject({ rejected: 1 });
  });

  test.each([
    ["no schema", { schema: undefined }, /pass what the answer must be/],
    ["no conversation", { conversationId: "" }, /conversationId/],
    ["no whole number", { maxAttempts: 0.5 }, /maxAttempts/],
  ])("%s throws", async (_, more, message) => {
    await expect(judged().answer(GOOD, more)).rejects.toThrow(message);
  });
});
