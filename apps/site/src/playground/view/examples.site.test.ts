import { resolve } from "node:path";
import { isWhole, oneInThree } from "@toolcontract/case-table/whole";
import { expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";
import { EXAMPLES } from "../examples/index.ts";

const SCREENSHOTS = resolve(import.meta.dirname, "../../../../../.artifacts/site");
const MOST_ATTEMPTS = 5;
/** The hints do not say all that is wrong with these, or nobody may follow them. */
const NEVER_RUN: ReadonlySet<string> = new Set([
  "cut-output",
  "secret",
  "escalation",
  "zod-refine",
]);
// Higher than the page: what is at the edge of the screen is where it is when nobody scrolls.
const WHOLE = { width: 1280, height: 1600 };

test.for(oneInThree(EXAMPLES).map(({ id, title }) => [title, id] as const))(
  "the example is followed from first to last attempt: %s",
  async ([title, id], { open }) => {
    const { button, message, page, reads } = await openPlayground(open, { viewport: WHOLE });
    const keep = async (name: string, colorScheme: "light" | "dark"): Promise<void> => {
      if (!isWhole) return;
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SCREENSHOTS}/${id}-${name}.png`, fullPage: true });
    };
    const before = await message.textContent();
    await page.getByRole("combobox", { name: "Example" }).selectOption(title);
    if (id !== EXAMPLES[0]?.id) await expect.poll(() => message.textContent()).not.toBe(before);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#example=${id}`);
    const { sent } = await EXAMPLES.find((example) => example.id === id)!.load();
    await reads(sent.length > 0 ? /attempt 3\/3/ : /the tool runs|attempt 1\/3/);
    await keep("first", "light");
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      if (await button("Apply hints").isDisabled()) break;
      const read = await message.textContent();
      await button("Apply hints").click();
      await expect.poll(() => message.textContent()).not.toBe(read);
    }
    expect((await message.textContent())?.includes("the tool runs")).toBe(!NEVER_RUN.has(id));
    await expect.poll(() => button("Apply hints").isDisabled()).toBe(true);
    await keep("last", "dark");
  },
);
