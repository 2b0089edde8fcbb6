import { describe, expect, test } from "vitest";
import { explain } from "../../explain.ts";
import type { JsonSchema } from "../../shared/index.ts";
import { contradictionsIn } from "../index.ts";

/** A schema of a tool with one field, as its author wrote it. */
function withField(metrics: object): JsonSchema {
  return { type: "object", properties: { metrics }, required: ["metrics"] };
}

const AT = "/properties/metrics";

interface Row {
  readonly name: string;
  readonly field: object;
  readonly found: readonly [pointer: string, meant: "items" | "values"];
  readonly accepts: readonly unknown[];
  /** What was sent, what is expected instead, and the hint. */
  readonly refuses: readonly (readonly [sent: unknown, expected: string, hint?: string])[];
}

const ROWS: readonly Row[] = [
  {
    name: "the values of an array's items",
    field: { type: "array", items: { type: "string" }, enum: ["temperature", "humidity"] },
    found: [`${AT}/enum`, "items"],
    accepts: [["temperature"], ["humidity", "temperature"], []],
    refuses: [
      ["temperature", 'array of one of "temperature", "humidity"', "put it in an array"],
      [["temprature"], 'one of "temperature", "humidity"', 'use "temperature"'],
      [["wind"], 'one of "temperature", "humidity"'],
    ],
  },
  {
    name: "without items",
    field: { type: "array", enum: ["temperature", "humidity"] },
    found: [`${AT}/enum`, "items"],
    accepts: [["temperature"]],
    refuses: [["temperature", 'array of one of "temperature", "humidity"', "put it in an array"]],
  },
  {
    name: "a list, or nothing",
    field: { type: ["array", "null"], items: { type: "string" }, enum: ["a", "b"] },
    found: [`${AT}/enum`, "items"],
    accepts: [["a"], null],
    refuses: [[["c"], 'one of "a", "b"']],
  },
  {
    name: "items with a list of their own",
    field: { type: "array", items: { enum: ["x"] }, enum: ["a", "b"] },
    found: [`${AT}/enum`, "items"],
    accepts: [["x"]],
    refuses: [[["a"], '"x"']],
  },
  {
    name: "items of another type still",
    field: { type: "array", items: { type: "integer" }, enum: ["a", "b"] },
    found: [`${AT}/enum`, "items"],
    accepts: [["a"]],
    refuses: [[[1], 'one of "a", "b"']],
  },
  {
    name: "words on a boolean",
    field: { type: "boolean", enum: ["True", "False", "dontcare"] },
    found: [`${AT}/enum`, "values"],
    accepts: ["True", "dontcare"],
    refuses: [
      [true, 'one of "True", "False", "dontcare"', 'use "True"'],
      ["false", 'one of "True", "False", "dontcare"', 'use "False"'],
      ["maybe", 'one of "True", "False", "dontcare"'],
    ],
  },
  {
    name: "strings on an integer",
    field: { type: "integer", enum: ["1", "2"] },
    found: [`${AT}/enum`, "values"],
    accepts: ["1"],
    refuses: [
      [1, 'one of "1", "2"', 'use "1"'],
      [3, 'one of "1", "2"'],
    ],
  },
  {
    name: "a constant of another type",
    field: { type: "boolean", const: "yes" },
    found: [`${AT}/const`, "values"],
    accepts: ["yes"],
    refuses: [[true, '"yes"']],
  },
];

describe("values that contradict the type beside them", () => {
  test.each(ROWS)("$name", ({ field, found, accepts, refuses }) => {
    const schema = withField(field);
    const reasons: unknown[] = [];
    const options = {
      onDegraded: ({ reason, places }: { reason: string; places: readonly string[] }) =>
        reasons.push([reason, places]),
    };
    for (const metrics of accepts) expect(explain(schema, { metrics }, options)).toEqual([]);
    for (const [metrics, expected, hint] of refuses)
      expect(
        explain(schema, { metrics }, options).map((one) => [one.expectedValue, one.hint]),
      ).toEqual([[expected, hint]]);
    expect(reasons[0]).toEqual(["schema: values-contradict-type", [found[0]]]);
    expect(contradictionsIn(schema).at(0)).toMatchObject({ pointer: found[0], meant: found[1] });
  });

  test.each<[name: string, field: object]>([
    ["one member has the type", { type: "integer", enum: ["auto", 1] }],
    ["null beside a nullable type", { type: "string", nullable: true, enum: [null] }],
    ["whole lists", { type: "array", enum: [["a"], ["b"]] }],
    ["no type", { enum: ["a", 1] }],
    ["an empty list", { type: "string", enum: [] }],
  ])("no contradiction: %s", (_, field) => {
    expect(contradictionsIn(withField(field))).toEqual([]);
  });

  test("up to draft-07 a reference overrides what is beside it", () => {
    const field = { $ref: "#/definitions/a", type: "integer", enum: ["a"] };
    const schema = { ...(withField(field) as object), definitions: { a: { type: "string" } } };
    const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", ...schema };
    expect([contradictionsIn(draft07).length, contradictionsIn(schema).length]).toEqual([0, 1]);
  });

  test("under `not`, what was read otherwise is left out: nothing is refused for it", () => {
    const schema = withField({ not: { type: "boolean", enum: ["True"] }, type: "string" });
    expect(explain(schema, { metrics: "True" }, { onDegraded: () => undefined })).toEqual([]);
  });
});
