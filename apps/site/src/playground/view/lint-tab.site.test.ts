import { expect } from "vitest";
import { axeViolations } from "../../testing/axe-violations.ts";
import { test } from "../../testing/browser-test.ts";
import { pasteOverAll } from "../../testing/paste-over-all.ts";

const CLEAN = JSON.stringify({
  name: "ping",
  description: "Answers.",
  inputSchema: { type: "object", additionalProperties: false },
});

test("pasted tools are linted, and the link restores them", async ({ open }) => {
  const page = await open("/playground/");
  await page.getByRole("button", { name: "Lint tools" }).click();
  const status = page.getByRole("status");
  const says = (text: RegExp) => expect.poll(() => status.textContent()).toMatch(text);
  // Tokens are estimated first, and then counted.
  await says(/^2 errors, 1 warning, \d+ notes in 2 tools, \d+ tokens/);
  const rule = page.getByRole("link", { name: "no-value-passes" });
  expect(await rule.getAttribute("href")).toBe("/docs/lint/no-value-passes.html");
  expect(await axeViolations(page)).toEqual([]);

  const editor = page.getByRole("textbox", { name: "Tools", exact: true });
  const write = async (text: string): Promise<void> => {
    await editor.press("ControlOrMeta+a");
    await editor.evaluate(pasteOverAll, text);
  };
  await write("{");
  await says(/This is not JSON/);
  await write(CLEAN);
  await says(/^0 errors, 0 warnings, \d+ notes? in 1 tool, \d+ tokens/);
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#lint-v1\./);
  const { hash } = new URL(page.url());

  await page.getByRole("button", { name: "A call" }).click();
  await says(/attempt 1\/3/);
  await page.goto("about:blank");
  await page.goto(`/playground/${hash}`);
  await says(/in 1 tool/);
  expect(await editor.innerText()).toBe(CLEAN);
});
