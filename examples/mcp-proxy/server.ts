import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

function orders(): McpServer {
  const server = new McpServer({ name: "orders", version: "1.0.0" });
  const inputSchema = {
    id: z.string().regex(/^A\d{5}$/),
    fields: z.array(z.enum(["state", "total", "address"])).min(1),
  };
  server.registerTool(
    "find_order",
    { description: "Finds an order by its id, such as A10023", inputSchema },
    ({ id, fields }) => ({
      content: [{ type: "text", text: `${id}: ${fields.join(", ")} as you left them` }],
    }),
  );
  return server;
}

// A server for each request: the proxy counts attempts, so nothing is kept here.
createServer((request, response) => {
  const server = orders();
  const transport = new StreamableHTTPServerTransport();
  response.on("close", () => void server.close());
  server
    .connect(transport)
    .then(() => transport.handleRequest(request, response))
    .catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
}).listen(3000, () => console.log("http://127.0.0.1:3000/mcp"));
