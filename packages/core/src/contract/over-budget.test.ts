import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ToolDefinition } from "../shared/index.ts";
import { createContract } from "./create-contract.ts";
import type { ContractOptions } from "./options.ts";

/** Many variants, and a list whose items fit the last of them. */
const rows = {
  type: "array",
  items: {
    anyOf: [...Array.from({ length: 400 }, () => ({ type: "string" })), { type: "object" }],
  },
};
const inputSchema = {
  type: "object",
  properties: { rows, to: { enum: ["me"] } },
  required: ["rows", "to"],
};
const TOO_MUCH = JSON.stringify({ rows: Array.from({ length: 4_000 }, () => ({})), to: "mallory" });
const ENOUGH = JSON.stringify({ rows: [{}], to: "me" });
const SEND: ToolDefinition = { name: "send", inputSchema };
/** A pattern that takes too long on a long string, which is known without trying. */
const TAG: ToolDefinition = {
  name: "send",
  inputSchema: { type: "object", properties: { tag: { type: "string", pattern: "^(a+)+$" } } },
};
const TOO_LONG = JSON.stringify({ tag: "a".repeat(50_000) });

/** Handles these calls one after another, each in a turn of its own. */
async function drive(
  tool: ToolDefinition,
  calls: readonly string[],
  options: ContractOptions = {},
): Promise<{
  readonly statuses: readonly string[];
  readonly ran: number;
  readonly said: readonly string[];
  readonly logged: readonly string[];
  readonly metrics: ReturnType<ReturnType<typeof createContract>["metrics"]>;
}> {
  const logged: string[] = [];
  const logger = (_: unknown, message: string): unknown => logged.push(message);
  const contract = createContract({ logger, ...options });
  let ran = 0;
  const execute = (): string => `ran ${(ran += 1)} times`;
  const statuses: string[] = [];
  const said: string[] = [];
  for (const [turn, text] of calls.entries()) {
    const call = { id: `call_${turn}`, name: "send", arguments: text };
    const context = { conversationId: "thread-7", turnId: `turn-${turn}`, tool, execute };
    const handled = await contract.handle(call, context);
    statuses.push(handled.status);
    said.push(handled.result.content);
  }
  return { statuses, ran, said, logged, metrics: contract.metrics() };
}

describe("arguments that cost more to check than the budget", () => {
  test("never run: each is an attempt, counted and logged, and the last one blocks", async () => {
    const { statuses, ran, logged, metrics } = await drive(TAG, [TOO_LONG, TOO_LONG, TOO_LONG]);
    expect(statuses).toEqual(["rejected", "rejected", "blocked"]);
    expect(ran).toBe(0);
    expect(logged).toHaveLength(3);
    expect(logged.join("\n")).not.toContain("degraded");
    expect(metrics).toMatchObject({ calls: 3, rejected: 2, blocked: 1 });
  });

  test("read what to do, and may then run", async () => {
    const { statuses, said } = await drive(SEND, [TOO_MUCH, ENOUGH]);
    expect(said[0]).toContain("• (arguments) (VAL-016): Too much to check");
    expect(said[0]).toContain("Hint: send fewer or flatter parts");
    expect(statuses).toEqual(["rejected", "executed"]);
  });

  test("run if the host accepts that, which is said once", async () => {
    const options = { overBudget: "accept" } as const;
    const { statuses, logged } = await drive(TAG, [TOO_LONG, TOO_LONG], options);
    expect(statuses).toEqual(["executed", "executed"]);
    expect(logged).toEqual(["Tool contract degraded"]);
    expect(await drive(SEND, [TOO_MUCH], options)).toMatchObject({
      statuses: ["executed"],
      logged: ["Tool contract degraded"],
    });
  });

  test("are judged by the tool's own validator where it has one: the budget only ends the explaining", async () => {
    const validator = z.object({ rows: z.array(z.object({})), to: z.enum(["me"]) });
    const tool = { ...SEND, validator };
    const { statuses, said } = await drive(tool, [TOO_MUCH]);
    expect(statuses).toEqual(["rejected"]);
    expect(said[0]).toContain("/to (VAL-008)");
    const accepting = { ...SEND, validator: z.object({}) };
    expect(await drive(accepting, [TOO_MUCH])).toMatchObject({
      statuses: ["executed"],
      logged: [],
    });
  });
});
