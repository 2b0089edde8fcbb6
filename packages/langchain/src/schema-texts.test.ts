import { describeLibraries } from "@toolcontract/case-table/libraries";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";
import { createToolDefinitions } from "./tool-definitions.ts";

/** The lines between the first and the last that the model reads. */
async function linesOf(lab: Lab, schema: unknown, args: unknown): Promise<readonly string[]> {
  const { tool } = spied(lab, "act", schema);
  const { results } = await runAgent(lab, {
    turns: [{ calls: [{ id: "a", name: "act", args: JSON.stringify(args) }] }],
    tools: [tool],
    options: { format: { style: "compact" } },
  });
  return textOfMessage(results[0]!).split("\n").slice(1, -1);
}

describe.each(LABS)("what the model reads on langchain $version", (lab) => {
  describeLibraries({ linesOf: async (schema, sent) => linesOf(lab, schema, sent) });

  test("a schema that LangChain cannot convert is still validated", async () => {
    const broken = z3.lazy((): z3.ZodType => {
      throw new Error("not defined yet");
    });
    const schema = z3.object({ path: z3.string(), rest: broken.optional() });
    expect(await linesOf(lab, schema, { path: 5 })).toEqual([
      '- /path (VAL-002): 5; expected string; use "5"',
    ]);
  });

  test("unknownFields reports a field that zod 3 strips", async () => {
    const { tool, runs } = spied(lab, "act", z3.object({ path: z3.string() }));
    const { results } = await runAgent(lab, {
      turns: [{ calls: [{ id: "a", name: "act", args: '{"path":"a","mode":1}' }] }],
      tools: [tool],
      options: { unknownFields: "reject" },
    });
    expect(textOfMessage(results[0]!)).toContain("/mode (VAL-005): Unknown field 'mode'");
    expect(runs).toEqual([]);
  });
});

describe("createToolDefinitions", () => {
  const definitions = createToolDefinitions();

  test("converts a zod 3 schema once, for all tools that share it", () => {
    const schema = z3.object({ path: z3.string() });
    const { inputSchema } = definitions.of({ name: "a", schema });
    expect(inputSchema).toMatchObject({ properties: { path: { type: "string" } } });
    expect(definitions.of({ name: "b", schema }).inputSchema).toBe(inputSchema);
    expect(createToolDefinitions().of({ name: "a", schema }).inputSchema).toBe(inputSchema);
  });

  test.each([
    ["zod 4", z.object({ path: z.string() })],
    ["zod mini", mini.object({ path: mini.string() })],
    ["valibot", v.object({ path: v.string() })],
    ["valibot with Standard JSON Schema", toStandardJsonSchema(v.object({ path: v.string() }))],
  ])("hands on %s as it is", (_, schema) => {
    expect(definitions.of({ name: "a", schema })).toEqual({ name: "a", validator: schema });
  });
});
