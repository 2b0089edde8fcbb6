import { expect, test } from "vitest";
import { explain } from "../../explain.ts";

const prefixed = { prefixItems: [{ type: "integer" }] };

test.each([
  "http://json-schema.org/schema",
  "https://json-schema.org/schema#",
  "https://spec.openapis.org/oas/3.1/dialect/base",
  "",
  null,
])("a schema of the dialect %j is read as 2020-12", ($schema) => {
  const schema = { $schema, type: "object", properties: { a: prefixed } } as never;
  expect(explain(schema, { a: ["x"] })).toMatchObject([{ fieldPath: "/a/0" }]);
});

test("a default of nothing is not what is usual", () => {
  const schema = { type: "object", properties: { a: { type: "string", default: "" } } };
  expect(explain(schema, { a: [1] })).toMatchObject([{ expectedValue: "string" }]);
});
