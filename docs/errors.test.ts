import { ERROR_CODES, parseRejection } from "@toolcontract/core";
import { GUARDRAIL_CODES } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { examplesOf, pagePaths, readPage, writePrograms } from "./fences.ts";
import { runProgram } from "./run-program.ts";

/** Every code, what it means, and the title of its page's last part. */
const codes = [
  ...Object.entries(GUARDRAIL_CODES).map((entry) => [...entry, "What to do"] as const),
  ...Object.entries(ERROR_CODES).map((entry) => [...entry, "In the schema"] as const),
];
const pages = pagePaths().filter((path) => path.startsWith("docs/errors/"));

test("every error code has a page, and every page an error code", () => {
  expect(pages).toEqual(codes.map(([code]) => `docs/errors/${code}.md`));
});

describe.each(codes)("%s", (code, meaning, advice) => {
  const path = `docs/errors/${code}.md`;
  const examples = examplesOf(path);
  const files = writePrograms(`errors/${code}`, examples);

  test("the page says what the code means, what causes it and what to do", () => {
    const headings = [...readPage(path).matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
    expect(headings).toEqual([
      `# ${code}: ${meaning}`,
      "## Cause",
      "## What the model reads",
      `## ${advice}`,
    ]);
  });

  test("the page's program prints the page's message", async () => {
    const [{ output } = {}] = examples;
    expect(examples).toHaveLength(1);
    expect(await runProgram(files[0] ?? "")).toBe(output);
    const parsed = parseRejection(output ?? "");
    expect(parsed?.errors.map(({ errorCode }) => errorCode)).toContain(code);
  });
});
