import { describe, expect, test } from "vitest";
import { explainedInWords } from "../../testing/explained.ts";

/** Sends this many undeclared fields before two declared ones that are wrong. */
function sent(strays: number): object {
  const others = Array.from({ length: strays }, (_, index) => [`x${index}`, index] as const);
  return { ...Object.fromEntries(others), path: 5, mode: "rw" };
}

const properties = { path: { type: "string" }, mode: { type: "integer" } };

describe("declared fields are always checked, the number of others is limited", () => {
  test.each([false, true])("1,500 stray fields before them, interpreter %s", (interpreter) => {
    const found = (schema: object): readonly string[] =>
      (explainedInWords({ properties, ...schema }, sent(1_500), interpreter) ?? []).map(
        ({ code, path }) => `${code} /${path.join("/")}`,
      );
    const wrong = ["VAL-002 /mode", "VAL-002 /path"];
    expect(found({ type: "object" })).toEqual(wrong);
    expect(found({ additionalProperties: { type: "integer" } })).toEqual(wrong);
  });

  test.each([
    [900, 900],
    [1_000, 1_000],
    [1_500, 1_000],
  ])("of %i stray fields that may hold strings, %i are explained", (strays, looked) => {
    let reads = 0;
    const value = sent(strays);
    for (const name of Object.keys(value).filter((key) => key.startsWith("x"))) {
      Object.defineProperty(value, name, { enumerable: true, get: () => ((reads += 1), "text") });
    }
    const schema = { properties, additionalProperties: { type: "string" } };
    expect(explainedInWords(schema, value, true)).toHaveLength(2);
    // Accepting or refusing reads all of them; explaining reads a field twice, to see it and to check it.
    expect(reads % strays).toBe((2 * looked) % strays);
  });

  test.each([
    ["closed", { properties, additionalProperties: false }],
    ["closed, with a field missing", { properties, additionalProperties: false, required: ["id"] }],
    ["open, with a field missing", { properties, required: ["id", "other"] }],
    ["unevaluated", { properties, unevaluatedProperties: false }],
  ])("20,000 unknown fields: the work does not grow with them (%s)", (_, schema) => {
    const steps = { names: 0, values: 0 };
    const value = new Proxy(sent(20_000), {
      ownKeys: (target) => ((steps.names += 1), Reflect.ownKeys(target)),
      get: (target, name) => ((steps.values += 1), Reflect.get(target, name)),
    });
    explainedInWords({ type: "object", ...schema }, value, true);
    // Once to refuse the value, which may need all of it, and once to explain it.
    expect(steps.names).toBeLessThanOrEqual(2);
    expect(steps.values).toBeLessThan(20_000 + 5_000);
  });
});
