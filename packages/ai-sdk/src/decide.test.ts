import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasForbiddenKeys } from "./decide.ts";
import { describeVersions } from "./testing/every-sdk.ts";

describe("hasForbiddenKeys", () => {
  test.each([
    ['{"__proto__":{}}', true],
    ['{"a":[{"\\u005f_proto__":1}]}', true],
    ['{"constructor":{"prototype":{}}}', true],
    ['{"constructor":{"name":"ship"}}', false],
    ['{"constructor":"prototype"}', false],
    ['{"a":"__proto__"}', false],
    ['["__proto__",null]', false],
    ["null", false],
    ['"__proto__"', false],
    ['"constructor"', false],
    ['{"__proto__":', false],
    ["", false],
  ])("%s: %s", (text, expected) => {
    expect(hasForbiddenKeys(text)).toBe(expected);
  });

  test("deep nesting does not overflow the stack", () => {
    const text = `${'{"c":['.repeat(5_000)}{"__proto__":1}${"]}".repeat(5_000)}`;
    expect(hasForbiddenKeys(text)).toBe(true);
  });
});

describeVersions((sdk) => {
  test("agrees with the SDK's own parser for any object", async () => {
    const key = fc.constantFrom("__proto__", "constructor", "prototype", "a", "c");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }),
    }));
    const tools = {
      find: sdk.ai.tool({ inputSchema: sdk.ai.jsonSchema({}), execute: async () => "" }),
    };
    const objects = fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(objects, async (entries) => {
        const input = write(entries);
        const model = sdk.script([{ calls: [{ id: "call_1", name: "find", input }] }]);
        const { steps } = await sdk.run("generateText", { model, settings: { tools } });
        const [made] = steps[0]!.toolCalls as unknown as [{ readonly invalid?: boolean }];
        expect(hasForbiddenKeys(input)).toBe(made.invalid === true);
      }),
      { numRuns: 60 },
    );
  });
});

/** Pairs instead of objects, because an object literal cannot have every key. */
function write(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  const isPair = (item: unknown): item is [string, unknown] =>
    Array.isArray(item) && item.length === 2 && typeof item[0] === "string";
  return value.length > 0 && value.every(isPair)
    ? `{${value.map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`).join(",")}}`
    : `[${value.map(write).join(",")}]`;
}
