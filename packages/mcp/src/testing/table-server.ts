// A server on stdio whose tools change from case to case: node table-server.ts
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { type Answers, BEGIN, recordedTools, RUNS } from "./table-case.ts";
import { addTool, INFO, type TestTool } from "./test-servers.ts";

const server = new McpServer(INFO);
const runs = new Map<string, unknown>();
// The SDK requires the first tool to be registered before the server is connected.
let registered = [
  addTool(server, { name: "none", inputSchema: { type: "object" }, run: () => ({ text: "" }) }),
];

server.server.fallbackRequestHandler = async ({ method, params }) => {
  if (method === RUNS) return { runs: [...runs] };
  if (method !== BEGIN) throw new Error("No such method");
  const { tools, answers } = params as unknown as {
    readonly tools: readonly TestTool[];
    readonly answers: Answers;
  };
  for (const tool of registered) tool.remove();
  runs.clear();
  registered = recordedTools(tools, answers, runs).map((tool) => addTool(server, tool));
  return {};
};
await server.connect(new StdioServerTransport());
