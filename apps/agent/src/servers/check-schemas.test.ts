import { expect, test } from "vitest";
import { checkSchemas } from "./check-schemas.ts";

const schema = (q: unknown): object => ({ type: "object", properties: { q } });

test.each<[string, object, readonly string[]]>([
  ["a schema that is one", schema({ type: "string" }), []],
  ["an invalid type", schema({ type: 12 }), ["unusable"]],
  [
    "a dialect that nobody knows",
    { ...schema({}), $schema: "https://example.com/draft-99" },
    ["unusable"],
  ],
  [
    "an invalid keyword",
    schema({ type: "string", minLength: "three" }),
    [
      'the schema of tool "a": /properties/q/minLength is ignored, because it is not valid JSON Schema',
    ],
  ],
  [
    "an invalid pattern",
    schema({ type: "string", pattern: "(" }),
    [
      'the schema of tool "a": /properties/q/pattern is ignored, because it is not a regular expression of JavaScript',
    ],
  ],
  [
    "an invalid type beside a valid one",
    { type: "object", properties: { q: { type: 12 }, p: { type: "string" } } },
    ['the schema of tool "a": /properties/q/type is ignored, because it is not valid JSON Schema'],
  ],
  [
    "a type that is misspelt",
    schema({ type: "String" }),
    ['the schema of tool "a": /properties/q/type is misspelt, and read as what it must mean'],
  ],
])("%s", (_, inputSchema, expected) => {
  const { unusable, warnings } = checkSchemas([{ name: "a", inputSchema } as never], {});
  expect([...unusable.map(() => "unusable"), ...warnings]).toEqual(expected);
});

test("nothing that a server writes controls a terminal", () => {
  const properties = { "\u001B[2Jq": { type: "String" } };
  const tool = { name: "a\u001B[2J", inputSchema: { type: "object", properties } };
  const [warning = ""] = checkSchemas([tool] as never, {}).warnings;
  expect(warning).toContain("is misspelt");
  expect(warning).not.toMatch(/\p{Cc}/u);
});

test("each tool is named once", () => {
  const tools = ["a", "b", "c"].map((name) => ({ name, inputSchema: schema({ type: 12 }) }));
  expect(checkSchemas(tools as never, {})).toEqual({ unusable: ["a", "b", "c"], warnings: [] });
});
