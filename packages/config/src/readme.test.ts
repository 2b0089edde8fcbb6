import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OPTIONS } from "@toolcontract/core/options";
import { FILE_OPTIONS } from "./format/index.ts";
import { createProject, FILE } from "./testing/project.ts";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const fence = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\\n\`\`\``, "s").exec(page)?.[1] ?? "";

test("the README is short enough to be read", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(90);
});

test("the file in the README is valid and sets what it shows", () => {
  const { load } = createProject({ [FILE]: fence("yaml") });
  expect(load().options).toMatchObject({ maxAttempts: 5, unknownFields: "warn" });
});

test("the error in the README is the answer to the wrong file in the README", () => {
  const wrong = /^`(tools: .*)`:$/m.exec(page)?.[1] ?? "";
  const { error } = createProject({ [FILE]: wrong });
  expect(error().message).toBe(fence("txt"));
});

test("every setting is in the table of the README, with its default", () => {
  for (const { keys, fallback } of FILE_OPTIONS) {
    const shown = fallback === undefined ? "none" : `\`${fallback}\``;
    expect(page).toMatch(new RegExp(`\\| \`${keys.join(".")}\` +\\| ${shown} +\\|`));
  }
  for (const name of Object.keys(OPTIONS).filter(
    (one) => !FILE_OPTIONS.some((own) => own.name === one),
  )) {
    expect(page).toContain(`\`${name}\``);
  }
});
