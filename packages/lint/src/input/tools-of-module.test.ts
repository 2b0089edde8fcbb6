import { expect, test } from "vitest";
import { z } from "zod";
import { toolsOfModule } from "./index.ts";

const schema = { type: "object", properties: { a: { type: "string" } } };
const standard = z.object({ a: z.string() });
const written = expect.objectContaining({ type: "object", properties: schema.properties });
const self: Record<string, unknown> = { a: { parameters: schema } };
self["self"] = self;
const callable = Object.assign(() => undefined, { schema });

test.each<[what: string, exported: object, tools: readonly object[]]>([
  [
    "a tool of the AI SDK",
    { a: { inputSchema: { jsonSchema: schema, validate: () => undefined } } },
    [{ name: "a", inputSchema: schema }],
  ],
  [
    "a tool with a schema of zod",
    { a: { description: "d", inputSchema: standard } },
    [{ name: "a", description: "d", inputSchema: written }],
  ],
  ["a tool with parameters", { a: { parameters: schema } }, [{ name: "a", inputSchema: schema }]],
  ["a tool with a schema", { a: { name: "b", schema } }, [{ name: "b", inputSchema: schema }]],
  ["a tool whose name is empty", { a: { name: "", schema } }, [{ name: "a", inputSchema: schema }]],
  [
    "a tool with an invalid name",
    { a: { name: 5, description: 5, schema } },
    [{ name: "a", inputSchema: schema }],
  ],
  ["a tool that is a function", { a: callable }, [{ name: "a", inputSchema: schema }]],
  [
    "a tool with a result",
    { a: { schema, outputSchema: standard } },
    [{ name: "a", inputSchema: schema, outputSchema: written }],
  ],
  [
    "a tool whose result has no schema",
    { a: { schema, outputSchema: true } },
    [{ name: "a", inputSchema: schema }],
  ],
  [
    "a schema",
    { Order: standard.describe("An order.") },
    [{ name: "Order", description: "An order.", inputSchema: written }],
  ],
  [
    "a schema without a description",
    { Order: standard },
    [{ name: "Order", description: "", inputSchema: written }],
  ],
  [
    "a schema that cannot be written",
    { Own: { "~standard": { version: 1, vendor: "own", validate: () => ({ value: 1 }) } } },
    [],
  ],
  ["a set of tools", { tools: { a: { schema }, b: { schema } } }, [{ name: "a" }, { name: "b" }]],
  [
    "a list of tools",
    { tools: [{ schema }, { schema, name: "b" }] },
    [{ name: "tools[0]" }, { name: "b" }],
  ],
  ["a set in a set", { all: { tools: { a: { schema } } } }, [{ name: "a" }]],
  ["a set too deep to be one", { all: { tools: { more: { a: { schema } } } } }, []],
  ["a list in a list", { all: [[{ schema }]] }, [{ name: "all[0][0]" }]],
  ["a list too deep to be one", { all: [[[{ schema }]]] }, []],
  ["a tool that is exported twice", { a: self["a"], b: self["a"] }, [{ name: "a" }]],
  ["a value that contains itself", { self }, [{ name: "a" }]],
  [
    "values of other kinds",
    { a: 1, b: "x", c: null, d: undefined, e: () => 1, f: { g: true } },
    [],
  ],
  [
    "a tool with an invalid schema",
    { a: { schema: "public" }, b: { parameters: {} }, c: { schema: true } },
    [],
  ],
  [
    "settings",
    { options: { parameters: { type: "dark" } }, site: { schema: { properties: "none" } } },
    [],
  ],
  ...Object.entries({ type: "object", properties: {}, anyOf: [{}], $ref: "#" }).map(
    ([key, value]): [string, object, readonly object[]] => [
      `a schema with ${key}`,
      { a: { schema: { [key]: value } } },
      [{ name: "a", inputSchema: { [key]: value } }],
    ],
  ),
])("%s is read from a module", (_, exported, tools) => {
  const found = toolsOfModule(exported as Readonly<Record<string, unknown>>);
  expect(found).toHaveLength(tools.length);
  expect(found).toMatchObject(tools);
});

test("a tool of a framework has nothing but what a model reads", () => {
  const exported = { a: { schema, description: "d", execute: () => "done", extra: 1 } };
  expect(toolsOfModule(exported)).toEqual([{ name: "a", description: "d", inputSchema: schema }]);
});
