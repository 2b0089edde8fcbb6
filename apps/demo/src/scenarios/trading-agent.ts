import { defineTool } from "@toolcontract/core";
import { createGuardrails, guardrailFor } from "@toolcontract/guardrails";
import { inOwnLoop, type World } from "../agents/own-loop.ts";
import { callAt } from "../scenario.ts";

interface Order {
  readonly symbol: string;
  readonly qty: number;
  readonly price: number;
}

const MAY_SPEND = 10_000;
const MUST_ASK = 5_000;

/** An exchange takes every order, and takes none back. */
function openExchange(): World & { readonly placeOrder: ReturnType<typeof placeOrderOn> } {
  const orders: Order[] = [];
  const placeOrder = placeOrderOn(orders);
  const read = (): string => {
    const total = orders.reduce((sum, { qty, price }) => sum + qty * price, 0);
    return `orders for ${total} in ${orders.length} calls`;
  };
  return { placeOrder, tools: [placeOrder], read };
}

function placeOrderOn(orders: Order[]) {
  return defineTool({
    name: "place_order",
    description: "Places an order at the exchange",
    inputSchema: {
      type: "object",
      properties: {
        symbol: { type: "string" },
        qty: { type: "number" },
        price: { type: "number" },
      },
      required: ["symbol", "qty", "price"],
    },
    execute(order: Order) {
      orders.push(order);
      return `Placed ${order.qty} ${order.symbol} at ${order.price}`;
    },
  });
}

const { placeOrder } = openExchange();

/** What orders cost is limited by the day whatever becomes of them, and a person agrees to the large ones. */
export const tradingAgent = inOwnLoop({
  name: "trading-agent",
  title: "an agent that trades: a limit for the day, and a person for large orders",
  story: "A negative quantity lowers what was spent, and nobody is asked before it is too late.",
  open: openExchange,
  guardrails: () =>
    createGuardrails({
      tools: ["place_order"],
      effects: { place_order: "irreversible" },
      limits: { notional: { max: MAY_SPEND, per: "day", scope: "user" } },
      spends: { place_order: ({ args }) => ({ notional: args.qty * args.price }) },
      guardrails: [
        guardrailFor(placeOrder, {
          name: "sound_order",
          check: ({ args }) =>
            !(args.qty > 0 && args.price > 0) && {
              message: "an order needs a quantity and a price above 0",
              fieldPath: "/qty",
            },
        }),
        guardrailFor(placeOrder, {
          name: "large_order",
          check: ({ args }) =>
            args.qty * args.price > MUST_ASK && { ask: `an order for more than ${MUST_ASK}` },
        }),
      ],
    }),
  person: ({ arguments: args }) => (args as Order).symbol === "ACME",
  script: [
    { calls: [{ tool: "place_order", args: { symbol: "ACME", qty: -50, price: 100 } }] },
    {
      learned: ["a quantity and a price above 0"],
      calls: [
        { tool: "place_order", args: { symbol: "ACME", qty: 30, price: 100 } },
        { tool: "place_order", args: { symbol: "OTHER", qty: 70, price: 100 } },
      ],
    },
    {
      learned: ["a person must agree first"],
      calls: [{ tool: "place_order", args: { symbol: "ACME", qty: 60, price: 100 } }],
    },
    { calls: [{ tool: "place_order", args: { symbol: "ACME", qty: 20, price: 100 } }] },
    {
      learned: ["limit 'notional' allows 10000 per day, and 1000 are left", "stay within 1000"],
      calls: [{ tool: "place_order", args: { symbol: "ACME", qty: 10, price: 100 } }],
    },
    { calls: [], says: "I bought 100 ACME, and 10,000 is all for today." },
  ],
  verify({ worlds, asked, ...scene }, claim) {
    claim(
      "without the contract every order is placed",
      worlds.plain.read() === "orders for 14000 in 6 calls",
      worlds.plain.read(),
    );
    claim(
      "with it the day's limit holds to the last unit",
      worlds.guarded.read() === "orders for 10000 in 3 calls",
      worlds.guarded.read(),
    );
    claim(
      "the person was asked about the two large orders alone",
      asked.map(({ arguments: args }) => (args as Order).symbol).join() === "OTHER,ACME",
      asked,
    );
    const declined = callAt(scene, 2, 2).handled;
    claim("what they did not agree to has not run", declined.status === "ask", declined.status);
    const granted = callAt(scene, 3).handled;
    claim("what they agreed to has run, once", granted.status === "executed", granted.status);
  },
});
