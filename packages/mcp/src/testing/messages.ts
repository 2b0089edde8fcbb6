/** A tool call as a client sends it. */
export function toolCall(id: string | number, name: string, args: unknown): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

/** The first messages of a client of the session-based protocol. */
export const HELLO: readonly object[] = [
  {
    jsonrpc: "2.0",
    id: "hello",
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

/** The source of a server with one tool: `add` takes two integers; what it does with a message may be replaced. */
export function addServer({
  onList = "reply(m, { tools: [tool] })",
  onCall = 'reply(m, { content: [{ type: "text", text: String(m.params.arguments.a + m.params.arguments.b) }] })',
  onOther = 'write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "saw " + m.method } }))',
}: Partial<Record<"onList" | "onCall" | "onOther", string>> = {}): string {
  return `
    const tool = { name: "add", inputSchema: { type: "object", required: ["a", "b"],
      properties: { a: { type: "integer" }, b: { type: "integer" } } } };
    const write = (text) => process.stdout.write(text + "\\n");
    const reply = (m, result) => write(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const m = JSON.parse(line);
      if (m.method === "tools/list") { ${onList} }
      else if (m.method === "tools/call") { ${onCall} }
      else if (m.method === "initialize") reply(m, { protocolVersion: "2025-06-18",
        capabilities: { tools: {} }, serverInfo: { name: "add", version: "1" } });
      else if (m.method) { ${onOther} }
    });`;
}

/** The source of the same server for peers of any revision: it has an error for what it does not know. */
export function addServerForPeers(): string {
  const error = '{ code: -32601, message: "Method not found" }';
  return addServer({
    onOther: `if (m.id !== undefined) write(JSON.stringify({ jsonrpc: "2.0", id: m.id, error: ${error} }))`,
  });
}
