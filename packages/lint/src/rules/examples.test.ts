import { describe, expect, test } from "vitest";
import { lintTools } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import type { LintFinding } from "../shared/index.ts";
import { EXAMPLES, RULES, documentOf } from "./index.ts";

test("every rule has an example", () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(RULES.map(({ name }) => name).toSorted());
});

describe.each(Object.entries(EXAMPLES))("%s", (rule, example) => {
  const findingsOf = (value: unknown): readonly LintFinding[] =>
    lintTools(readTools(documentOf(example, value)), { grade: false }).findings;
  const found = (value: unknown): readonly string[] =>
    findingsOf(value)
      .filter((finding) => finding.rule === rule)
      .map(({ path }) => path);

  test("is reported of the wrong example alone", () => {
    expect(found(example.wrong)).not.toEqual([]);
    expect(found(example.right)).toEqual([]);
  });

  test("has a right example whose schema is not broken", () => {
    // An example leaves out the input schema if the rule does not read it.
    const isBroken = ({ rule: name, path }: LintFinding): boolean =>
      name === "schema-broken" && path !== "";
    expect(findingsOf(example.right).filter(isBroken)).toEqual([]);
  });
});
