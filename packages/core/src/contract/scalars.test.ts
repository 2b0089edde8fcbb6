import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ToolDefinition, createContract, parseRejection } from "../index.ts";

const contract = createContract({ logger: false, unwrapStrings: "scalars" });

/** A tool with one field. */
function tool(of: object, name = "of"): ToolDefinition {
  return { name: "t", inputSchema: { type: "object", properties: { [name]: of } } };
}

const item = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

describe("a number or boolean in quotes, where the schema admits no string", () => {
  test.each<readonly [string, object, unknown, unknown]>([
    ["an integer", { type: "integer" }, "5", 5],
    ["a number", { type: "number" }, "-0.5e3", -500],
    ["a boolean", { type: "boolean" }, "false", false],
    ["beside null", { type: ["integer", "null"] }, "5", 5],
    ["in a union", { anyOf: [{ type: "number" }, { type: "boolean" }] }, "true", true],
    [
      "behind a reference",
      { $ref: "#/properties/of/$defs/n", $defs: { n: { type: "integer" } } },
      "7",
      7,
    ],
    ["of a list", { enum: [1, 2] }, "2", 2],
    ["a constant", { const: true }, "true", true],
    ["in items", { type: "array", items: { type: "integer" } }, ["1", 2, "3"], [1, 2, 3]],
    ["inside JSON in a string", item, '{"n":"4"}', { n: 4 }],
    ["at its limit", { type: "integer", maximum: 5 }, "5", 5],
  ])("%s", (_, schema, sent, read) => {
    const result = contract.check(tool(schema), { of: sent });
    expect(result).toMatchObject({ status: "valid", input: { of: read } });
    expect(result.repairs.every(({ step }) => step === "unwrap")).toBe(true);
    expect(result.repairs.length).toBeGreaterThan(0);
    expect(result.advisories).not.toEqual([]);
  });

  test("by zod", () => {
    const validator = z.object({ limit: z.number().int(), all: z.boolean().optional() });
    expect(contract.check({ name: "t", validator }, '{"limit":"5","all":"true"}')).toMatchObject({
      status: "valid",
      input: { limit: 5, all: true },
      repairs: [{ step: "unwrap" }, { step: "unwrap" }],
    });
  });

  test.each<readonly [string, object, unknown]>([
    ["text", { type: "string" }, "5"],
    ["text or a number", { type: ["string", "integer"] }, "5"],
    ["anything", {}, "5"],
    ["a listed text", { enum: ["5", 5] }, "5"],
  ])("stays as it is where %s is taken", (_, schema, sent) => {
    expect(contract.check(tool(schema), { of: sent })).toMatchObject({
      status: "valid",
      input: { of: sent },
      repairs: [],
    });
  });

  test.each<readonly [string, object, unknown]>([
    ["with a unit", { type: "integer" }, "5px"],
    ["with blanks", { type: "integer" }, " 5"],
    ["with a plus", { type: "integer" }, "+5"],
    ["with a zero before it", { type: "integer" }, "05"],
    ["of another spelling", { type: "boolean" }, "True"],
    ["a word for it", { type: "boolean" }, "yes"],
    ["null", { type: ["integer", "null"] }, "null"],
    ["not whole", { type: "integer" }, "5.5"],
    ["beyond a limit", { type: "integer", maximum: 4 }, "5"],
    ["not kept exactly", { type: "integer" }, "9007199254740993"],
    ["infinite", { type: "number" }, "1e999"],
    ["for an object", item, "5"],
  ])("is refused %s, by what was sent", (_, schema, sent) => {
    const result = contract.check(tool(schema), { of: sent });
    expect(result).toMatchObject({ status: "invalid", repairs: [] });
    expect(result.status === "invalid" && result.errors[0]?.actualValue).toBe(JSON.stringify(sent));
  });

  test("is refused by default, and with the option off", () => {
    for (const unwrapStrings of [undefined, true, false] as const)
      expect(
        createContract({
          logger: false,
          ...(unwrapStrings !== undefined && { unwrapStrings }),
        }).check(tool({ type: "integer" }), { of: "5" }),
      ).toMatchObject({ status: "invalid", errors: [{ hint: "send 5 without quotes" }] });
  });

  test("whatever is accepted is what the same text without quotes gives", () => {
    const schema = fc.constantFrom({ type: "integer" }, { type: "number" }, { type: "boolean" });
    const text = fc.oneof(
      fc.double().map(String),
      fc.integer().map(String),
      fc.string(),
      fc.json(),
    );
    fc.assert(
      fc.property(schema, text, (of, sent) => {
        const result = contract.check(tool(of), { of: sent });
        if (result.status === "invalid") return;
        expect(result.input).toEqual({ of: JSON.parse(sent) });
        expect(contract.check(tool(of), `{"of":${sent}}`)).toMatchObject({ status: "valid" });
      }),
    );
  });
});

describe("a quoted number that comes back unchanged", () => {
  const call = { name: "t", arguments: { of: "5" } };

  test("is told that the client may have quoted it, and counts; the operator reads which option ends it", async () => {
    const logged: string[] = [];
    const strict = createContract({ logger: (_, message) => logged.push(message) });
    const texts: string[] = [];
    for (const id of ["a", "b", "c"]) {
      const context = { tool: tool({ type: "integer" }), conversationId: "c", turnId: id };
      const admission = await strict.admit({ ...call, id }, context);
      if (admission.status !== "admitted") texts.push(admission.result.content);
    }
    expect(texts).toHaveLength(3);
    expect(texts[0]).not.toContain("client");
    for (const text of texts.slice(1)) {
      expect(text).toContain(
        "If you sent them without quotes, your client adds these: tell the user.",
      );
      expect(parseRejection(text)).toBeDefined();
    }
    expect(logged).toEqual([
      "Tool validation failed",
      'Tool validation failed; for clients that quote every value, set unwrapStrings: "scalars"',
      'Tool validation blocked; for clients that quote every value, set unwrapStrings: "scalars"',
    ]);
  });

  test("is not told so of anything else", async () => {
    const strict = createContract({ logger: false });
    const admit = async (id: string): Promise<string> => {
      const context = { tool: tool({ type: "integer" }), conversationId: "c", turnId: id };
      const admission = await strict.admit({ id, name: "t", arguments: { of: "five" } }, context);
      return admission.status === "admitted" ? "" : admission.result.content;
    };
    await admit("a");
    expect(await admit("b")).toMatch(
      /same arguments as in attempt 1\. They cannot succeed unchanged\.$/m,
    );
  });
});
