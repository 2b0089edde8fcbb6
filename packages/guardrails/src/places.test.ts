import { describe, expect, test } from "vitest";
import { createContract } from "@toolcontract/core";
import { type GuardrailsOptions, after, createGuardrails } from "./index.ts";

const tool = { name: "pay", inputSchema: { type: "object" } } as const;
const SETS: Readonly<Record<string, Partial<GuardrailsOptions<unknown>>>> = {
  "after()": { guardrails: [after("read").deny("pay")] },
  "usage() of the default scope": {
    limits: { money: { max: 9 } },
    spends: { pay: () => ({ money: 1 }) },
    guardrails: [
      { name: "keep_one", check: async ({ usage }) => (await usage("money")).left < 2 && "kept" },
    ],
  },
};

describe.each(Object.entries(SETS))("%s", (_, options) => {
  function open() {
    const lines: string[] = [];
    const guardrails = createGuardrails({ guardrails: [], ...options });
    const contract = createContract({ guardrails, logger: (__, line) => void lines.push(line) });
    return { contract, lines };
  }
  const call = (id: string) => ({ id, name: "pay", arguments: {} });

  test("waits for the call if a check alone knows no place", async () => {
    const { contract, lines } = open();
    expect((await contract.checkAsync(tool, {})).status).toBe("valid");
    const place = { tool, conversationId: "t", runId: "r", turnId: "1" };
    const checked = await contract.checkAsync(tool, {});
    const handled = await contract.handle(call("a"), { ...place, checked, execute: () => "paid" });
    expect(handled.status).toBe("executed");
    expect(lines.filter((line) => line.includes("guardrail"))).toEqual([]);
  });

  test("refuses a call whose place is never known, blames nobody and closes no tool", async () => {
    const { contract, lines } = open();
    const nowhere = { tool, conversationId: "shared", knowsConversation: false, knowsRun: false };
    for (const id of ["a", "b", "c", "d"]) {
      const handled = await contract.handle(call(id), {
        ...nowhere,
        execute: () => expect.unreachable(),
      });
      expect(handled).toMatchObject({ status: "rejected", attempt: 0 });
      expect(handled.result.content).toBe(
        "Tool 'pay' has not run: it cannot be used now, whatever its arguments are.\n\n• (GRD-004): A guardrail could not be checked\n\nDo not call 'pay' again for this request: tell the user that it cannot be done now, or continue without it.",
      );
    }
    expect(lines).toContain("A guardrail failed");
    expect(lines).toContain("A call was refused because the host has not passed what it needs");
  });

  test("is refused at once for a tool that runs elsewhere", async () => {
    const { contract } = open();
    const found = await contract.checkAsync(tool, {}, { runsHere: false });
    expect(found.status).toBe("invalid");
  });
});

test("a limit without a value is not the model's mistake", async () => {
  const lines: unknown[] = [];
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { pay: "irreversible" },
    limits: { sales: { max: 5, scope: "user" } },
    spends: { pay: () => ({ sales: 1 }) },
  });
  const contract = createContract({ guardrails, logger: (fields) => void lines.push(fields) });
  const pay = async (context: object = {}) =>
    contract.handle(
      { id: "a", name: "pay", arguments: {} },
      { tool, conversationId: "t", execute: () => "paid", ...context },
    );
  for (let times = 0; times < 4; times += 1) {
    const { status, result } = await pay();
    expect(status).toBe("rejected");
    expect(result.content).toContain("limit 'sales' cannot be checked for this call");
    expect(result.content).toContain("Do not call 'pay' again for this request");
  }
  expect(lines).toContainEqual(expect.objectContaining({ limit: "sales", tool_name: "pay" }));
  expect((await pay({ context: { user: "u-1" } })).status).toBe("executed");
});
