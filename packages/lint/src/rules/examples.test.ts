import { describe, expect, test } from "vitest";
import { lintTools } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import { EXAMPLES, type RuleExample } from "./examples.ts";
import { RULES } from "./index.ts";

function documentOf(of: RuleExample["of"], value: unknown): unknown {
  if (of !== "field") return value;
  return {
    name: "search",
    description: "Searches.",
    inputSchema: { type: "object", properties: { x: value } },
  };
}

test("every rule has an example", () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(RULES.map(({ name }) => name).toSorted());
});

describe.each(Object.entries(EXAMPLES))("%s", (rule, { of, wrong, right }) => {
  const found = (value: unknown): readonly string[] =>
    lintTools(readTools(documentOf(of, value)), { grade: false })
      .findings.filter((finding) => finding.rule === rule)
      .map(({ path }) => path);

  test("is reported of the wrong example alone", () => {
    expect(found(wrong)).not.toEqual([]);
    expect(found(right)).toEqual([]);
  });
});
