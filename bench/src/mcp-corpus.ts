import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { ajvAccepts } from "./bare-ajv.ts";
import { corpusCall, type Corpus, type CorpusCall, type CorpusTool } from "./corpus.ts";
import { resolveSchema, typesOf, variantsOf } from "./schema.ts";

const TIMEOUT = 20_000;
const require = createRequire(import.meta.url);
const SERVERS: readonly (readonly [script: string, ...args: string[]])[] = [
  [require.resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  [require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), tmpdir()],
  [require.resolve("@modelcontextprotocol/server-memory/dist/index.js")],
  [require.resolve("@modelcontextprotocol/server-sequential-thinking/dist/index.js")],
  [require.resolve("@notionhq/notion-mcp-server/bin/cli.mjs")],
];

/** Lists the tools of the installed MCP servers and creates valid calls of them. */
export async function readMcpCorpus(): Promise<Corpus> {
  const lists = await Promise.all(SERVERS.map(listTools));
  return { name: "mcp", calls: lists.flat().flatMap(sampleCalls) };
}

async function listTools([script, ...args]: (typeof SERVERS)[number]): Promise<
  readonly CorpusTool[]
> {
  const client = new Client({ name: "toolcontract-bench", version: "0.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, ...args],
    stderr: "ignore",
  });
  try {
    await client.connect(transport, { timeout: TIMEOUT });
    const { tools } = await client.listTools(undefined, { timeout: TIMEOUT });
    return tools.map(({ name, inputSchema }) => ({ name, inputSchema: inputSchema as JsonSchema }));
  } finally {
    await client.close();
  }
}

/** One call with the required fields and one with all, unless the schema rejects it. */
function sampleCalls(tool: CorpusTool): readonly CorpusCall[] {
  const accepts = ajvAccepts(tool);
  const samples = new Map<string, CorpusCall>();
  for (const size of ["required", "all"] as const) {
    const args = sampleValue(tool.inputSchema, size) as Readonly<Record<string, unknown>>;
    const call = corpusCall(tool, args);
    if (accepts(args)) samples.set(call.text, call);
  }
  return [...samples.values()];
}

/** Which optional fields a sample holds. */
export type SampleSize = "required" | "all";

const MAX_DEPTH = 6;
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-03-14",
  "date-time": "2026-03-14T09:26:53Z",
  email: "ana.silva@example.com",
  time: "09:26:53Z",
  uri: "https://example.com/reports/7",
  "json-pointer": "/reports/7",
  uuid: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
};

/**
 * Creates a value from a schema, always the same one.
 *
 * It covers the common keywords of tool schemas; callers drop the samples that the schema rejects.
 */
export function sampleValue(root: JsonSchema, size: SampleSize): unknown {
  return sample(root, 0);

  function sample(node: unknown, depth: number): unknown {
    if (!isRecord(node)) return "anything";
    const schema = resolveSchema(node, root);
    if ("const" in schema) return schema["const"];
    if (Array.isArray(schema["enum"])) return schema["enum"].at(-1);
    const [variant] = variantsOf(schema);
    if (variant !== undefined) {
      const { oneOf: _oneOf, anyOf: _anyOf, ...own } = schema;
      return sample({ ...own, ...resolveSchema(variant, root) }, depth);
    }
    if (Array.isArray(schema["allOf"])) {
      const { allOf, ...own } = schema;
      const parts = (allOf as unknown[]).map((part) => resolveSchema(part, root));
      return sample(Object.assign({}, ...parts, own), depth);
    }
    switch (typesOf(schema)[0]) {
      case "object":
        return sampleObject(schema, depth);
      case "array":
        return sampleArray(schema, depth);
      case "integer":
      case "number":
        return sampleNumber(schema);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return sampleText(schema);
    }
  }

  function sampleObject(schema: SchemaObject, depth: number): Readonly<Record<string, unknown>> {
    const { properties, required } = schema;
    const wanted = size === "all" && depth < MAX_DEPTH;
    return Object.fromEntries(
      Object.entries(isRecord(properties) ? properties : {})
        .filter(([name]) => wanted || (Array.isArray(required) && required.includes(name)))
        .map(([name, field]) => [name, sample(field, depth + 1)]),
    );
  }

  function sampleArray(schema: SchemaObject, depth: number): readonly unknown[] {
    const atLeast = Number(schema["minItems"] ?? 0);
    const length = Math.max(
      atLeast,
      depth < MAX_DEPTH ? Math.min(2, Number(schema["maxItems"] ?? 2)) : 0,
    );
    const item = sample(schema["items"] ?? true, depth + 1);
    return Array.from({ length: schema["uniqueItems"] === true ? 1 : length }, () => item);
  }
}

function sampleNumber(schema: SchemaObject): number {
  const low = Number(schema["minimum"] ?? Number(schema["exclusiveMinimum"] ?? 0) + 1);
  const high = Number(schema["maximum"] ?? Number.POSITIVE_INFINITY);
  return Math.min(Math.max(low, 3), high);
}

function sampleText(schema: SchemaObject): string {
  const text = FORMATS[String(schema["format"])] ?? "notes on the spring release";
  const atLeast = Number(schema["minLength"] ?? 0);
  return text
    .padEnd(atLeast, ".")
    .slice(0, Number(schema["maxLength"] ?? Number.POSITIVE_INFINITY));
}
