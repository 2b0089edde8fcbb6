// A server that stops at the first fault, as those on Python's jsonschema do.
import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const range = {
  type: "object",
  properties: { start: { type: "integer" }, end: { type: "integer" } },
  required: ["start", "end"],
};
const readLines = {
  name: "read_lines",
  description: "Reads ranges of lines of files",
  inputSchema: {
    type: "object" as const,
    properties: {
      files: {
        type: "array",
        items: {
          type: "object",
          properties: { path: { type: "string" }, ranges: { type: "array", items: range } },
          required: ["path", "ranges"],
        },
      },
      encoding: { enum: ["utf-8", "ascii"] },
    },
    required: ["files"],
  },
};

interface Sent {
  readonly files?: readonly {
    readonly path?: string;
    readonly ranges?: readonly { readonly start?: number; readonly end?: number }[];
  }[];
  readonly encoding?: string;
}

/** The first fault, in the words of jsonschema. */
function firstFault({ files, encoding = "utf-8" }: Sent): string | undefined {
  const required = [
    ["files", files],
    ["path", files?.[0]?.path],
    ["ranges", files?.[0]?.ranges],
    ["start", files?.[0]?.ranges?.[0]?.start],
    ["end", files?.[0]?.ranges?.[0]?.end],
  ] as const;
  const missing = required.find(([, value]) => value === undefined);
  if (missing !== undefined) return `'${missing[0]}' is a required property`;
  const known = readLines.inputSchema.properties.encoding.enum;
  return known.includes(encoding) ? undefined : `'${encoding}' is not one of ['utf-8', 'ascii']`;
}

const server = new Server({ name: "lines", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [readLines] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  const sent: Sent = params.arguments ?? {};
  const fault = firstFault(sent);
  if (fault !== undefined)
    return { content: [{ type: "text", text: `Input validation error: ${fault}` }], isError: true };
  const [{ path = "", ranges = [] } = {}] = sent.files ?? [];
  const [{ start = 1, end = 1 } = {}] = ranges;
  const lines = readFileSync(path, "utf8").split("\n");
  return { content: [{ type: "text", text: lines.slice(start - 1, end).join("\n") }] };
});
await server.connect(new StdioServerTransport());
