import { type ToolSet, tool } from "ai";
import { z } from "zod";
import type { PlainTool } from "../langchain/agent-scenario.ts";
import type { Shop } from "./shop.ts";

const order = z.object({ sku: z.string(), qty: z.int().min(1) });
const none = z.object({});
const listItems = (): string => "A1: screws";

/** The shop's tools for the AI SDK. */
export function shopToolSet(shop: Shop): ToolSet {
  return {
    add_item: tool({
      description: "Adds an article to the cart",
      inputSchema: order,
      execute: (input) => shop.addItem(input),
    }),
    list_items: tool({ description: "Lists the articles", inputSchema: none, execute: listItems }),
  };
}

/** The shop's tools for LangChain. */
export function shopTools(shop: Shop): readonly PlainTool[] {
  const add = "Adds an article to the cart";
  return [
    { name: "add_item", description: add, schema: order, run: (input) => shop.addItem(input) },
    { name: "list_items", description: "Lists the articles", schema: none, run: listItems },
  ];
}
