// A server on the SDK's low-level class, as many are: it publishes a schema and runs every call.
import { appendFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const reserve = {
  name: "reserve_stock",
  description: "Reserves pieces of an article",
  inputSchema: {
    type: "object" as const,
    properties: {
      sku: { type: "string", pattern: "^[A-Z]{2}-\\d{4}$" },
      quantity: { type: "integer", minimum: 1 },
    },
    required: ["sku", "quantity"],
    additionalProperties: false,
  },
};
const list = {
  name: "list_articles",
  description: "Lists the articles",
  inputSchema: { type: "object" as const },
};

const server = new Server({ name: "stock", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [reserve, list] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name === "list_articles")
    return { content: [{ type: "text", text: "AB-1234 bolts" }] };
  const { sku, quantity } = params.arguments ?? {};
  appendFileSync("reserved.log", `${String(quantity)} of ${String(sku)}\n`);
  return { content: [{ type: "text", text: `Reserved ${String(quantity)} of ${String(sku)}` }] };
});
await server.connect(new StdioServerTransport());
