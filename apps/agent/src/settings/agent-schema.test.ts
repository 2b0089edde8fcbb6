import { readFileSync } from "node:fs";
import { createContract, type SchemaObject } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { memberSchema, fileSchema } from "@toolcontract/config/adapter";
import { agentSchema } from "./agent-schema.ts";

const published = JSON.parse(
  readFileSync(new URL("../../agent-schema.json", import.meta.url), "utf8"),
) as SchemaObject;
const contract = createContract({ logger: () => undefined, interpreter: true });
const fits = (inputSchema: SchemaObject, value: unknown): boolean =>
  contract.check({ name: "file", inputSchema }, value).status === "valid";

test("agent-schema.json matches the tables: run `pnpm --filter @toolcontract/agent schema`", () => {
  expect(published).toEqual(agentSchema(true));
});

test("the contract's part is the same as in schema.json", () => {
  const toolsOf = (schema: SchemaObject): unknown => memberSchema(schema, "tools");
  expect(toolsOf(published)).toEqual(toolsOf(fileSchema(true)));
});

interface Leaf {
  readonly path: string;
  readonly file: object;
  readonly schema: SchemaObject;
}

/** Every single value below a schema, and a file with `${NAME}` there. */
function leavesOf(
  schema: SchemaObject,
  path: string,
  wrap: (value: unknown) => object,
): readonly Leaf[] {
  const { properties, additionalProperties, items } = schema as {
    readonly properties?: Readonly<Record<string, SchemaObject>>;
    readonly additionalProperties?: SchemaObject | boolean;
    readonly items?: SchemaObject;
  };
  if (properties) {
    return Object.entries(properties).flatMap(([key, one]) => {
      const required = (schema["required"] ?? []) as readonly string[];
      const others = Object.fromEntries(required.map((name) => [name, "x"]));
      return leavesOf(one, `${path}.${key}`, (value) => wrap({ ...others, [key]: value }));
    });
  }
  if (items) return leavesOf(items, `${path}[]`, (value) => wrap([value]));
  if (typeof additionalProperties === "object") {
    return leavesOf(additionalProperties, `${path}.*`, (value) => wrap({ name: value }));
  }
  return [{ path, schema, file: wrap("${NAME}") }];
}

describe("editors accept ${VARIABLE} for every value beside tools", () => {
  const sections = ["session", "providers", "targets", "mcp_servers", "queues"];
  const leaves = sections.flatMap((section) =>
    leavesOf(memberSchema(agentSchema(false), section) ?? {}, section, (value) => ({
      [section]: value,
    })),
  );

  test.each(leaves)("$path", ({ file, schema }) => {
    expect(fits(published, file)).toBe(true);
    // What validates after expansion does not, unless any string is right.
    const isAnyString =
      schema["type"] === undefined || (schema["type"] === "string" && !("enum" in schema));
    expect(fits(agentSchema(false), file)).toBe(isAnyString);
  });

  test("and nothing else that is wrong", () => {
    expect(leaves.length).toBeGreaterThan(50);
    expect(fits(published, { session: { max_turns: "three" } })).toBe(false);
    expect(fits(published, { session: { maxTurns: 3 } })).toBe(false);
    expect(fits(published, { targets: [{ provider: "main" }] })).toBe(false);
  });

  test("keys of others are not validated", () => {
    expect(fits(published, { title: 3, tools: { queues: [] } })).toBe(true);
  });
});
