import { readTools } from "@toolcontract/lint";
import { expect, test } from "vitest";
import { LINT_EXAMPLE } from "./lint-example.ts";
import { lintText } from "./lint-text.ts";

test.each([
  ["{", /^This is not JSON\./],
  ["", /^This is not JSON\./],
  ['{"a": 1}', /^This holds no tools\./],
  [JSON.stringify({ tools: Array.from({ length: 501 }, () => ({ type: "object" })) }), /501 tools/],
])("%.20s says what to paste instead", (text, fault) => {
  expect(lintText(text)).toEqual({ fault: expect.stringMatching(fault) as unknown });
});

test("the example has a tool with mistakes and one without", () => {
  const linted = lintText(LINT_EXAMPLE, { countTokens: (text) => text.length });
  if ("fault" in linted) throw new Error(linted.fault);
  const serious = linted.findings.filter(({ severity }) => severity !== "info");
  expect(serious.map(({ tool, rule }) => `${tool} ${rule}`)).toEqual([
    "search_issues provider-breaks",
    "search_issues no-value-passes",
    "search_issues default-invalid",
    "search_issues enum-in-prose",
  ]);
  expect(linted.tools.map(({ grade }) => grade)).toEqual(["F", "A"]);
  expect(linted.tools.map(({ tokens }) => tokens)).toEqual(
    readTools(JSON.parse(LINT_EXAMPLE)).map(({ source }) => JSON.stringify(source).length),
  );
});
