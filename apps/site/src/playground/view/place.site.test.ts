import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";

const LONG = { viewport: { width: 1280, height: 420 } };

describe("readers keep their place", () => {
  test("the focus stays on a button that cannot be used again", async ({ open }) => {
    const { button, reads } = await openPlayground(open);
    for (const [name, said] of [
      ["Apply hints", /the tool runs/],
      ["Start over", /attempt 1\/3/],
    ] as const) {
      await button(name).press("Enter");
      await reads(said);
      await expect.poll(() => button(name).isDisabled()).toBe(true);
      expect(await button(name).evaluate((element) => element.matches(":focus"))).toBe(true);
      await button(name).press("Enter");
      await reads(said);
    }
  });

  test("the first call is back after it was corrected", async ({ open }) => {
    const { button, call, reads } = await openPlayground(open);
    const first = await call.innerText();
    await button("Apply hints").click();
    await reads(/the tool runs/);
    await button("Start over").click();
    await reads(/attempt 1\/3/);
    expect(await call.innerText()).toBe(first);
  });

  test("a tool that cannot be read is not sent to", async ({ open }) => {
    const { button, reads, tool, write } = await openPlayground(open);
    const before = await tool.innerText();
    await write(tool, "{");
    await reads(/^Tool:/);
    await expect.poll(() => button("Send again").isDisabled()).toBe(true);
    await button("Send again").press("Enter");
    await write(tool, before);
    await reads(/attempt 1\/3/);
  });

  test("a new message is shown from its start", async ({ open }) => {
    const { button, message, reads } = await openPlayground(open);
    const scroll = (top?: number) =>
      message.evaluate((element, to) => {
        element.style.maxHeight = "100px";
        if (to !== undefined) element.scrollTop = to;
        return element.scrollTop;
      }, top);
    expect(await scroll(50)).toBe(50);
    await button("Send again").click();
    await reads(/attempt 2\/3/);
    await expect.poll(() => scroll()).toBe(0);
  });

  test("nothing covers the text of an editor in a low window", async ({ open }) => {
    const { page } = await openPlayground(open, LONG);
    for (const editor of await page.locator(".cm-editor").all()) {
      const text = await editor.locator(".cm-scroller").boundingBox();
      const note = await editor.locator(".cm-panels").boundingBox();
      expect(note?.y).toBeGreaterThanOrEqual((text?.y ?? Infinity) + (text?.height ?? 0) - 1);
    }
  });
});

test("after the last attempt no further one is counted", async ({ open }) => {
  const { button, call, page, reads, write } = await openPlayground(open);
  for (const said of [/attempt 2\/3/, /attempt 3\/3/, /blocked/]) {
    await button("Send again").click();
    await reads(said);
  }
  await page.getByText("after attempt 3/3 · blocked").waitFor();
  await write(call, '{"path": "notes.md", "content": ""}');
  await page.getByText("after attempt 3/3 · ran").waitFor();
});

test("what a model reads beside the answer of the tool is shown", async ({ open }) => {
  const { call, page, reads, tool, write } = await openPlayground(open);
  await write(tool, '{"type": "object", "properties": {"a": {"type": "integer"}}}');
  await write(call, '{"a": 1, "b": 2}');
  await page.getByRole("combobox", { name: "Unknown fields" }).selectOption("warn");
  await reads(/the tool runs[^]*Then the model reads:[^]*\/b \(VAL-005 warning\)/);
});

test("once stopped, nothing older is shown, and the focus is on what is said", async ({ open }) => {
  const { button, message, page, reads, tool, write } = await openPlayground(open);
  await page.getByRole("combobox", { name: "Example" }).selectOption("A zod schema with a rule");
  await reads(/Kitchen/);
  await write(tool, "(() => { while (true) {} })()");
  await button("Stop").press("Enter");
  await reads(/Stopped/);
  expect(await page.getByText("attempt 1/3").count()).toBe(0);
  expect(await page.getByRole("heading", { name: "Attempts" }).count()).toBe(0);
  expect(await message.evaluate((element) => element.matches(":focus"))).toBe(true);
});
