import { expect, test } from "vitest";
import type { JsonSchema } from "@toolcontract/explain";
import { createContract } from "./create-contract.ts";

const SECRET = "hunter2hunter2";
const MARKED: readonly (readonly [string, object])[] = [
  ["writeOnly", { type: "string", writeOnly: true }],
  ["format: password", { type: "string", format: "password" }],
];

const object = (properties: object): JsonSchema => ({ type: "object", properties });

/** What a model reads of a refused call, and everything else that the answer has. */
async function answerTo(inputSchema: JsonSchema, args: unknown): Promise<string> {
  const tool = { name: "store", inputSchema };
  const handled = await createContract({ logger: false }).handle(
    { id: "1", name: "store", arguments: args },
    { tool, conversationId: "c", execute: () => "ran" },
  );
  expect(handled.status).toBe("rejected");
  return JSON.stringify(handled.result);
}

test.each(
  MARKED.flatMap(([mark, v]) =>
    (
      [
        ["in text that is not JSON", object({ v }), `{"v": "${SECRET}", "y": ]`],
        ["in text without a comma", object({ v }), `{"v": "${SECRET}" "y": ]`],
        ["in text without quotes", object({ v }), `{"a": "b", "v": ${SECRET}, ]`],
        ["in text behind a colon that is missing", object({ v }), `{"v" "${SECRET}"}`],
        ["in place of the arguments", object({ v }), SECRET],
        ["in a list in place of an object", object({ x: object({ v }) }), { x: [{ v: SECRET }] }],
        ["alone in a list in place of an object", object({ x: object({ v }) }), { x: [SECRET] }],
        [
          "in an object in place of a list",
          object({ x: { type: "array", items: object({ v }) } }),
          { x: { v: SECRET } },
        ],
        ["in a list of lists", object({ x: { type: "array", items: v } }), { x: [[SECRET]] }],
        [
          "in an object around the arguments",
          object({ v, x: { type: "integer" } }),
          { x: { v: SECRET } },
        ],
        ["in a second field", object({ v, y: { type: "integer" } }), { v: SECRET, y: SECRET }],
        [
          "in a sentence",
          object({ v, y: { type: "integer" } }),
          { v: SECRET, y: `the ${SECRET} one` },
        ],
        [
          "in a list of another field",
          object({ v, y: { type: "integer" } }),
          { v: SECRET, y: ["a", SECRET] },
        ],
        [
          "in JSON in another field",
          object({ v, y: { type: "integer" } }),
          { v: SECRET, y: JSON.stringify({ v: SECRET }) },
        ],
      ] as const
    ).map((row) => [mark, ...row] as const),
  ),
)("what is marked with %s is not shown %s", async (_, __, schema, args) => {
  expect(await answerTo(schema, args)).not.toContain("hunter2");
});

test.each([
  ["in JSON", '{"name": "password", "value": "hunter2hunter2", ]'],
  ["with the value first", '{"value": "hunter2hunter2", "name": "password", ]'],
  ["with other words", "{'key': 'client_secret', 'content': 'hunter2hunter2', ]"],
])("the value of a pair is not shown in text that does not parse, %s", async (_, text) => {
  expect(await answerTo(object({}), text)).not.toContain("hunter2");
});

test("what is not marked is shown, also beside what is", async () => {
  const schema = object({ v: MARKED[0]![1], y: { type: "integer" }, z: { type: "integer" } });
  const text = await answerTo(schema, { v: SECRET, y: "twelve", z: { note: "of the team" } });
  expect(text).toContain("twelve");
  expect(text).toContain("of the team");
  expect(await answerTo(object({ y: { type: "integer" } }), { y: SECRET })).toContain(SECRET);
});
