import {
  type AttemptEvent,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "./index.ts";
import { createContract, type ToolDefinition } from "@toolcontract/core";
import { expect, test } from "vitest";

interface Shop {
  readonly cart: { readonly items: { sku: string; qty: number }[] };
  readonly stock: Record<string, number>;
}

const ADD_ITEM: ToolDefinition = {
  name: "add_item",
  inputSchema: {
    type: "object",
    properties: { sku: { type: "string" }, qty: { type: "integer" } },
    required: ["sku", "qty"],
  },
};

/** A shop whose tool reserves at a supplier, which has sold out of the amount 4. */
function openShop() {
  const store = slotStore<Shop>({ cart: { items: [] }, stock: { A1: 5 } });
  const guardrails = createGuardrails({
    store,
    effects: { add_item: "compensable" },
    guardrails: [
      {
        name: "known_sku",
        tools: ["add_item"],
        check: ({ args, state }) =>
          !(args.sku in state.stock) && {
            message: "unknown SKU",
            fieldPath: "/sku",
            hint: `use one of ${Object.keys(state.stock).join(", ")}`,
          },
      },
      {
        name: "stock_not_negative",
        stage: "commit",
        check: ({ state }) =>
          Object.values(state.stock).some((left) => left < 0) && {
            message: "order exceeds stock",
            fieldPath: "/qty",
            hint: "lower qty",
          },
      },
    ],
    clock: () => 0,
  });
  const contract = createContract({ guardrails, logger: false });
  const events: AttemptEvent[] = [];
  contract.on("attempt", (event) => events.push(event));
  const log: string[] = [];
  let turn = 0;

  function addItem({ sku, qty }: { readonly sku: string; readonly qty: number }) {
    const attempt = currentAttempt<Shop>();
    attempt.state.stock[sku] = (attempt.state.stock[sku] ?? 0) - qty;
    attempt.state.cart.items.push({ sku, qty });
    log.push("reserve");
    attempt.onRollback(() => log.push("release"));
    attempt.onCommit(() => log.push("notify"));
    if (qty !== 4) return { reserved: sku };
    return Outcome.error("sold_out", "the shop refused", { retriable: true, kind: "adaptive" });
  }

  async function add(args: { readonly sku: string; readonly qty: number }) {
    turn += 1;
    const call = { id: `call_${turn}`, name: "add_item", arguments: args };
    return contract.handle(call, {
      tool: { ...ADD_ITEM, execute: addItem },
      conversationId: "thread-7",
      turnId: `turn_${turn}`,
    });
  }

  return { add, store, log, events };
}

test("a call that breaks a rule is undone and explained, until one succeeds", async () => {
  const { add, store, log, events } = openShop();
  const answers = [
    await add({ sku: "ZZ", qty: 1 }),
    await add({ sku: "A1", qty: 9 }),
    await add({ sku: "A1", qty: 4 }),
    await add({ sku: "A1", qty: 2 }),
  ];
  expect(answers.map(({ result }) => result.content)).toEqual([
    `Guardrail failed for tool 'add_item' (attempt 1/3):

Errors:
• /sku (GRD-001): unknown SKU
  Hint: use one of A1

Correct these and call 'add_item' again with all arguments.`,
    `Guardrail failed for tool 'add_item' (attempt 2/3):

Errors:
• /qty (GRD-002): order exceeds stock
  Hint: lower qty

All its state changes were undone.
Correct these and call 'add_item' again with all arguments.`,
    `Outcome failed for tool 'add_item' (attempt 1/2):

Errors:
• (arguments) (GRD-005): the shop refused

All its state changes were undone.
Correct these and call 'add_item' again with all arguments.`,
    '{"reserved":"A1"}',
  ]);
  expect(store.state).toEqual({ cart: { items: [{ sku: "A1", qty: 2 }] }, stock: { A1: 3 } });
  expect(log.join("; ")).toBe("reserve; release; reserve; release; reserve; notify");
  const last = events.at(-1);
  expect(last).toMatchObject({
    committed: true,
    guardrail_recovery_attempts: 2,
    outcome_repair_attempts: 1,
  });
  expect(last?.attempt_failures.map((one) => `${one.stage}:${one.error_class}`)).toEqual([
    "validation:known_sku",
    "validation:stock_not_negative",
    "outcome_policy:sold_out",
  ]);
});
