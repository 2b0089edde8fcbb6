import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";

const MEGABYTE = 1_000_000;
const ZOD_LOOP = "(() => { while (true) {} })()";

/** The main thread answers: a control does what it is for. */
async function expectResponsive(page: Page): Promise<void> {
  const style = page.getByRole("combobox", { name: "Style" });
  await style.selectOption("compact");
  await expect.poll(() => style.inputValue()).toBe("compact");
  await style.selectOption("standard");
}

describe("the page stays usable", () => {
  test("with a schema of 5 MB", async ({ open }) => {
    const { call, page, reads, tool, write } = await openPlayground(open);
    const names = Array.from(
      { length: (5 * MEGABYTE) / 50 },
      (_, index) => `property_${String(index).padStart(8, "0")}`,
    );
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: "integer", maximum: 9 }]),
    );
    const text = JSON.stringify({ type: "object", properties });
    expect(text.length).toBeGreaterThan(5 * MEGABYTE);
    await write(tool, text);
    await write(call, '{"property_00000001": "x", "property_00000002": 10}');
    await expectResponsive(page);
    await reads(/\/property_00000001 \(VAL-002\)/);
  });

  test("with 10 MB of arguments", async ({ open }) => {
    const { call, page, reads, tool, write } = await openPlayground(open);
    await write(tool, '{"type": "object", "properties": {"rows": {"items": {"type": "integer"}}}}');
    const rows = Array.from(
      { length: MEGABYTE },
      (_, index) => `r${String(index).padStart(6, "0")}`,
    );
    const text = JSON.stringify({ rows });
    expect(text.length).toBeGreaterThanOrEqual(10 * MEGABYTE);
    await write(call, text);
    await expectResponsive(page);
    await reads(/\/rows\/0 \(VAL-002\)/);
  });

  test("with a pattern that explodes", async ({ open }) => {
    const { call, page, reads, tool, write } = await openPlayground(open);
    await write(
      tool,
      '{"type": "object", "properties": {"a": {"pattern": "^(a+)+$"}, "b": {"type": "integer"}}}',
    );
    await write(call, JSON.stringify({ a: `${"a".repeat(50_000)}!`, b: "x" }));
    await expectResponsive(page);
    await reads(/\/b \(VAL-002\)/);
  });

  test("with deep nesting", async ({ open }) => {
    const { call, page, reads, write } = await openPlayground(open);
    await write(call, "[".repeat(200_000));
    await expectResponsive(page);
    await reads(/VAL-0/);
  });

  test("with code that never ends, and it can be stopped", async ({ open }) => {
    const { button, page, reads, tool, write } = await openPlayground(open);
    await page.getByRole("combobox", { name: "Written in" }).selectOption("zod");
    await write(tool, ZOD_LOOP);
    await button("Stop").waitFor();
    await expectResponsive(page);
    await button("Stop").click();
    await reads(/Stopped/);
    await write(tool, "z.object({ city: z.string() })");
    await reads(/\/city \(VAL-001\)/);
  });

  test("with code that never ends, and it is replaced", async ({ open }) => {
    const { page, reads, tool, write } = await openPlayground(open);
    await page.getByRole("combobox", { name: "Written in" }).selectOption("zod");
    await write(tool, ZOD_LOOP);
    await write(tool, "z.object({ city: z.string() })");
    await reads(/\/city \(VAL-001\)/);
  });
});
