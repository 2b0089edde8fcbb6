import { createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { normalizeReport, reportValidator } from "./index.ts";

const SCHEMA = { type: "object", properties: { size: { type: "integer" } }, required: ["size"] };
const reasonWith = (options: Parameters<typeof createContract>[0]): string => {
  const validate = reportValidator(createContract({ logger: false, ...options }));
  const sent = { content_json: { size: "sesame" } };
  const result = normalizeReport(sent, { format: "json", outputSchema: SCHEMA, validate });
  return result.status === "invalid" ? result.reason : "accepted";
};

test("writes in the contract's style", () => {
  expect(reasonWith({ format: { style: "compact" } })).toMatchInlineSnapshot(`
    "Validation failed for tool 'agent__final_report' (attempt 1/2):
    - /content_json/size (VAL-002): "sesame"; expected integer
    Fix these and call again with all arguments."
  `);
});

test("masks as the contract does", () => {
  const reason = reasonWith({ redact: [(text) => text.replaceAll("sesame", "[hidden]")] });
  expect(reason).toContain('Actual: "[hidden]"');
  expect(reason).not.toContain("sesame");
});

test("shows no value if the contract's redactor is asynchronous", () => {
  const reason = reasonWith({ redact: [async (text) => text] });
  expect(reason).toContain(
    "/content_json/size (VAL-002): Type mismatch: expected integer, got string",
  );
  expect(reason).not.toContain("sesame");
});

test("asks the contract's rules too", () => {
  const rules = { agent__final_report: [() => [{ message: "too short" }]] };
  const validate = reportValidator(createContract({ logger: false, rules }));
  expect(normalizeReport({ content: "Paris" }, { format: "text", validate })).toMatchObject({
    status: "invalid",
    reason: expect.stringContaining("too short"),
  });
});

test("needs a contract", () => {
  expect(() => reportValidator({} as never)).toThrow(
    "pass the contract that createContract() returned",
  );
});
