import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseArguments } from "./parse-arguments.ts";
import { inWords } from "../testing/in-words.ts";

const DEFAULTS = { repairJson: true, closeDangling: false };

/** The value that runs, otherwise the code and the hint. */
function outcome(text: string, options: object = {}): unknown {
  const parsed = parseArguments(text, { ...DEFAULTS, ...options });
  if (parsed.ok) return parsed.value;
  const { code, hint } = inWords(parsed.finding);
  return [code, hint];
}

function repairsOf(text: string): string {
  const { repairs } = parseArguments(text, DEFAULTS);
  return repairs.map((one) => `${one.step} ${one.offset} -${one.removed} +${one.inserted}`).join();
}

describe("texts of several objects that have one reading", () => {
  test.each<[string, unknown, repairs: string]>([
    ['{}{"a":1}', { a: 1 }, "syntax 0 -2 +0"],
    ['{ } \n {"a":1}', { a: 1 }, "syntax 0 -6 +0"],
    ['{}{}{"a":1}', { a: 1 }, "syntax 0 -4 +0"],
    ["{}{}", {}, "syntax 0 -2 +0"],
    ["{}\n{}\n{}\n", {}, "syntax 0 -6 +0"],
    ['{"a":1}{"a":1}', { a: 1 }, "syntax 0 -7 +0"],
    ['{"a":1}\n{"a":1}\n{"a":1}', { a: 1 }, "syntax 0 -16 +0"],
    ['{}{"a":1}{"a":1}', { a: 1 }, "syntax 0 -9 +0"],
    [
      '{"a":1,"b":{"c":[1,2],"d":"x"}} {"b":{"d":"\\u0078","c":[1,2]},"a":1}',
      { a: 1, b: { c: [1, 2], d: "x" } },
      "syntax 0 -32 +0",
    ],
    ['{"a":1}{"a":1.0}{"a":1e0}', { a: 1 }, "syntax 0 -16 +0"],
    ['[]{"a":1}', { a: 1 }, "syntax 0 -2 +0"],
    ['null{"a":1}', { a: 1 }, "syntax 0 -4 +0"],
    ['undefined{"a":1}', { a: 1 }, "syntax 0 -9 +0"],
    ['""{"a":1}', { a: 1 }, "syntax 0 -2 +0"],
    ["{}{'a':1,}", { a: 1 }, "syntax 0 -2 +0,syntax 3 -6 +5"],
    ["{a:1}{'a':1}", { a: 1 }, "syntax 0 -5 +0,syntax 6 -3 +3"],
    ['```json\n{}{"a":1}\n```', { a: 1 }, "fence 0 -10 +0,fence 17 -4 +0"],
    ['\uFEFF{"a":1}{"a":1}', { a: 1 }, "syntax 0 -8 +0"],
  ])("%j runs as %j", (text, value, repairs) => {
    expect(outcome(text)).toEqual(value);
    expect(repairsOf(text)).toBe(repairs);
    expect(outcome(text, { repairJson: false })).toContain("VAL-004");
  });

  test("a message at its limit has one reading too, unless the object is empty", () => {
    expect(outcome('{}{"a":1}', { finishReason: "length" })).toEqual({ a: 1 });
    expect(outcome("{}{}", { finishReason: "length" })).toContain("VAL-011");
  });

  test("a name of every object is data", () => {
    const value = outcome('{}{"__proto__":{"a":1}}') as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });
});

describe("texts of several objects that have two", () => {
  test.each([
    ['{"a":1}{"a":2}', 2],
    ['{"a":1}\n{"a":2}\n', 2],
    ['{"a":1}{"a":2}{"a":3}', 3],
    ['{"a":1}{"a":1}{"a":2}', 2],
    ['{}{"a":1}{"a":2}', 2],
    ['{"a":1}{}', 2],
    ['{"a":1},{"a":2}', 2],
    ['{"a":1}{"a":"1"}', 2],
    ['{"a":[1,2]}{"a":[2,1]}', 2],
    ['{"a":null}{}', 2],
    // Two integers that JavaScript rounds to the same number.
    ['{"id":9007199254740993}{"id":9007199254740992}', 2],
    ['{"id":9007199254740993}{"id":"9007199254740993"}', 2],
    ["{'a':1}{'a':2}", 2],
    ['```json\n{"a":1}\n{"a":2}\n```', 2],
  ])("%j is %i calls, and the hint says so", (text, count) => {
    const hint = `these are ${count} objects: make one call for each`;
    expect(outcome(text)).toEqual(["VAL-004", hint]);
  });
});

describe("what stays refused", () => {
  test.each([
    ['{"a":1}{"a":', "VAL-011"],
    ['{}{"a":', "VAL-011"],
    ["{}{", "VAL-011"],
    ['{"a":1}{"b":{"a":1}', "VAL-011"],
    ['{"a":1}{"a":1}{"a":1', "VAL-011"],
    ['Well: {}{"a":1}', "VAL-004"],
    ['{} and {"a":1}', "VAL-004"],
    ['{}{"a":1} thanks', "VAL-004"],
    ['null and {"a":1}', "VAL-004"],
    ['{"a":1}[]', "VAL-004"],
    ["[1][1]", "VAL-004"],
    ['{"a":1},{"a":1}', "VAL-004"],
    ['{}{"a":1}}', "VAL-004"],
    ['{}{"a":1 + 2}', "VAL-004"],
    [`${'{"a":'.repeat(200)}1${"}".repeat(200)}`.repeat(2), "VAL-004"],
  ])("%j", (text, code) => {
    expect(outcome(text)).toContain(code);
  });
});

describe("whatever the objects are", () => {
  const members = fc.dictionary(
    fc.string({ maxLength: 4 }).filter((name) => name !== "__proto__"),
    fc.jsonValue({ maxDepth: 3 }),
    { minKeys: 1, maxKeys: 4 },
  );
  const gap = fc.constantFrom("", " ", "\n", "\r\n\t");

  test("one that comes again runs once, in whatever order its names are", () => {
    fc.assert(
      fc.property(members, gap, fc.integer({ min: 0, max: 2 }), (object, space, empties) => {
        const turned = Object.fromEntries(Object.entries(object).toReversed());
        const texts = [...Array.from({ length: empties }, () => "{}"), object, turned, object];
        const text = texts.map((one) => (one === "{}" ? one : JSON.stringify(one))).join(space);
        expect(outcome(text)).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  test("two that differ never run, and cut ones never do", () => {
    fc.assert(
      fc.property(members, members, gap, fc.nat(), (one, other, space, cut) => {
        const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
        fc.pre(!isDeepStrictEqual(JSON.parse(first), JSON.parse(second)));
        expect(outcome(first + space + second)).toContain("VAL-004");
        const end = 1 + (cut % (first.length - 1));
        expect(["VAL-004", "VAL-011"]).toContain(
          (outcome(first + space + first.slice(0, end)) as readonly string[])[0],
        );
      }),
    );
  });

  test.each([
    ["100", 2],
    ["101", 1],
  ])("%s objects are counted as %i calls", (count, calls) => {
    const text = '{"a":1}'.repeat(Number(count) - 1) + '{"a":2}';
    const hint =
      calls === 1
        ? "send one JSON object and nothing else"
        : `these are ${calls} objects: make one call for each`;
    expect(outcome(text)).toEqual(["VAL-004", hint]);
  });
});

describe("words for no arguments", () => {
  test.each([
    ["undefined", "empty 0 -9 +2"],
    [" undefined\n", "empty 0 -11 +2"],
    ["None", "empty 0 -4 +2"],
  ])("%j is not arguments", (text, repairs) => {
    expect(outcome(text)).toEqual({});
    expect(repairsOf(text)).toBe(repairs);
    expect(outcome(text, { repairJson: false })).toContain("VAL-004");
    expect(outcome(text, { finishReason: "length" })).toContain("VAL-011");
  });

  test.each(["undefined behaviour", "Nonetheless", "nothing"])("%j is prose", (text) => {
    expect(outcome(text)).toContain("VAL-004");
  });
});
