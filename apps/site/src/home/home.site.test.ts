import { describe, expect } from "vitest";
import { fencesOf, readPage } from "../../../../docs/fences.ts";
import { test } from "../testing/browser-test.ts";

const SCREEN = { width: 1440, height: 900 };

describe("the first screen", () => {
  test("shows the whole message, frameworks, an install line and what it is", async ({ open }) => {
    const page = await open("/", { viewport: SCREEN });
    const message = page.locator(".is-contract pre");
    expect(await message.textContent()).toBe(fencesOf(readPage("README.md"))[2]?.text);
    const seen = [
      message,
      page.getByRole("heading", { level: 1 }),
      page.getByRole("link", { name: "Vercel AI SDK" }).first(),
      page.getByText("npm install @toolcontract/core"),
    ];
    for (const one of seen) {
      const { y = Infinity, height = 0 } = (await one.first().boundingBox()) ?? {};
      expect(y + height).toBeLessThan(SCREEN.height);
    }
    const hidden = await message.evaluate((pre) => pre.scrollHeight - pre.clientHeight);
    expect(hidden).toBeLessThanOrEqual(0);
  });

  test("shows what each framework answers, whole and without folders", async ({ open }) => {
    const page = await open("/", { viewport: SCREEN });
    const today = page.locator(".is-today pre");
    const [, shortened] = fencesOf(readPage("README.md"));
    expect(await today.textContent()).toContain(shortened?.text.split("\n")[0]);
    for (const [name, words] of [
      ["LangChain", "Error invoking tool 'write_file'"],
      ["MCP SDK", "Input validation error"],
      ["AI SDK", '"message": "Unrecognized key'],
    ] as const) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect.poll(() => today.textContent()).toContain(words);
      expect(await today.textContent()).not.toMatch(/\.pnpm|file:\/\/\/(?!app\/)/);
    }
  });
});

test("numbers are those of the benchmarks, with their command", async ({ open }) => {
  const page = await open("/");
  const rows = await page.getByRole("row").allInnerTexts();
  const benchmarks = readPage("docs/benchmarks.md");
  expect(benchmarks).toContain(
    "| AI SDK 7 | json-schema | 1227 | 0.0 % | 0.0 % | 0.0 % | 0.000 | 100.0 % |",
  );
  expect(rows.some((row) => /^AI SDK 7, JSON Schema\s+100 %/.test(row))).toBe(true);
  expect(await page.getByText("bench:recovery").count()).toBeGreaterThan(0);
  await page.getByRole("heading", { name: "When not to use it" }).waitFor();
});
