import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeVersions } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";

interface Outcome {
  readonly text: string;
  /** The arguments that the tool got. */
  readonly runs: readonly unknown[];
}

async function outcomeOf(sdk: Sdk, inputSchema: unknown, args: unknown): Promise<Outcome> {
  const runs: unknown[] = [];
  const find = sdk.ai.tool({
    inputSchema: inputSchema as z.ZodType,
    execute: async (given: unknown) => {
      runs.push(given);
      return "found";
    },
  });
  const settings = sdk.adapter.withContract({
    logger: () => undefined,
    format: { style: "compact" },
    tools: { find },
    stopWhen: steps(1),
  });
  const model = sdk.script([
    { calls: [{ id: "call_1", name: "find", input: JSON.stringify(args) }] },
  ]);
  const { messages } = await sdk.run("generateText", { model, settings });
  return { text: textOf(messages, "call_1"), runs };
}

const later = async <T>(value: T): Promise<T> => value;
const exclaimed = z.string().transform(async (text) => `${text}!`);

const ACCEPTED: readonly (readonly [string, unknown, unknown, unknown])[] = [
  ["transform", z.object({ a: exclaimed }), { a: "x" }, { a: "x!" }],
  [
    "transform in a union in an array",
    z.object({ a: z.array(z.union([z.number(), exclaimed])) }),
    { a: ["x"] },
    { a: ["x!"] },
  ],
  [
    "codec",
    z.object({
      a: z.codec(z.string(), z.number(), { decode: async (text) => text.length, encode: String }),
    }),
    { a: "xyz" },
    { a: 3 },
  ],
  ["preprocessing", z.object({ a: z.preprocess(later, z.string()) }), { a: "x" }, { a: "x" }],
  [
    "preprocessing of zod 3 in a union",
    z3.object({ a: z3.union([z3.preprocess(later, z3.string()), z3.boolean()]) }),
    { a: "x" },
    { a: "x" },
  ],
];

describeVersions((sdk) => {
  describe("a tool whose schema is asynchronous", () => {
    test.each(ACCEPTED)("%s: runs", async (_, schema, args, input) => {
      expect(await outcomeOf(sdk, schema, args)).toEqual({ text: "found", runs: [input] });
    });

    test("gets its own refusal", async () => {
      const known = z.string().refine(async (name) => name === "known", "No such customer.");
      const schema = z.object({ a: exclaimed, customer: known });
      const { text, runs } = await outcomeOf(sdk, schema, { a: "x", customer: "y" });
      expect(text).toContain('- /customer (VAL-016): No such customer.; got "y"');
      expect(runs).toEqual([]);
    });
  });
});
