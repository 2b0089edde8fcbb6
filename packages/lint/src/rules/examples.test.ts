import { describe, expect, test } from "vitest";
import { lintTools } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import { EXAMPLES, RULES, documentOf } from "./index.ts";

test("every rule has an example", () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(RULES.map(({ name }) => name).toSorted());
});

describe.each(Object.entries(EXAMPLES))("%s", (rule, example) => {
  const found = (value: unknown): readonly string[] =>
    lintTools(readTools(documentOf(example, value)), { grade: false })
      .findings.filter((finding) => finding.rule === rule)
      .map(({ path }) => path);

  test("is reported of the wrong example alone", () => {
    expect(found(example.wrong)).not.toEqual([]);
    expect(found(example.right)).toEqual([]);
  });
});
