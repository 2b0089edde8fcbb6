import { describe, expect, test } from "vitest";
import { lintTools } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import { gradeFor } from "./index.ts";

function gradeOf(inputSchema: unknown): string {
  const { tools } = lintTools(readTools({ name: "t", description: "t", inputSchema }));
  return tools[0]?.grade ?? "";
}

const described = { description: "What to find." };
const closed = { type: "object", additionalProperties: false };

describe("a grade is the share of mistaken calls that come back with the fix named", () => {
  test.each([
    [
      "A",
      "a closed tool whose fields say what they are",
      {
        ...closed,
        properties: {
          query: { type: "string", ...described },
          limit: { type: "integer", minimum: 1, ...described },
        },
        required: ["query"],
      },
    ],
    ["A", "a tool without arguments", { ...closed, properties: {} }],
    [
      "F",
      "a tool that no value passes",
      {
        ...closed,
        properties: { kinds: { type: "array", enum: ["a"], ...described } },
        required: ["kinds"],
      },
    ],
  ])("%s: %s", (grade, _, schema) => {
    expect(gradeOf(schema)).toBe(grade);
  });

  test("an open tool is worse than a closed one, and an enum in prose worse than a declared one", () => {
    const properties = {
      sort: { type: "string", enum: ["asc", "desc"], ...described },
      query: { type: "string", ...described },
    };
    const prose = { ...properties, sort: { type: "string", description: "One of: asc, desc" } };
    const share = (schema: object): number =>
      lintTools(readTools({ name: "t", inputSchema: schema })).tools[0]?.share ?? 0;
    const required = ["sort", "query"];
    const best = share({ ...closed, properties, required });
    expect(share({ type: "object", properties, required })).toBeLessThan(best);
    expect(share({ ...closed, properties: prose, required })).toBeLessThan(best);
  });
});

describe("the share of a tool with one field", () => {
  test.each<[share: number, what: string, name: string, field: object, isRequired: boolean]>([
    [1, "a string whose name says what it is", "city", { type: "string" }, true],
    [0.544, "a string whose name says nothing", "data", { type: "string" }, true],
    [1, "the same with a description", "data", { type: "string", ...described }, true],
    [0.788, "an object of which nothing is known", "city", { type: "object" }, true],
    [0.287, "the same whose name says nothing", "data", { type: "object" }, true],
    [0.782, "the same, optional", "data", { type: "object" }, false],
    [1, "the same with a title", "data", { type: "object", title: "A place" }, true],
    [0.952, "a list of anything", "city", { type: "array", items: {} }, true],
    [1, "a list of strings", "city", { type: "array", items: { type: "string" } }, true],
    [1, "a field that may be anything", "city", {}, true],
    [0.364, "a field that may be anything and says nothing", "data", {}, true],
    [
      0.858,
      "a field whose values are in prose",
      "x",
      { type: "string", description: "One of: a, b" },
      false,
    ],
  ])("%d: %s", (share, _, name, field, isRequired) => {
    const schema = {
      ...closed,
      properties: { [name]: field },
      required: isRequired ? [name] : [],
    };
    expect(lintTools(readTools({ name: "t", inputSchema: schema })).tools[0]?.share).toBe(share);
  });
});

test("fields of one kind of mistake share its weight", () => {
  const properties = { city: { type: "string" }, data: { type: "string" } };
  const schema = { ...closed, properties, required: ["city", "data"] };
  expect(lintTools(readTools({ name: "t", inputSchema: schema })).tools[0]?.share).toBe(0.772);
});

test.each([
  [1, "A"],
  [0.9, "A"],
  [0.899, "B"],
  [0.8, "B"],
  [0.799, "C"],
  [0.7, "C"],
  [0.699, "D"],
  [0.5, "D"],
  [0.499, "F"],
  [0, "F"],
])("a share of %d is graded %s", (share, grade) => {
  expect(gradeFor(share)).toBe(grade);
});

test("a contradiction under not does not matter", () => {
  expect(gradeOf({ ...closed, properties: { a: { type: "string", not: { enum: [] } } } })).toBe(
    "A",
  );
});

test.each([
  ["fields in place of a schema", { city: { type: "string" }, zip: { type: "string" } }],
  ["a schema that does not compile", { $ref: "#/$defs/none" }],
])("%s enforces nothing, so it gets an F", (_, inputSchema) => {
  const { tools } = lintTools(readTools({ name: "t", description: "d", inputSchema }));
  expect(tools[0]?.grade).toBe("F");
});
