import { expect, test } from "vitest";
import { createContract } from "./create-contract.ts";

test.each([
  ["missing", {}, "VAL-001 /at"],
  ["of another type", { at: 5 }, "VAL-002 /at"],
])("the pattern of a field that is %s is shown, but not beside a format", (_, args, place) => {
  const at = { type: "string", pattern: "^2026-" };
  const shown = (field: object): string | undefined => {
    const inputSchema = { type: "object", properties: { at: field }, required: ["at"] };
    const checked = createContract().check({ name: "book", inputSchema }, args);
    const [error] = checked.status === "invalid" ? checked.errors : [];
    expect(`${error?.errorCode} ${error?.fieldPath}`).toBe(place);
    return error?.expectedValue;
  };
  expect(shown(at)).toBe("string matching ^2026-");
  expect(shown({ ...at, format: "date" })).toBe('date string such as "2026-01-31"');
});
