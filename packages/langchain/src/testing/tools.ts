import type { StructuredToolInterface } from "@langchain/core/tools";
import { z } from "zod";
import type { Lab } from "./langchain.ts";

/** A tool, and the arguments of each of its runs. */
export interface SpiedTool {
  readonly tool: StructuredToolInterface;
  readonly runs: unknown[];
}

const ORDER = z.object({
  customer_email: z.email(),
  items: z.array(z.object({ sku: z.string(), quantity: z.number().int() })),
  api_key: z.string().optional(),
});

/** The order as JSON Schema, as a server declares it. */
export const ORDER_SCHEMA = {
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
} as const;

/** An order with two errors and a secret. */
export const BAD_ORDER =
  '{"customer_email":"alice.example.com","items":[{"sku":"A-1","quantity":"two"}],"api_key":"sk-secret-123"}';
/** A valid order. */
export const GOOD_ORDER =
  '{"customer_email":"alice@example.com","items":[{"sku":"A-1","quantity":2}]}';

/** Creates a tool that records the arguments it runs with. */
export function spied(
  { tools }: Lab,
  name = "create_order",
  schema: unknown = ORDER,
  run: (input: unknown, config: unknown) => unknown = () => "done",
): SpiedTool {
  const runs: unknown[] = [];
  const tool: unknown = tools.tool(
    (input: unknown, config: unknown) => {
      runs.push(input);
      return run(input, config);
    },
    { name, description: "A tool.", schema: schema as never },
  );
  return { tool: tool as StructuredToolInterface, runs };
}
