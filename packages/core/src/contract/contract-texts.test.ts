import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, test } from "vitest";
import { z as z4 } from "zod";
import { z as z3 } from "zod3";
import { type JsonSchema, type ToolDefinition, createContract } from "../index.ts";
import { schemaOf } from "../testing/schema-of.ts";

/** One tool, as its author may have written it. */
type Authored = StandardSchemaV1 | { readonly properties: object };

interface Row {
  readonly title: string;
  readonly tools: readonly Authored[];
  readonly sent: unknown;
  /** What the model reads about the faults. */
  readonly lines: readonly string[];
}

const contract = createContract({ logger: () => undefined });

function toolOf(authored: Authored): ToolDefinition {
  if (!("~standard" in authored))
    return { name: "t", inputSchema: { type: "object", ...authored } as JsonSchema };
  const inputSchema = schemaOf(authored);
  return { name: "t", validator: authored, ...(inputSchema !== undefined && { inputSchema }) };
}

/** Returns the bullets of the message in the standard style. */
async function read(authored: Authored, sent: unknown): Promise<readonly string[]> {
  const call = { id: "call_1", name: "t", arguments: sent };
  const answer = await contract.admit(call, {
    conversationId: crypto.randomUUID(),
    tool: toolOf(authored),
  });
  if (answer.status !== "rejected") return [answer.status];
  const { content } = answer.result;
  return content.split("\n").filter((line) => /^(?:• | {2})/.test(line));
}

const text = { type: "string" };

const paths: readonly Row[] = [
  {
    title: "a path of two segments is shown whole, and so is the hint that repeats it",
    tools: [
      { properties: { path: text } },
      z4.object({ path: z4.string() }),
      z3.object({ path: z3.string() }),
    ],
    sent: { path: ["/tmp/a.txt"] },
    lines: [
      "• /path (VAL-002): Type mismatch: expected string, got array",
      "  Expected: string",
      '  Actual: ["/tmp/a.txt"]',
      '  Hint: use "/tmp/a.txt"',
    ],
  },
];

describe.each([...paths])("$title", ({ tools, sent, lines }) => {
  test.each(tools.map((tool, index) => [index + 1, tool] as const))("tool %i", async (_, tool) => {
    expect(await read(tool, sent)).toEqual(lines);
  });
});
