import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";
import { DEFAULT_OPTIONS, encodeLink, type PlaygroundState } from "../state/index.ts";

async function fragmentOf(state: PlaygroundState): Promise<string> {
  const link = await encodeLink(state);
  if ("fault" in link) throw new Error(link.fault);
  return link.fragment;
}

const HTML = "<img src=x onerror=\"document.title='broken'\"><b>bold</b>";

describe("a link", () => {
  test("restores tool, call, attempt and options elsewhere", async ({ open }) => {
    const { button, call, message, page, reads, tool, write } = await openPlayground(open, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await write(tool, '{"type": "object", "required": ["städte"]}');
    await write(call, '{"stadt": "München 🏔"}');
    await reads(/städte/);
    await button("Send again").click();
    await reads(/attempt 2/);
    await page.getByRole("heading", { name: "Options" }).click();
    await page.getByLabel("Attempts", { exact: true }).fill("7");
    await page.getByLabel("Attempts", { exact: true }).press("Enter");
    await page.getByRole("combobox", { name: "Style" }).selectOption("compact");
    await reads(/attempt 2\/7/);
    await expect.poll(() => page.evaluate(() => location.hash.length)).toBeGreaterThan(20);
    await button("Copy link").click();
    await expect.poll(() => page.getByText("The link is copied").count()).toBe(1);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(page.url());

    const other = await openPlayground(open, { fragment: new URL(link).hash.slice(1) });
    await other.reads(/attempt 2\/7/);
    expect(await other.message.textContent()).toBe(await message.textContent());
    expect(await other.tool.innerText()).toBe(await tool.innerText());
    expect(await other.call.innerText()).toBe(await call.innerText());
    expect(await other.page.getByLabel("Attempts", { exact: true }).inputValue()).toBe("7");
    await other.page.getByRole("heading", { name: "Options" }).click();
    expect(await other.page.getByRole("combobox", { name: "Style" }).inputValue()).toBe("compact");
  });

  test("follows every change", async ({ open }) => {
    const { button, call, page, tool, write } = await openPlayground(open);
    await page.getByRole("heading", { name: "Options" }).click();
    const hash = () => page.evaluate(() => location.hash);
    const changes: readonly (() => Promise<unknown>)[] = [
      () => write(tool, '{"type": "object", "required": ["a"]}'),
      () => write(call, '{"b": 1}'),
      () => button("Send again").click(),
      () =>
        page
          .getByLabel("Attempts", { exact: true })
          .fill("4")
          .then(() => page.keyboard.press("Enter")),
      () => page.getByRole("combobox", { name: "Style" }).selectOption("compact"),
      () => page.getByRole("combobox", { name: "Unknown fields" }).selectOption("reject"),
      () => page.getByRole("checkbox", { name: "Repair JSON" }).click(),
      () => button("Start over").click(),
    ];
    const seen = new Set([await hash()]);
    for (const change of changes) {
      await change();
      await expect.poll(async () => seen.has(await hash())).toBe(false);
      seen.add(await hash());
    }
  });

  test("back and forward do no harm", async ({ open }) => {
    const { call, page, reads, write } = await openPlayground(open);
    await write(call, '{"path": "a", "content": "b"}');
    await reads(/the tool runs/);
    await page.goto("/docs/");
    await page.goBack();
    await reads(/the tool runs/);
    await page.goForward();
    await page.goBack();
    await reads(/the tool runs/);
  });

  test("what was typed is a step back from the example chosen after it", async ({ open }) => {
    const { call, page, reads, write } = await openPlayground(open);
    await write(call, '{"path": "mine", "content": ""}');
    await reads(/the tool runs[^]*mine/);
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#v1/);
    const example = page.getByRole("combobox", { name: "Example" });
    await example.selectOption("A secret in the arguments");
    await reads(/'deploy'/);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe("#example=secret");
    await example.selectOption("A union with a wrong tag");
    await reads(/'notify'/);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe("#example=union-tag");
    await page.goBack();
    await reads(/'deploy'/);
    await page.goBack();
    await reads(/the tool runs[^]*mine/);
    await page.goForward();
    await reads(/'deploy'/);
    await page.goForward();
    await reads(/'notify'/);
  });

  test("another link can be put into the address", async ({ open }) => {
    const { page, reads } = await openPlayground(open);
    const tool = { language: "json", text: '{"type": "object", "required": ["zip"]}' } as const;
    const fragment = await fragmentOf({ tool, sent: [], call: "{}", options: DEFAULT_OPTIONS });
    await page.evaluate((next) => (location.hash = next), fragment);
    await reads(/\/zip \(VAL-001\)/);
  });

  test.for<readonly [string, string]>([
    ["nonsense", "nonsense"],
    ["a broken escape", "%E0%A4%A"],
    ["a script", "<script>alert(1)</script>"],
    ["a script's address", "javascript:alert(1)"],
    ["a newer version", "v99.abc"],
    ["a state that is cut", "v1.q1YqScxJVbJS"],
    ["no data", "v1."],
    ["an unknown example", "example=nothing"],
    ["a prototype", "__proto__=1&constructor=2"],
    ["very much", `v1.${"A".repeat(150_000)}`],
  ])("that is hostile is refused with a reason: %s", async ([, fragment], { open }) => {
    const { page, reads } = await openPlayground(open, { fragment });
    await reads(/\S/);
    await expect.poll(() => page.getByText(/link|example named/).count()).toBeGreaterThan(0);
  });

  test("shows HTML as text, wherever it is", async ({ open }) => {
    const schema = {
      name: HTML,
      description: HTML,
      inputSchema: {
        type: "object",
        title: HTML,
        description: HTML,
        properties: { [HTML]: { enum: [HTML], examples: [HTML], description: HTML } },
        required: [HTML, "b"],
        additionalProperties: false,
      },
    };
    const tool = { language: "json", text: JSON.stringify(schema) } as const;
    const call = JSON.stringify({ [HTML]: HTML, [`${HTML}2`]: HTML });
    const options = { ...DEFAULT_OPTIONS, redact: HTML, maxAttempts: 2 };
    const state = { tool, sent: [call, JSON.stringify({ [`${HTML}3`]: [HTML] })], call, options };
    const { page, reads } = await openPlayground(open, { fragment: await fragmentOf(state) });
    await reads(/onerror/);
    for (const summary of await page.locator("summary").all()) {
      const isOpen = await summary.locator("..").getAttribute("open");
      if (isOpen === null) await summary.click();
    }
    for (const name of ["AI SDK", "LangChain", "MCP SDK"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(0);
      expect(await page.locator('img[src="x"], .playground b').count()).toBe(0);
    }
    expect(await page.title()).not.toBe("broken");
  });
});
