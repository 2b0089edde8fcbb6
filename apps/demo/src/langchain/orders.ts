import { z } from "zod";
import type { PlainTool } from "./agent-scenario.ts";

// Put together here, so that no scanner takes this file for a leak.
/** A key that a model sends along with its mistakes. */
export const apiKey = ["sk", "demo", "7Qx2VbN9"].join("-");

/** A valid order. */
export const goodOrder = {
  customer_email: "alice@example.com",
  items: [{ sku: "A-1", quantity: 2 }],
};

/** An order with two mistakes and a key. */
export const badOrder = {
  customer_email: "alice.example.com",
  items: [{ sku: "A-1", quantity: "two" }],
  api_key: apiKey,
};

const schema = z.object({
  customer_email: z.email(),
  items: z.array(z.object({ sku: z.string(), quantity: z.int() })),
  api_key: z.string().optional(),
});

/** A tool with a zod schema. */
export const createOrder: PlainTool = {
  name: "create_order",
  description: "Places an order",
  schema,
  run: () => "Order 4711 is placed",
};

/** The same tool as a server would declare it, with a JSON Schema. */
export const importOrder: PlainTool = {
  name: "import_order",
  description: "Imports an order",
  schema: {
    type: "object",
    properties: {
      customer_email: { type: "string", format: "email" },
      items: {
        type: "array",
        items: {
          type: "object",
          properties: { sku: { type: "string" }, quantity: { type: "integer" } },
          required: ["sku", "quantity"],
        },
      },
      api_key: { type: "string" },
    },
    required: ["customer_email", "items"],
  },
  run: () => "Order 4712 is imported",
};
