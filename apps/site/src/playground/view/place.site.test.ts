import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { EXAMPLES } from "../examples/index.ts";
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

  test("tool and call of the last example are back after one undo", async ({ open }) => {
    const { call, page, reads, tool } = await openPlayground(open);
    const texts = async () => [await tool.innerText(), await call.innerText()];
    const before = await texts();
    const example = page.getByRole("combobox", { name: "Example" });
    const chosen = await example.inputValue();
    await example.selectOption("A secret in the arguments");
    await reads(/\/token/);
    await call.press("ControlOrMeta+z");
    await expect.poll(texts).toEqual(before);
    expect(await example.inputValue()).toBe(chosen);
    await reads(/\/pth \(VAL-005\)/);
  });

  test("a place in the message leads to the call, a code to its page", async ({ open }) => {
    const { call, message, page, reads } = await openPlayground(open);
    await reads(/VAL-008/);
    const underlined = () => call.locator(".cm-fault").allInnerTexts();
    await expect.poll(async () => (await underlined()).join("")).toContain('"pth": "notes.md"');
    await message.getByRole("button", { name: "/encoding" }).click();
    expect(await call.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('"encoding": "uft8"');
    const code = message.getByRole("link", { name: "VAL-008" });
    expect(await code.getAttribute("href")).toBe("/docs/errors/VAL-008.html");
  });

  test("faults are underlined inside a whole answer, and found from the line of their call", async ({
    open,
  }) => {
    const { call, message, page, reads, write } = await openPlayground(open);
    const chosen = () => page.evaluate(() => getSelection()?.toString());
    const calls = ["a", "b"].map((pth) => ({
      type: "function",
      function: { name: "write_file", arguments: JSON.stringify({ pth, content: "" }) },
    }));
    await write(call, JSON.stringify({ choices: [{ message: { tool_calls: calls } }] }));
    await reads(/^Call 1 of 2[^]*Call 2 of 2/);
    const underlined = async () => (await call.locator(".cm-fault").allInnerTexts()).join(" ");
    await expect.poll(underlined).toContain(String.raw`\"pth\":\"a\"`);
    expect(await underlined()).toContain(String.raw`\"pth\":\"b\"`);
    await message.getByRole("button", { name: "/pth" }).last().click();
    await expect.poll(chosen).toBe(String.raw`\"pth\":\"b\"`);
  });

  test("each call of an answer is under its number", async ({ open }) => {
    const { button, call, page, reads, write } = await openPlayground(open);
    const use = (input: object) => ({ type: "tool_use", id: "t", name: "write_file", input });
    await write(call, JSON.stringify([use({ path: "a", content: "" }), use({ path: "b" })]));
    await reads(/^Call 1 of 2: write_file[^]*the tool runs[^]*Call 2 of 2: write_file[^]*VAL-001/);
    await page.getByText("attempt 1/3 · 1 ran, 1 rejected").waitFor();
    await button("Send again").click();
    await reads(/attempt 2\/3/);
  });

  test("a tool that cannot be read is not sent to", async ({ open }) => {
    const { button, reads, tool, write } = await openPlayground(open);
    const { tool: before } = await EXAMPLES[0].load();
    await write(tool, "{");
    await reads(/^Tool:/);
    await expect.poll(() => button("Send again").isDisabled()).toBe(true);
    await button("Send again").press("Enter");
    await write(tool, before.text);
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

test("on a phone the message comes first, controls are large and text is not zoomed into", async ({
  open,
}) => {
  const { page, tool, message } = await openPlayground(open, {
    viewport: { width: 390, height: 844 },
  });
  const top = async (part: typeof tool) => (await part.boundingBox())?.y ?? Number.NaN;
  expect(await top(message)).toBeLessThan(844);
  expect(await top(message)).toBeLessThan(await top(tool));
  await page.getByRole("heading", { name: "Options" }).click();
  const controls = page.locator(
    ".playground :is(button:not(.pg-place), select, input:not([type=checkbox])):visible",
  );
  for (const control of await controls.all())
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const size = await tool.evaluate((element) => getComputedStyle(element).fontSize);
  expect(size).toBe("16px");
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
  await page.getByRole("heading", { name: "Options" }).click();
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
