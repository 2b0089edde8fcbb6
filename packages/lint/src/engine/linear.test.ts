import { expectLinearCost } from "@toolcontract/case-table/cost";
import { expect, test } from "vitest";
import { readTools } from "../input/index.ts";
import { MAX_LEVELS } from "../shared/index.ts";
import { lintTools } from "./index.ts";

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, letter: string, make: (index: number) => unknown): object =>
  Object.fromEntries(many(count, (index) => [`${letter}${index}`, make(index)]));
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const tool = (inputSchema: object, more: object = {}) => ({
  name: "t",
  description: "Does it.",
  inputSchema,
  ...more,
});
const field = (schema: object) => tool(object({ x: schema }));
const said = (text: string) =>
  tool(object({ x: { type: "string", description: text } }), { description: text });
const TEXT = { type: "string" };

/** A text of about so many characters. */
const filled = (part: string) => (size: number) => said(part.repeat(size / part.length));

type Make = (size: number) => object;

test.each<[what: string, make: Make, size: number]>([
  ["comments that are not closed", filled("<!-- you "), 8_000],
  ["comments", filled("<!-- x -->"), 8_000],
  ["tags that are not closed", filled("<system>"), 8_000],
  ["spaces between words", (size) => said(`ignore${" ".repeat(size)}x`), 8_000],
  ["beginnings of orders", filled("ignore the do not tell you must "), 8_000],
  ["lists that never end", filled("one of: a, "), 8_000],
  ["a list in pipes", filled("a | "), 8_000],
  ["quotes", filled(`one of "`), 8_000],
  ["parentheses", filled("("), 8_000],
  ["sentences", filled("e.g. 'a'. "), 8_000],
  ["addresses", filled("https://a.b/ "), 8_000],
  ["what could be keys", filled("sk-live-abcdefghijklmnop "), 8_000],
  [
    "defaults in words",
    (size) =>
      field({ type: "string", default: "b", description: "default is 'a ".repeat(size / 14) }),
    8_000,
  ],
  ["an enum of strings", (size) => field({ enum: many(size, (index) => `v${index}`) }), 4_000],
  ["an enum of objects", (size) => field({ enum: many(size, (a) => ({ a })) }), 2_000],
  [
    "enums that must both hold",
    (size) => field({ allOf: many(2, () => ({ enum: many(size, (index) => `v${index}`) })) }),
    2_000,
  ],
  ["names of types", (size) => field({ type: "string|".repeat(size / 7) }), 2_000],
  ["blanks in a type", (size) => field({ type: `${" ".repeat(size)}x` }), 4_000],
  ["examples", (size) => field({ type: "integer", examples: many(size, (at) => `v${at}`) }), 1_000],
  ["fields", (size) => tool(object(named(size, "f", () => TEXT))), 1_000],
  [
    "required fields",
    (size) =>
      tool(
        object(
          named(size, "f", () => TEXT),
          { required: many(size, (at) => `f${at}`) },
        ),
      ),
    1_000,
  ],
  [
    "required fields that nobody declares",
    (size) =>
      tool(
        object(
          named(size, "f", () => TEXT),
          { required: many(size, (at) => `g${at}`) },
        ),
      ),
    500,
  ],
  [
    "parts that require fields",
    (size) =>
      tool({
        type: "object",
        allOf: many(size, (at) => object({ [`k${at}`]: TEXT }, { required: [`z${at}`] })),
      }),
    250,
  ],
  ["misspelt keywords", (size) => tool(object(named(size, "f", () => ({ minLenght: 1 })))), 500],
  [
    "wrong defaults",
    (size) => tool(object(named(size, "f", () => ({ type: "integer", default: "x" })))),
    500,
  ],
  [
    "patterns of names",
    (size) => tool({ type: "object", patternProperties: named(size, "^f", () => TEXT) }),
    500,
  ],
  ["a long pattern", (size) => field({ type: "string", pattern: "a?".repeat(size / 2) }), 1_000],
  [
    "tagged variants",
    (size) =>
      field({ oneOf: many(size, (at) => object({ k: { const: `k${at}` } }, { required: ["k"] })) }),
    250,
  ],
  [
    "untagged variants",
    (size) => field({ anyOf: many(size, (at) => object({ [`k${at}`]: TEXT })) }),
    250,
  ],
  [
    "variants that overlap",
    (size) => field({ oneOf: many(size, (at) => object({ a: TEXT, [`b${at}`]: TEXT })) }),
    250,
  ],
  [
    "definitions in a chain",
    (size) =>
      tool({
        ...object({ a: { $ref: "#/$defs/d0" } }),
        $defs: named(size, "d", (at) => object({ a: { $ref: `#/$defs/d${at + 1}` } })),
      }),
    250,
  ],
  [
    "references to one definition",
    (size) =>
      tool({
        ...object(named(size, "f", () => ({ $ref: "#/$defs/d" }))),
        $defs: { d: object({ a: TEXT }) },
      }),
    500,
  ],
  [
    "unions in unions",
    (size) => field(nested(Math.min(size, 200), (inner) => ({ anyOf: [inner, TEXT] }))),
    40,
  ],
  ["objects in objects", (size) => tool(nested(Math.min(size, 240), (a) => object({ a }))), 60],
  [
    "tools with names that are near",
    (size) => ({
      tools: many(size, (at) => ({
        ...said(`Gets the user ${at} of the list.`),
        name: `get_user_${at}`,
      })),
    }),
    100,
  ],
])("the time to lint grows with the input: %s", async (_, make, size) => {
  await expectLinearCost((count) => {
    const tools = readTools(make(count));
    return () => lintTools(tools);
  }, size);
});

function nested(levels: number, wrap: (inner: object) => object): object {
  let schema: object = TEXT;
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
}

test.each([MAX_LEVELS, 6_000])(
  "a tool of %i levels is an error, gets an F, and hides no other",
  (levels) => {
    const deep = { ...tool(nested(levels, (a) => object({ a }))), name: "deep" };
    const { findings, tools } = lintTools(readTools({ tools: [deep, tool(object({}))] }));
    expect(findings.filter((one) => one.tool === "deep")).toMatchObject([
      { rule: "deep-nesting", severity: "error" },
    ]);
    expect(tools.map(({ grade }) => grade)).toEqual(["F", "A"]);
  },
);
