import { describeLibraries } from "@toolcontract/case-table/libraries";
import { createContract } from "@toolcontract/core";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z as z4 } from "zod";
import { z } from "zod3";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeVersions } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";
import { createToolDefinitions } from "./tool-definitions.ts";

interface Options {
  readonly unknownFields?: "warn" | "reject";
  readonly reportAdvisories?: boolean;
}

/** The lines between the first and the last of what the model reads. */
async function linesOf(
  sdk: Sdk,
  inputSchema: unknown,
  args: unknown,
  options: Options = {},
): Promise<readonly string[]> {
  const find = sdk.ai.tool({
    inputSchema: inputSchema as z4.ZodType,
    execute: async (given: unknown) => JSON.stringify(given),
  });
  const settings = sdk.adapter.withContract({
    ...options,
    logger: () => undefined,
    format: { style: "compact" },
    tools: { find },
    stopWhen: steps(1),
  });
  const input = JSON.stringify(args);
  const model = sdk.script([{ calls: [{ id: "call_1", name: "find", input }] }]);
  const { messages } = await sdk.run("generateText", { model, settings });
  return textOf(messages, "call_1").split("\n").slice(1, -1);
}

test("a zod 3 schema that the SDK cannot convert keeps its validator", async () => {
  const validator = z.lazy(() => {
    throw new Error("not defined yet");
  });
  const tools = { find: { inputSchema: validator } };
  const definitions = createToolDefinitions(tools, createContract({ logger: () => undefined }));
  expect(await definitions.get("find")).toEqual({ name: "find", validator });
});

test("a zod 3 schema is converted once", async () => {
  const point = z.object({ x: z.number(), y: z.number() });
  const tools = { find: { inputSchema: point }, move: { inputSchema: point } };
  const definitions = createToolDefinitions(tools, createContract());
  const [find, move] = [await definitions.get("find"), await definitions.get("move")];
  expect(find?.inputSchema).toMatchObject({ type: "object", required: ["x", "y"] });
  expect(move?.inputSchema).toBe(find?.inputSchema);
});

describeVersions((sdk) => {
  describeLibraries({
    linesOf: async (schema, sent) => linesOf(sdk, schema, sent),
    cannot: sdk.version === 5 ? { valibot: "takes no schema of another library than zod" } : {},
  });

  describe("fields that a zod 3 schema drops", () => {
    const schema = z.object({ path: z.string(), o: z.object({ a: z.string() }) });
    const args = { path: 1, extra: true, o: { a: "a", b: "b" } };
    const refused = '- /path (VAL-002): 1; expected string; use "1"';

    test("are refused if the user wants it", async () => {
      expect(await linesOf(sdk, schema, args, { unknownFields: "reject" })).toEqual([
        "- /extra (VAL-005): unknown field; expected only path, o; no such option: if the call needs it, ask the user",
        "- /o/b (VAL-005): unknown field; expected only a; no such option: if the call needs it, ask the user",
        refused,
      ]);
    });

    test("are reported if the user wants it", async () => {
      const options = { unknownFields: "warn", reportAdvisories: true } as const;
      expect(await linesOf(sdk, schema, args, options)).toEqual([
        refused,
        "Advisories:",
        "- /extra (VAL-005 warning): unknown field; expected only path, o; no such option: if the call needs it, ask the user",
        "- /o/b (VAL-005 warning): unknown field; expected only a; no such option: if the call needs it, ask the user",
      ]);
    });

    test("of a strict object are refused once", async () => {
      const strict = z.object({ path: z.string() }).strict();
      const options = { unknownFields: "reject" } as const;
      expect(await linesOf(sdk, strict, { path: "a", extra: true }, options)).toEqual([
        "- /extra (VAL-005): unknown field; expected only path; no such option: if the call needs it, ask the user",
      ]);
    });
  });

  test("a schema that the SDK cannot convert is refused by the SDK, before the model is asked", async () => {
    const schema = v.object({ path: v.string() });
    await expect(linesOf(sdk, schema, {})).rejects.toThrow(/JSON Schema conversion|typeName/);
  });
});
