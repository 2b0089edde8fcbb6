import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { contractOf, runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

type Outcome = readonly [answer: string, runs: readonly unknown[]];

async function outcomeOf(lab: Lab, schema: unknown, args: string, options = {}): Promise<Outcome> {
  const { tool, runs } = spied(lab, "act", schema);
  const { results } = await runAgent(lab, {
    turns: [{ calls: [{ id: "a", name: "act", args }] }],
    tools: [tool],
    options,
  });
  return [textOfMessage(results[0]!), runs];
}

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const Tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get children(): z.ZodArray<z.ZodType<Tree>> {
    return z.array(Tree);
  },
});

const later = async <T>(value: T): Promise<T> => value;
const exclaimed = z.string().transform(async (text) => `${text}!`);

// Rejected by a JSON Schema converted from the zod schema, accepted by zod.
const ACCEPTED = [
  ["a default", z.object({ lines: z.number().default(10) }), "{}", { lines: 10 }],
  ["a coerced number", z.object({ n: z.coerce.number() }), '{"n":"5"}', { n: 5 }],
  ["an unknown field", z.object({ a: z.string() }), '{"a":"x","b":1}', { a: "x" }],
  ["a loose object", z.looseObject({ a: z.string() }), '{"a":"x","b":1}', { a: "x", b: 1 }],
  ["a recursive schema", Tree, '{"name":"r","children":[]}', { name: "r", children: [] }],
  [
    "a preprocessed value",
    z.object({ a: z.preprocess((value) => [value].flat(), z.array(z.string())) }),
    '{"a":"x"}',
    { a: ["x"] },
  ],
  [
    "a date",
    z.object({ at: z.coerce.date() }),
    '{"at":"2026-01-02"}',
    { at: new Date("2026-01-02") },
  ],
  ["a transform", z.object({ a: z.string().transform(Number) }), '{"a":"5"}', { a: 5 }],
  ["zod 3", z3.object({ n: z3.coerce.number().default(1) }), '{"n":"5"}', { n: 5 }],
  ["zod mini", mini.object({ n: mini.optional(mini.number()) }), '{"n":5}', { n: 5 }],
  ["an asynchronous transform", z.object({ a: exclaimed }), '{"a":"x"}', { a: "x!" }],
  [
    "an asynchronous transform in a union in an array",
    z.object({ a: z.array(z.union([z.number(), exclaimed])) }),
    '{"a":["x"]}',
    { a: ["x!"] },
  ],
  [
    "an asynchronous preprocessing",
    z.object({ a: z.preprocess(later, z.string()) }),
    '{"a":"x"}',
    { a: "x" },
  ],
  [
    "an asynchronous preprocessing of zod 3 in a union",
    z3.object({ a: z3.union([z3.preprocess(later, z3.string()), z3.boolean()]) }),
    '{"a":"x"}',
    { a: "x" },
  ],
] as const;

// What the tool rejects, and where.
const REJECTED = [
  ["zod 4", z.object({ n: z.number().max(5) }), '{"n":9}', "/n (VAL-003)"],
  ["zod 3", z3.object({ n: z3.number().max(5) }), '{"n":9}', "/n (VAL-003)"],
  ["zod mini", mini.object({ n: mini.number() }), '{"n":"x"}', "/n (VAL-002)"],
  ["a refinement", z.object({ n: z.number() }).refine(({ n }) => n > 5), '{"n":1}', "VAL-016"],
  [
    "an asynchronous refinement",
    z.object({ a: exclaimed, n: z.number().refine(async (n) => n > 5, "Too few.") }),
    '{"a":"x","n":1}',
    "/n (VAL-016): Too few.",
  ],
  [
    "a recursive schema",
    Tree,
    '{"name":"r","children":[{"name":1}]}',
    "/children/0/name (VAL-002)",
  ],
  ["a strict object", z.strictObject({ path: z.string() }), '{"pth":"x"}', 'rename it to "path"'],
] as const;

describe.each(LABS)("what validates on langchain $version", (lab) => {
  test.each(ACCEPTED)("zod decides: %s is accepted", async (_, schema, args, input) => {
    expect(await outcomeOf(lab, schema, args)).toEqual(["done", [input]]);
  });

  test.each(REJECTED)(
    "%s is rejected with the path and the reason",
    async (_, schema, args, reported) => {
      const [answer, runs] = await outcomeOf(lab, schema, args);
      expect(answer).toContain(reported);
      expect(runs).toEqual([]);
    },
  );

  test("zod without Standard Schema is validated through LangChain's own helpers", async () => {
    const old = z3.object({ n: z3.number().max(5) });
    Object.defineProperty(old, "~standard", { value: undefined });
    expect((await outcomeOf(lab, old, '{"n":9}'))[0]).toContain("/n (VAL-003)");
    expect(await outcomeOf(lab, old, '{"n":1}')).toEqual(["done", [{ n: 1 }]]);
  });

  test("a Standard Schema validates, although LangChain itself does not run it", async () => {
    const schema = v.object({ a: v.string(), n: v.optional(v.number()) });
    const [answer, runs] = await outcomeOf(lab, schema, '{"a": 5}');
    expect(answer).toContain("/a (VAL-002): Type mismatch: expected string, got integer");
    expect(runs).toEqual([]);
    expect(await outcomeOf(lab, schema, '{"a":"x"}')).toEqual(["done", [{ a: "x" }]]);
  });

  test("schemaFor restores what a client removed from a server's schema", async () => {
    const simplified = { type: "object", properties: { a: {}, b: {} } };
    const real = { ...simplified, not: { required: ["a", "b"] } };
    const args = '{"a":1,"b":2}';
    expect((await outcomeOf(lab, simplified, args))[0]).toBe("done");
    const schemaFor = (name: string): object | undefined => (name === "act" ? real : undefined);
    const [answer, runs] = await outcomeOf(lab, simplified, args, { schemaFor });
    expect(answer).toContain("VAL-014");
    expect(runs).toEqual([]);
  });

  test("a tool with a single string input gets what LangChain passes it", async () => {
    const { tool, runs } = spied(lab, "say", z.string());
    const { results } = await runAgent(lab, {
      turns: [
        { calls: [{ id: "a", name: "say", args: '{"input": 5}' }] },
        { calls: [{ id: "b", name: "say", args: '{"input": "hi"}' }] },
      ],
      tools: [tool],
    });
    expect(results[0]?.content).toContain("/input (VAL-002)");
    expect(runs).toEqual(["hi"]);
  });

  test("arguments that only LangChain's own validation rejects are answered by the contract", async () => {
    // LangChain ignores the dialect and reads the keyword beside $ref; core does not.
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { n: { $ref: "#/definitions/n", minimum: 5 } },
      definitions: { n: { type: "integer" } },
    };
    const [answer, runs] = await outcomeOf(lab, schema, '{"n":1}');
    expect(answer).toContain("(arguments) (VAL-016): The tool refused these arguments");
    expect(answer).not.toContain("    at ");
    expect(runs).toEqual([]);
  });

  test("a tool that calls another one with invalid arguments has failed itself", async () => {
    const inner = spied(lab, "inner", z.object({ n: z.number() }));
    const outer = spied(lab, "outer", z.object({}), async () =>
      inner.tool.invoke({ n: "secret" } as never),
    );
    const { results } = await runAgent(lab, {
      turns: [{ calls: [{ id: "a", name: "outer", args: "{}" }] }],
      tools: [outer.tool],
    });
    expect(results[0]?.content).toContain("Error invoking tool 'outer'");
    expect(results[0]?.content).not.toContain("secret");
  });

  test("rules, redaction and unwrapped strings work as in core", async () => {
    const middleware = contractOf(lab);
    expect(middleware.name).toBe("toolContractMiddleware");
    const schema = { type: "object", properties: { list: { type: "array" } } };
    const ran = await outcomeOf(lab, schema, '{"list":"[1]"}', { unwrapStrings: true });
    expect(ran).toEqual(["done", [{ list: [1] }]]);
    const rules = { act: [() => [{ fieldPath: "/list", message: "Not on Sundays" }]] };
    expect((await outcomeOf(lab, schema, '{"list":[1]}', { rules }))[0]).toContain(
      "Not on Sundays",
    );
  });
});
