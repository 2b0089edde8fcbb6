import type { CaseGuardrails, CaseTool } from "../conformance-case.ts";

const addItem: CaseTool = {
  name: "add_item",
  description: "Adds an item to the cart",
  inputSchema: {
    type: "object",
    properties: { sku: { type: "string" }, qty: { type: "integer", minimum: 1 } },
    required: ["sku", "qty"],
  },
};

const addNote: CaseTool = {
  name: "add_note",
  description: "Adds a note to the order",
  inputSchema: {
    type: "object",
    properties: { words: { type: "string" } },
    required: ["words"],
  },
};

/** The tools of a shop. */
export const shopTools: readonly CaseTool[] = [addItem, addNote];

/** A shop: five pieces of A1 are in stock, G1 needs a key, and orders of more than 50 are refused by the arguments. */
export const shopGuardrails: CaseGuardrails = {
  state: { cart: [], stock: { A1: 5, G1: 9 }, notes: [] },
  effects: { add_item: "state", add_note: "state" },
  stateChanges: {
    add_item({ args, state }) {
      state.stock[args.sku] -= args.qty;
      state.cart.push(`${args.qty} ${args.sku}`);
    },
    add_note: ({ args, state }) => state.notes.push(args.words),
  },
  guardrails: [
    {
      name: "order_limit",
      tools: ["add_item"],
      check: ({ args }) =>
        args.qty > 50 && {
          message: "above the order limit",
          fieldPath: "/qty",
          hint: "at most 50",
        },
    },
    {
      name: "known_sku",
      tools: ["add_item"],
      check: ({ args, state }) =>
        !Object.keys(state.stock).includes(args.sku) && {
          message: "unknown SKU",
          fieldPath: "/sku",
          hint: "use one of A1, G1",
        },
    },
    {
      name: "gift_key",
      tools: ["add_item"],
      class: "terminal_guardrail",
      reason: "missing_credentials",
      check: ({ args }) => args.sku === "G1" && { message: "the key for gifts is not set" },
    },
    {
      name: "stock_not_negative",
      stage: "commit",
      check: ({ state }) =>
        state.stock.A1 < 0 && {
          message: "order exceeds stock",
          fieldPath: "/qty",
          hint: "lower qty",
        },
    },
  ],
};
