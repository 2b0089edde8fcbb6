import { parseRejection } from "@toolcontract/core";
import type { JSONSchema7, Schema } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeVersions } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";

const SECRET = "hunter2-hunter2";
const quiet = { logger: () => undefined };

async function answer(sdk: Sdk, inputSchema: Schema, input: string): Promise<string> {
  const find = sdk.ai.tool({
    inputSchema,
    execute: async (given: unknown) => JSON.stringify(given),
  });
  const settings = sdk.adapter.withContract({ ...quiet, tools: { find }, stopWhen: steps(1) });
  const model = sdk.script([{ calls: [{ id: "call_1", name: "find", input }] }]);
  const { messages } = await sdk.run("generateText", { model, settings });
  return textOf(messages, "call_1");
}

const places = (text: string): unknown =>
  parseRejection(text)?.errors.map(({ errorCode, fieldPath }) => `${errorCode} ${fieldPath}`);

describeVersions((sdk) => {
  const shape: JSONSchema7 = {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
  };

  test("zodSchema() validates as zod does, with its transforms", async () => {
    const schema = sdk.ai.zodSchema(
      z.object({ id: z.int().refine((id) => id > 6, "Too old"), name: z.string().toUpperCase() }),
    ) as Schema;
    expect(await answer(sdk, schema, '{"id":7,"name":"ana"}')).toBe('{"id":7,"name":"ANA"}');
    expect(places(await answer(sdk, schema, '{"id":"x"}'))).toEqual([
      "VAL-002 /id",
      "VAL-001 /name",
    ]);
    const refined = parseRejection(await answer(sdk, schema, '{"id":1,"name":"ana"}'));
    expect(refined?.errors).toMatchObject([
      { errorCode: "VAL-016", fieldPath: "/id", message: "Too old" },
    ]);
  });

  test("the user's validate function decides; the JSON Schema explains what it does not locate", async () => {
    const schema = sdk.ai.jsonSchema(shape, {
      validate: (value) => {
        const { id } = value as { readonly id: unknown };
        if (id === 7) return { success: true, value: { id, found: true } };
        return { success: false, error: new Error("There is no such record") };
      },
    });
    expect(await answer(sdk, schema, '{"id":7}')).toBe('{"id":7,"found":true}');
    expect(places(await answer(sdk, schema, '{"id":"x"}'))).toEqual(["VAL-002 /id"]);
    const refused = parseRejection(await answer(sdk, schema, '{"id":8}'));
    expect(refused?.errors).toMatchObject([
      { errorCode: "VAL-016", message: "There is no such record" },
    ]);
  });

  test("an error of the SDK, which quotes the whole value, is not repeated", async () => {
    const schema = sdk.ai.jsonSchema(shape, {
      validate: (value) => ({
        success: false,
        error: new sdk.ai.TypeValidationError({ value, cause: "no" }),
      }),
    });
    const text = await answer(sdk, schema, '{"id":7,"password":"hunter2"}');
    expect(parseRejection(text)?.errors).toMatchObject([
      { errorCode: "VAL-016", message: "The tool's validator refused the arguments" },
    ]);
    expect(text).not.toContain("hunter2");
  });

  test("a validator that throws refuses the call, and its message is not shown", async () => {
    const schema = sdk.ai.jsonSchema(shape, {
      validate: () => {
        throw new Error(SECRET);
      },
    });
    const text = await answer(sdk, schema, '{"id":7}');
    expect(places(text)).toEqual(["VAL-016 "]);
    expect(text).not.toContain(SECRET);
  });

  test("a string in place of the arguments object is read only if the object in it is valid", async () => {
    const schema = sdk.ai.jsonSchema(shape) as Schema;
    expect(await answer(sdk, schema, String.raw`"{\"id\":7}"`)).toBe('{"id":7}');
    const text = await answer(sdk, schema, String.raw`"{\"id\":\"x\"}"`);
    expect(places(text)).toEqual(["VAL-002 ", "VAL-002 /id"]);
  });
});

describeVersions(
  (sdk) => {
    const shape = { type: "object", properties: { id: { type: "integer" } } } as const;
    test("a Standard Schema of any library validates", async () => {
      const schema = {
        "~standard": {
          version: 1,
          vendor: "own",
          validate: (value: unknown) =>
            typeof (value as { id?: unknown }).id === "number"
              ? { value }
              : { issues: [{ message: "Not a number", path: ["id"] }] },
          jsonSchema: { input: () => shape },
        },
      };
      expect(await answer(sdk, schema as never, '{"id":7}')).toBe('{"id":7}');
      expect(places(await answer(sdk, schema as never, '{"id":"x"}'))).toEqual(["VAL-002 /id"]);
    });
  },
  { 5: "version 5 takes no schema of another library than zod" },
);
