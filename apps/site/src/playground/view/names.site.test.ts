import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";

const NAMES = [
  ["textbox", "tool"],
  ["textbox", "call"],
  ["button", "send again"],
  ["button", "apply hints"],
  ["button", "copy link"],
] as const;

describe("names are found by a part of them", () => {
  test("of each there is one, with all panels open", async ({ open }) => {
    const { page } = await openPlayground(open);
    for (const summary of await page.locator("summary").all()) {
      if ((await summary.locator("..").getAttribute("open")) === null) await summary.click();
    }
    for (const [role, name] of NAMES) {
      expect([name, await page.getByRole(role, { name }).count()]).toEqual([name, 1]);
      expect([name, await page.getByLabel(name).count()]).toEqual([
        name,
        role === "textbox" ? 1 : 0,
      ]);
    }
  });

  test("the message is the only live region of its kind", async ({ open }) => {
    const { message } = await openPlayground(open);
    expect(await message.count()).toBe(1);
    expect(await message.getAttribute("aria-live")).toBe("polite");
  });

  test("the tool comes before the call", async ({ open }) => {
    const { page } = await openPlayground(open);
    const editors = await page
      .getByRole("textbox")
      .evaluateAll((all) => all.map((element) => element.getAttribute("aria-label")));
    expect(editors.filter((name) => name !== null)).toEqual(["Tool", "Call"]);
  });
});
