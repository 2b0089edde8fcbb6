import { isWhole } from "@toolcontract/case-table/whole";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";
import { EMPTY_STATE, encodeLink } from "../state/index.ts";

const MEGABYTE = 1_000_000;
/** Megabytes of what is too much for a page; its worker reads all of them. */
const LARGE = isWhole ? { schema: 5, call: 10 } : { schema: 1, call: 2 };
const ZOD_LOOP = "(() => { while (true) {} })()";

/** The main thread answers: a control does what it is for. */
async function expectResponsive(page: Page): Promise<void> {
  const style = page.getByRole("combobox", { name: "Style" });
  if (!(await style.isVisible())) await page.getByRole("heading", { name: "Options" }).click();
  await style.selectOption("compact");
  await expect.poll(() => style.inputValue()).toBe("compact");
  await style.selectOption("standard");
}

describe("a link with a JSON Schema runs on open", () => {
  const CIRCLE = {
    $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { anyOf: [{ $ref: "#/$defs/a" }] } },
  };
  const MARKUP = "<img src=/none onerror=document.title=1>";
  test.for<[name: string, schema: object, call: string, reads: RegExp]>([
    ["that refers to itself", { $ref: "#" }, "{}", /\S/],
    ["whose references go in a circle", { ...CIRCLE, $ref: "#/$defs/a" }, "{}", /\S/],
    ["that refers to another site", { $ref: "https://example.com/schema.json" }, "{}", /\S/],
    ["and keys that would change a prototype", {}, '{"__proto__": {"x": 1}}', /^Valid/],
    ["and a node for a value", {}, '{"__v_isVNode": true, "type": "img"}', /^Valid/],
    ["and markup in names", { required: [MARKUP] }, "{}", /VAL-001/],
    ["and markup in values", { properties: { a: { enum: [MARKUP] } } }, '{"a": 1}', /VAL-008/],
    ["and marks that turn text around", {}, '{"a": "\u202eabc"', /VAL-011/],
  ])("%s", async ([, schema, call, said], { open }) => {
    const link = await encodeLink({
      ...EMPTY_STATE,
      tool: { language: "json", text: JSON.stringify(schema) },
      call,
    });
    if ("fault" in link) throw new Error(link.fault);
    const { message, page, reads } = await openPlayground(open, { fragment: link.fragment });
    await reads(said);
    expect(await message.locator(":not(.pg-place, a[href^='/docs/errors/'])").count()).toBe(0);
    expect(await page.title()).toBe("Playground | Toolcontract");
    expect(await page.evaluate(() => Reflect.get({}, "x"))).toBeUndefined();
  });
});

describe("the page stays usable", () => {
  test("with a schema of megabytes", async ({ open }) => {
    const { call, page, reads, tool, write } = await openPlayground(open);
    const names = Array.from(
      { length: (LARGE.schema * MEGABYTE) / 50 },
      (_, index) => `property_${String(index).padStart(8, "0")}`,
    );
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: "integer", maximum: 9 }]),
    );
    const text = JSON.stringify({ type: "object", properties });
    expect(text.length).toBeGreaterThan(LARGE.schema * MEGABYTE);
    await write(tool, text);
    await write(call, '{"property_00000001": "x", "property_00000002": 10}');
    await expectResponsive(page);
    await reads(/\/property_00000001 \(VAL-002\)/);
  });

  test("with megabytes of arguments", async ({ open }) => {
    const { call, page, reads, tool, write } = await openPlayground(open);
    await write(tool, '{"type": "object", "properties": {"rows": {"items": {"type": "integer"}}}}');
    const rows = Array.from(
      { length: (LARGE.call * MEGABYTE) / 10 },
      (_, index) => `r${String(index).padStart(6, "0")}`,
    );
    const text = JSON.stringify({ rows });
    expect(text.length).toBeGreaterThanOrEqual(LARGE.call * MEGABYTE);
    await write(call, text);
    await expectResponsive(page);
    await reads(/\/rows\/0 to \/rows\/\d+ \(VAL-002\)/);
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
