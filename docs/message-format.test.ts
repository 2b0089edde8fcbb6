import { readFileSync } from "node:fs";
import { FORMAT_VERSION, parseRejection } from "@toolcontract/core";
import { expect, test } from "vitest";

const PAGE = readFileSync(new URL("message-format.md", import.meta.url), "utf8");
const EXAMPLES = [...PAGE.matchAll(/^```text\n(.*?)\n```$/gms)].map(([, example = ""]) => example);

test("the page documents the current version", () => {
  expect(PAGE).toContain(`This page describes version \`${FORMAT_VERSION}\``);
});

test.each(EXAMPLES.map((example) => [example]))("an example is a message:\n%s", (example) => {
  expect(parseRejection(example)).toBeDefined();
});

test("the examples in two styles say the same", () => {
  const parsed = EXAMPLES.map((example) => ({ ...parseRejection(example), style: "" }));
  expect(parsed).toHaveLength(9);
  expect(parsed[1]).toEqual(parsed[0]);
  expect(parsed[3]).toEqual(parsed[2]);
  expect(parsed[2]).toMatchObject({ status: "blocked", hiddenErrors: 98, repeats: 5 });
});
