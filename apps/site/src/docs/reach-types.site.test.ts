import { type Locator, type Page } from "playwright-core";
import { describe, expect } from "vitest";
import { axeViolations } from "../testing/axe-violations.ts";
import { test } from "../testing/browser-test.ts";

const PATH = "/docs/errors/VAL-003.html";
const IMPORTED = "function createContract(options?: ContractOptions): Contract";

const popup = (page: Page): Locator => page.locator(".popup:visible");
const shown = async (page: Page): Promise<string> => (await popup(page).allInnerTexts()).join();
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.firstElementChild?.textContent ?? activeElement?.tagName ?? "";
  });

/** Focuses the program of a page; waits until the keys work. */
async function enter(page: Page): Promise<Locator> {
  const block = page.locator("pre:has(.typed)").first();
  await expect
    .poll(async () => {
      await block.focus();
      await page.keyboard.press("ArrowRight");
      return popup(page).count();
    })
    .toBe(1);
  return block;
}

describe("with keys", () => {
  test("a block of code is one stop, and arrows go from name to name in it", async ({ open }) => {
    const page = await open(PATH);
    const block = await enter(page);
    expect(await block.locator("[tabindex='0'], a, button").count()).toBe(0);
    await expect.poll(() => shown(page)).toContain(IMPORTED);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shown(page)).toContain("const tool: {");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shown(page)).toBe("(property) name: string");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await focused(page)).toBe("createContract");
    await page.keyboard.press("Tab");
    expect(await block.evaluate((element) => element.contains(document.activeElement))).toBe(false);
    await expect.poll(() => popup(page).count()).toBe(0);
  });

  test("Escape hides the type, and the arrows go on from there", async ({ open }) => {
    const page = await open(PATH);
    const block = await enter(page);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Escape");
    await expect.poll(() => popup(page).count()).toBe(0);
    expect(await block.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => shown(page)).toContain("const tool: {");
  });

  test("a type that is longer than its place is scrolled with keys", async ({ open }) => {
    const page = await open("/docs/getting-started.html", {
      viewport: { width: 360, height: 740 },
    });
    await enter(page);
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("generateText");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => popup(page).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => popup(page).count()).toBe(0);
  });

  test("keys that mean something else keep it", async ({ open }) => {
    const page = await open(PATH);
    await enter(page);
    for (const key of ["Shift+ArrowRight", "Control+ArrowRight", "ArrowDown"])
      await page.keyboard.press(key);
    expect(await focused(page)).toBe("createContract");
  });

  test("a name is described by its type, which is not part of the name", async ({ open }) => {
    const page = await open(PATH);
    await enter(page);
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    await session.detach();
    const names = nodes.filter(({ name }) => name?.value === "createContract");
    const described = names.map(({ description }) => String(description?.value ?? ""));
    expect(described.join("")).toContain(IMPORTED);
  });

  test("nothing moves, and what is selected is the program alone", async ({ open }) => {
    const page = await open(PATH);
    const block = page.locator("pre:has(.typed)").first();
    const below = page.getByRole("heading", { name: "In the schema" });
    const before = [await block.boundingBox(), await below.boundingBox()];
    const program = await block.innerText();
    await enter(page);
    const scrolled = await page.evaluate(() => scrollY);
    const after = [await block.boundingBox(), await below.boundingBox()];
    expect(after).toEqual(before.map((box) => box && { ...box, y: box.y - scrolled }));
    await page.keyboard.press("ControlOrMeta+a");
    const selected = await page.evaluate(() => getSelection()?.toString());
    expect(selected).toContain(program);
  });

  test("a type that is shown is accessible in both themes", async ({ open }) => {
    const page = await open(PATH);
    await enter(page);
    expect(await axeViolations(page)).toEqual([]);
    expect(await popup(page).count()).toBe(1);
  });
});

test("a program is selected with the mouse, and printed, without the types", async ({ open }) => {
  const page = await open(PATH);
  const line = page.locator("pre:has(.typed) .line").first();
  // At the edge of the window, the page would scroll under the mouse.
  await line.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const program = await line.innerText();
  const box = (await line.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const name = line.locator(".typed").first();
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x, middle);
  await page.mouse.down();
  await name.hover();
  expect(await popup(page).count()).toBe(0);
  await page.mouse.move(box.x + box.width, middle, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(program);
  await name.hover();
  await expect.poll(() => shown(page)).toContain(IMPORTED);
  expect(await page.evaluate(() => getSelection()?.toString())).not.toContain(IMPORTED);
  await page.emulateMedia({ media: "print" });
  expect(await popup(page).count()).toBe(0);
  await page.emulateMedia({ media: null });
});

test("a tap on a name shows its type, and a tap elsewhere hides it", async ({ open }) => {
  const page = await open(PATH, { viewport: { width: 360, height: 740 }, hasTouch: true });
  const name = page.locator(".typed", { hasText: /^createContract/ }).first();
  await expect
    .poll(async () => {
      await name.tap({ position: { x: 4, y: 8 } });
      return name.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
  await expect.poll(() => shown(page)).toContain(IMPORTED);
  const { x = -1, width = 0 } = (await popup(page).boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole("heading", { name: "Cause" }).tap();
  await expect.poll(() => popup(page).count()).toBe(0);
});
