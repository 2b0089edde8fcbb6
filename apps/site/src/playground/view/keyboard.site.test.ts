import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";

interface Focused {
  readonly name: string;
  readonly isVisible: boolean;
}

/** Where the focus is within the playground, and whether that can be seen; undefined outside of it. */
function focusOf(page: Page): Promise<Focused | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element.closest(".playground") === null)
      return undefined;
    const label = element.closest("label") ?? document.querySelector(`label[for="${element.id}"]`);
    const name = element.ariaLabel ?? (label ?? element).textContent?.trim().split("\n")[0] ?? "";
    const seen = element.closest<HTMLElement>(".cm-editor") ?? element;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(seen);
    const isVisible =
      (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    return { name: name.slice(0, 40), isVisible };
  });
}

/** The names of what is focused by going forward from the first control to the end of the page. */
async function namesOnTheWay(page: Page): Promise<readonly string[]> {
  const names: string[] = [];
  await page.getByRole("button", { name: "A call" }).focus();
  for (let focus = await focusOf(page); focus !== undefined; focus = await focusOf(page)) {
    // An editor shows its focus a moment later.
    await expect.poll(() => focusOf(page)).toEqual({ name: focus.name, isVisible: true });
    names.push(focus.name);
    await page.keyboard.press("Tab");
  }
  return names;
}

describe("with the keyboard alone", () => {
  test("every control is reached, in order, and the focus is seen", async ({ open }) => {
    const { page } = await openPlayground(open);
    const names = await namesOnTheWay(page);
    const order = [
      "A call",
      "Lint tools",
      "Example",
      "Written in",
      "Tool",
      "Call",
      "Apply hints",
      "Send again",
      "Copy link",
    ];
    const places = order.map((name) => names.findIndex((one) => one.startsWith(name)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const controls = page
      .locator(".playground")
      .locator(
        ".pg-message a, button:enabled, select, input, summary, [contenteditable], [tabindex='0']",
      );
    const visible = await controls.evaluateAll(
      (all) => all.filter((element) => element.checkVisibility()).length,
    );
    expect(names).toHaveLength(visible);
  });

  test("a conversation is held to its end", async ({ open }) => {
    const { button, call, page, reads } = await openPlayground(open);
    await button("Send again").focus();
    await page.keyboard.press("Enter");
    await reads(/attempt 2\/3/);
    await page.keyboard.press("Space");
    await reads(/attempt 3\/3/);
    await button("Start over").focus();
    await page.keyboard.press("Enter");
    await reads(/attempt 1\/3/);
    await button("Apply hints").focus();
    await page.keyboard.press("Enter");
    await reads(/the tool runs/);
    await call.focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("{}");
    await reads(/VAL-001/);
    await page.keyboard.press("ControlOrMeta+z");
    await page.keyboard.press("Tab");
    expect(await call.evaluate((element) => element === document.activeElement)).toBe(false);
  });
});
