import { countCost } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";
import { createContract } from "./create-contract.ts";
import type { JsonSchema } from "@toolcontract/explain";

const DEPTH = 22;

/** A schema of 22 definitions that each refer twice to the next: four million paths through it. */
function sharedTwice(last: JsonSchema): JsonSchema {
  const definitions = Array.from({ length: DEPTH }, (_, index) => {
    const next = index === DEPTH - 1 ? last : { $ref: `#/$defs/d${index + 1}` };
    // Only a schema with a union is searched for a reference to itself.
    const properties = { left: next, right: next, note: { anyOf: [{}, { type: "null" }] } };
    return [`d${index}`, { type: "object", properties }] as const;
  });
  return { $ref: "#/$defs/d0", $defs: Object.fromEntries(definitions) };
}

function nested(levels: number, leaf: unknown): unknown {
  return levels === 0 ? leaf : { left: nested(levels - 1, leaf) };
}

describe.each([false, true])("shared references nested 22 deep, interpreter %s", (interpreter) => {
  const contract = createContract({ interpreter, logger: () => undefined });

  test.each<[string, JsonSchema, unknown, string]>([
    ["a valid value", { type: "integer" }, nested(DEPTH, 5), ""],
    ["a fault at the bottom", { type: "integer" }, nested(DEPTH, "5"), "VAL-002"],
    ["a fault at the top", { type: "integer" }, { left: 5 }, "VAL-002"],
    ["a schema that ends where it began", { $ref: "#/$defs/d0" }, nested(DEPTH + 1, 5), "VAL-002"],
  ])("%s is validated at once", (_, last, value, code) => {
    const tool = { name: "walk", inputSchema: sharedTwice(last) };
    const cost = countCost();
    const result = contract.check(tool, value);
    expect(cost()).toBeLessThan(500);
    expect(result.status === "invalid" ? result.errors.map((one) => one.errorCode) : []).toEqual(
      code === "" ? [] : [code],
    );
  });
});
