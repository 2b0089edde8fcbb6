// An MCP server without a library that answers at once: on stdio, or on HTTP if a port is given.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const SUM = {
  name: "sum",
  description: "Adds two numbers",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
};
const [port, ...sizes] = process.argv.slice(2);
/** One more tool for each size, with as many fields. */
const tools = [SUM, ...sizes.map((size) => ({ name: `of${size}`, inputSchema: wide(+size) }))];
const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "quick", version: "1.0.0" },
  },
  "tools/list": { tools },
  "tools/call": { content: [{ type: "text", text: "3" }] },
};

if (port === undefined || port === "") serveStdio();
else serveHttp(Number(port));

function wide(size: number): object {
  const fields = Array.from({ length: size }, (_, index) => [
    `field_${index}`,
    { type: "string", enum: [`one_${index}`, `two_${index}`] },
  ]);
  return { type: "object", properties: Object.fromEntries(fields) as object };
}

function answerTo(text: string): { readonly method: string; readonly answer: string | undefined } {
  const { id, method } = JSON.parse(text) as { readonly id?: unknown; readonly method: string };
  if (id === undefined) return { method, answer: undefined };
  const result = RESULTS[method] ?? {};
  return { method, answer: JSON.stringify({ jsonrpc: "2.0", id, result }) };
}

function serveStdio(): void {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { answer } = answerTo(line);
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  });
}

function serveHttp(listenOn: number): void {
  createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      if (text === "") {
        response.writeHead(405).end();
        return;
      }
      const { method, answer } = answerTo(text);
      if (answer === undefined) {
        response.writeHead(202).end();
        return;
      }
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(answer),
        ...(method === "initialize" && { "mcp-session-id": "quick" }),
      });
      response.end(answer);
    });
  }).listen(listenOn, "127.0.0.1");
}
