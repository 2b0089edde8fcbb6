import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { cedarGuardrails } from "../cedar.ts";
import { celGuardrail } from "../cel.ts";
import { createGuardrails, currentAttempt, slotStore } from "../index.ts";
import type { Guardrail } from "../index.ts";

interface Shop {
  left: number;
}

/** A tool that takes `qty` of what is left, and how often it ran. */
function host(guardrails: readonly Guardrail<Shop>[]) {
  const store = slotStore<Shop>({ left: 5 });
  const contract = createContract({
    guardrails: createGuardrails({ store, guardrails, effects: { order: "state" } }),
    logger: false,
  });
  const tool = {
    name: "order",
    inputSchema: { properties: { qty: { type: "number" } } },
  };
  let serial = 0;
  let runs = 0;
  return {
    left: () => store.state.left,
    runs: () => runs,
    async call(qty: unknown) {
      serial += 1;
      const call = { id: `call_${serial}`, name: "order", arguments: { qty } };
      const context = { tool, conversationId: "thread-7", turnId: `${serial}` };
      const { status, result } = await contract.handle(call, {
        ...context,
        execute: (args: unknown) => {
          runs += 1;
          currentAttempt<Shop>().state.left -= (args as { readonly qty: number }).qty;
          return "ordered";
        },
      });
      return { status, content: result.content, type: result.outcome?.error_type };
    },
  };
}

const STOCK = celGuardrail({
  name: "stock",
  allow: "args.qty <= state.left",
  message: "the order exceeds the stock",
  fieldPath: "/qty",
  hint: "lower qty",
});

describe("CEL among guardrails", () => {
  test("a violation is corrected, with the state of that moment", async () => {
    const shop = host([STOCK]);
    const refused = await shop.call(9);
    expect(refused.status).toBe("rejected");
    expect(refused.content).toContain("/qty (GRD-001): the order exceeds the stock");
    expect(await shop.call(3)).toMatchObject({ status: "executed", content: "ordered" });
    expect((await shop.call(3)).status).toBe("rejected");
    expect([shop.left(), shop.runs()]).toEqual([2, 1]);
  });

  test("at commit, it sees what the tool changed, and that is undone", async () => {
    const shop = host([
      celGuardrail({
        name: "not_negative",
        stage: "commit",
        deny: "state.left < 0",
        message: "the order exceeds the stock",
      }),
    ]);
    const refused = await shop.call(9);
    expect(refused).toMatchObject({ status: "rejected" });
    expect(refused.content).toContain("All its state changes were undone.");
    expect([shop.left(), shop.runs()]).toEqual([5, 1]);
  });

  test("an expression that fails closes the tool and shows nothing of the engine", async () => {
    const shop = host([
      celGuardrail({ name: "broken", allow: "args.secret_name == 1", message: "m" }),
    ]);
    const blocked = await shop.call(1);
    expect(blocked).toMatchObject({ status: "blocked", type: "guardrail_failed" });
    expect(blocked.content).not.toMatch(/secret_name|No such key/);
    expect((await shop.call(1)).status).toBe("blocked");
    expect(shop.runs()).toBe(0);
  });
});

describe("Cedar among guardrails", () => {
  const POLICIES = `
    @message("the order is too large") @correction("order at most 3") @fieldPath("/qty")
    forbid(principal, action == Action::"order", resource) when { context.args.qty > 3 };
    permit(principal, action == Action::"order", resource);`;

  test("a correction is the hint, and a corrected call runs", async () => {
    const shop = host([...cedarGuardrails<Shop>({ policies: POLICIES }), STOCK]);
    const refused = await shop.call(4);
    expect(refused.status).toBe("rejected");
    expect(refused.content).toContain("Hint: order at most 3");
    expect((await shop.call(3)).status).toBe("executed");
  });

  test("a number that Cedar has no value for can be corrected", async () => {
    const shop = host(cedarGuardrails<Shop>({ policies: POLICIES }));
    const refused = await shop.call(0.000001);
    expect(refused.status).toBe("rejected");
    expect(refused.content).toContain("/qty (GRD-001): policies cannot check this value");
  });

  test.each<readonly [string, string, string]>([
    [
      "no policy permits",
      'permit(principal, action == Action::"x", resource);',
      "unsupported_capability",
    ],
    [
      "a policy forbids for good",
      '@reason("dependency_unavailable") forbid(principal, action, resource);',
      "dependency_unavailable",
    ],
    [
      "a policy fails on",
      `permit(principal, action, resource) when { context.args.secret_name > 1 };`,
      "guardrail_failed",
    ],
  ])("a call that %s closes the tool", async (_, policies, type) => {
    const shop = host(cedarGuardrails<Shop>({ policies }));
    const blocked = await shop.call(1);
    expect(blocked).toMatchObject({ status: "blocked", type });
    expect(blocked.content).not.toContain("secret_name");
    expect((await shop.call(1)).status).toBe("blocked");
    expect(shop.runs()).toBe(0);
  });
});
