import { expect, test } from "vitest";
import { engineOf } from "../testing/engine.ts";
import { compileSchema } from "../schema/index.ts";

// The walk reads these too, so nothing else would notice that ajv judges nothing.
test.each([
  { type: "object", properties: { at: { type: "string", format: "date" } }, required: ["at"] },
  { $schema: "http://json-schema.org/draft-06/schema#", const: 1 },
  { $schema: "http://json-schema.org/draft-07/schema#", items: { multipleOf: 0.01 } },
  { $schema: "https://json-schema.org/draft/2019-09/schema", uniqueItems: true },
  { properties: { schema: { $ref: "https://json-schema.org/draft/2020-12/schema" } } },
  { $id: "https://json-schema.org/draft/2020-12/own", items: { $ref: "schema" } },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    items: { $ref: "http://json-schema.org/draft-07/schema#" },
  },
])("ajv judges %j", (schema) => {
  const { validate } = compileSchema(schema, JSON.stringify(schema), engineOf(false));
  expect(validate).toBeTypeOf("function");
});

test("what the walk does not know, ajv enforces: a limit of dates", () => {
  const schema = { type: "string", format: "date", formatMinimum: "2026-01-01" };
  const compiled = compileSchema(schema, JSON.stringify(schema), engineOf(false));
  expect(compiled.accepts("2026-02-01")).toBe(true);
  expect(compiled.accepts("2025-02-01")).toBe(false);
  expect(compiled.explain("2025-02-01").findings).toMatchObject([{ code: "VAL-003", path: [] }]);
});
