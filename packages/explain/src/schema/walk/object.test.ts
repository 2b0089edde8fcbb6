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
    // The interpreter reads each field once to accept or refuse it, and once to explain it.
    expect(reads % strays).toBe(looked % strays);
  });
});
