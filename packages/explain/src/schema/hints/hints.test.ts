import { describe, expect, test } from "vitest";
import { explainedInWords } from "../../testing/explained.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };
const boolean = { type: "boolean" };
const nothing = { type: "null" };
const anyArray = { type: "array" };
const anyObject = { type: "object" };
const withA = { type: "object", properties: { a: integer }, required: ["a"] };

/** The hint at a value of the field `x` that is of the wrong type. */
function hintAt(
  x: object,
  value: unknown,
  required: readonly string[] = ["x"],
): string | undefined {
  const findings = explainedInWords({ type: "object", properties: { x }, required }, { x: value });
  expect(findings).toMatchObject([{ code: "VAL-002", path: ["x"] }]);
  return findings?.[0]?.hint;
}

describe("the hint at a value of the wrong type", () => {
  test.each<[schema: object, value: unknown, hint?: string]>([
    [boolean, "yes", "use true"],
    [boolean, "ON", "use true"],
    [boolean, "1", "use true"],
    [boolean, 1, "use true"],
    [boolean, "no", "use false"],
    [boolean, "off", "use false"],
    [boolean, 0, "use false"],
    [boolean, "0", "use false"],
    [boolean, 2],
    [boolean, "True", "send true without quotes"],
    [boolean, " false ", "send false without quotes"],
    [boolean, "perhaps"],
    [{ type: ["boolean", "integer"] }, "yes"],
    [{ type: ["boolean", "null"] }, "yes", "use true"],
    [integer, "5", "send 5 without quotes"],
    [integer, "5.0", "send 5 without quotes"],
    [integer, "5.5"],
    [number, "5.5", "send 5.5 without quotes"],
    [number, ".5", "send 0.5 without quotes"],
    [number, "+5", "send 5 without quotes"],
    [number, "1e3", "send 1000 without quotes"],
    [number, "5.", "send 5 without quotes"],
    [number, "5px"],
    [integer, true],
    [number, [5], "use 5"],
    [number, { value: 5 }, "use 5"],
    [number, { x: 5 }, "use 5"],
    [number, { other: 5 }],
    [nothing, "null", "send null without quotes"],
    [nothing, "None", "send null without quotes"],
    [{ type: ["integer", "null"] }, "null", "send null without quotes"],
    [nothing, 5],
    [string, 5, 'use "5"'],
    [string, 5.5, 'use "5.5"'],
    [string, true],
    [string, null],
    [string, ["a"], 'use "a"'],
    [string, [5]],
    [string, ["a", "b"], "one value only: call the tool once for each"],
    [string, ["a", 5]],
    [string, ["a", {}]],
    [string, []],
    [string, {}],
    [string, { value: "a" }, 'use "a"'],
    [string, { x: "a" }, 'use "a"'],
    [{ type: "string", pattern: "^a" }, 5],
    [{ type: "string", format: "date" }, 5],
    [{ type: "string", enum: ["1", "2"] }, 1, 'use "1"'],
    [{ type: "string", enum: ["1", "2"] }, 3],
    [
      { type: "string", enum: ["a", "b"] },
      ["a", "b"],
      "one value only: call the tool once for each",
    ],
    [{ type: "string", enum: ["a", "b"] }, ["a", "c"]],
    [string, { type: "string", description: "x" }, "send a value, not its schema"],
    [string, { type: "x" }],
    [string, { type: "string", other: 1 }],
    [integer, { type: "integer", minimum: 1, maximum: 2 }, "send a value, not its schema"],
    [{ type: "array", items: string }, "a", "put it in an array"],
    [{ type: "array", items: string }, "a, b", 'send an array, such as ["a", "b"]'],
    [{ type: "array", items: string }, "a;b", 'send an array, such as ["a", "b"]'],
    [{ type: "array", items: string }, "[a"],
    [{ type: "array", items: string }, '["a"]', "send the array itself, not a JSON string"],
    [{ type: "array", items: string }, "['a','b']", 'use ["a","b"]'],
    [{ type: "array", items: string }, 5],
    [{ type: "array", items: integer }, 5, "put it in an array"],
    [{ type: "array", items: string }, {}],
    [
      { type: "array", items: string },
      { items: ["a"] },
      "send the array itself, without an object around it",
    ],
    [
      { type: "array", items: string },
      { a: ["x"], b: 1 },
    ],
    [{ type: "array", items: withA }, { a: 1 }, "put it in an array"],
    [{ type: "array", items: withA }, { b: 1 }],
    [anyArray, 5, "put it in an array"],
    [{ type: "array", items: { type: ["string", "integer"] } }, 5, "put it in an array"],
    [withA, [{ a: 1 }], "send the object itself, without an array around it"],
    [withA, [{ b: 1 }]],
    [withA, [{ a: 1 }, { a: 2 }]],
    [withA, '{"a":1}', "send the object itself, not a JSON string"],
    [withA, "{'a':1}", "send the object itself, not a JSON string"],
    [withA, "a"],
    [withA, 5],
    [anyObject, [{ a: 1 }]],
    [integer, ""],
    [integer, "none"],
    [integer, "null"],
    [integer, " "],
    [integer, "nothing"],
    [anyArray, "none", "put it in an array"],
    [integer, '{"a":1}'],
    [anyArray, '{"a":1}'],
    [number, "1".repeat(41)],
    [integer, "9007199254740993"],
    [string, ["a".repeat(60)], `use "${"a".repeat(60)}"`],
    [string, ["a".repeat(61)]],
  ])("where %j is wanted, at %j: %s", (schema, value, hint) => {
    expect(hintAt(schema, value)).toBe(hint);
  });

  test.each<[schema: object, value: unknown]>([
    [string, null],
    [integer, ""],
    [integer, "none"],
    [integer, "null"],
    [integer, " "],
    [anyArray, "none"],
  ])("where %j is optional, at %j: leave it out", (schema, value) => {
    expect(hintAt(schema, value, [])).toBe("leave it out");
  });

  test("names a long list, and does not write it again", () => {
    const list = (count: number): string =>
      `[${Array.from({ length: count }, () => "'abcd'").join(", ")}]`;
    expect(hintAt({ type: "array", items: string }, list(3))).toBe('use ["abcd","abcd","abcd"]');
    expect(hintAt({ type: "array", items: string }, list(100))).toBe(
      "send the array itself, not a JSON string",
    );
  });
});
