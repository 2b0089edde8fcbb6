import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { callBudget } from "./call-budget.ts";

const tools = [{ name: "search" }, { name: "read" }];
const quiet = { logger: () => undefined };

function host(): (name: string, runId?: string) => Promise<string> {
  const contract = createContract({ ...quiet, guardrails: callBudget({ search: 2 }) });
  let serial = 0;
  return async (name, runId = "run-1") => {
    serial += 1;
    const call = { id: `call_${serial}`, name, arguments: {} };
    const context = { tools, conversationId: "thread-7", turnId: `${serial}`, runId };
    const handled = await contract.handle(call, { ...context, execute: () => `${name} ran` });
    return `${handled.status}: ${handled.result.content}`;
  };
}

const SPENT = `Guardrail failed for tool 'search' (attempt 1/1):

Errors:
• (arguments) (BUD-001): 'search' may run 2 times

Do not call 'search' again for this request: tell the user what is missing, or continue without it.`;

const CLOSED = `Guardrail failed for tool 'search' (blocked after 1/1):

Errors:
• (arguments) (BUD-001): Call budget spent

Attempt 1: Call budget spent
Do not call 'search' again for this request: tell the user what is missing, or continue without it.`;

describe("a budget of calls", () => {
  test("lets a tool run until its budget is spent, then closes it and no other tool", async () => {
    const call = host();
    expect(await call("search")).toBe("executed: search ran");
    expect(await call("search")).toBe("executed: search ran");
    expect(await call("search")).toBe(`blocked: ${SPENT}`);
    expect(await call("search")).toBe(`blocked: ${CLOSED}`);
    expect(await call("read")).toBe("executed: read ran");
  });

  test("is another one in another run", async () => {
    const call = host();
    for (const _ of [1, 2, 3]) await call("search");
    expect(await call("search", "run-2")).toBe("executed: search ran");
    expect(await call("search")).toBe(`blocked: ${SPENT}`);
  });

  test("names a tool that the host does not have", async () => {
    const contract = createContract({ ...quiet, guardrails: callBudget({ serach: 2 }) });
    const call = { id: "call_1", name: "search", arguments: {} };
    const context = { tools, conversationId: "thread-7", execute: () => "ran" };
    await expect(contract.handle(call, context)).rejects.toThrow("no tool 'serach'");
  });
});
