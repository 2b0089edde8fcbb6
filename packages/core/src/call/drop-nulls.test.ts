import { expect, test } from "vitest";
import { z } from "zod";
import { createContract } from "../contract/index.ts";

const inputSchema = {
  type: "object",
  properties: {
    url: { type: "string" },
    cert: { type: "string" },
    note: { type: ["string", "null"] },
    proxy: { type: "object", properties: { port: { type: "integer" } } },
  },
  required: ["url"],
};
const zod = z.object({
  url: z.string(),
  cert: z.string().optional(),
  note: z.string().nullish(),
  proxy: z.object({ port: z.number().int().optional() }).optional(),
});

test.each([
  ["JSON Schema", { name: "get", inputSchema }],
  ["zod", { name: "get", validator: zod }],
])("nulls of optional fields are left out, and reported as repairs: %s", (_, tool) => {
  const sent = { url: "a", cert: null, note: null, proxy: { port: null } };
  const repair = { step: "null", offset: 0, removed: 4, inserted: 0 };
  expect(createContract({ dropNulls: true }).check(tool, sent)).toMatchObject({
    status: "valid",
    input: { url: "a", note: null, proxy: {} },
    repairs: [repair, repair],
  });
  expect(createContract().check(tool, sent)).toMatchObject({ status: "invalid", repairs: [] });
});

test("a null of a required field stays a fault", () => {
  const tool = { name: "get", inputSchema };
  const checked = createContract({ dropNulls: true }).check(tool, { url: null, cert: null });
  expect(checked).toMatchObject({
    status: "invalid",
    errors: [{ errorCode: "VAL-002", fieldPath: "/url" }],
  });
});
