import { type Locator, type Page } from "playwright-core";
import { describe, expect } from "vitest";
import { examplesOf } from "../../../../docs/fences.ts";
import { test } from "../testing/browser-test.ts";
import { addressOf } from "./repository.ts";

/** Puts the pointer on the first of a page's names; returns what is shown below it. */
async function pointAt(page: Page, name: string): Promise<Locator> {
  const typed = page
    .locator(".typed")
    .filter({ hasText: new RegExp(`^${name}`) })
    .first();
  await typed.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await typed.hover({ position: { x: 4, y: 8 } });
  const popup = typed.locator("> .popup");
  await popup.waitFor({ state: "visible" });
  return popup;
}

describe("below the pointer on a name is its compiled type", () => {
  test.for([
    [
      "README.md",
      "createContract",
      "(alias) function createContract(options?: ContractOptions): Contract",
    ],
    ["README.md", "createContract", "Creates a contract; throws a ToolContractError"],
    ["README.md", "handled", "const handled: "],
    ["docs/getting-started.md", "withContract", "(alias) function withContract<"],
    ["docs/guardrails.md", "createGuardrails", "(alias) function createGuardrails<"],
    ["docs/session.md", "createSession", "(alias) function createSession<"],
    ["packages/langchain/README.md", "createAgent", "(alias) function createAgent"],
    ["packages/mcp/README.md", "McpServer", "McpServer"],
  ] as const)("%s: %s: %s", async ([source, name, type], { open }) => {
    const page = await open(addressOf(source));
    const popup = await pointAt(page, name);
    expect((await popup.innerText()).replaceAll("\n", " ")).toContain(type);
  });
});

describe("a type is shown whole", () => {
  test.for([
    [1280, "light"],
    [1280, "dark"],
    [360, "light"],
  ] as const)("at %i pixels in the %s theme", async ([width, colorScheme], { open }) => {
    const page = await open("/docs/getting-started.html", {
      viewport: { width, height: 800 },
      colorScheme,
    });
    const popup = await pointAt(page, "generateText");
    const { x = -1, width: shown = 0 } = (await popup.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + shown).toBeLessThanOrEqual(width);
    const isOnTop = await popup.evaluate((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const corners = [
        [left + 4, top + 4],
        [right - 4, bottom - 4],
      ] as const;
      return corners.every(([a, b]) => element.contains(document.elementFromPoint(a, b)));
    });
    expect(isOnTop).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

describe("types take nothing from a program", () => {
  test.for([
    "README.md",
    "docs/getting-started.md",
    "docs/guardrails-recipes.md",
    "packages/ai-sdk/README.md",
    "packages/session/README.md",
  ])("%s", async (source, { open }) => {
    const page = await open(addressOf(source));
    const shown = await page.locator(".language-ts code").allInnerTexts();
    // The first page begins with tabs in place of the first program.
    const programs = examplesOf(source)
      .slice(source === "README.md" ? 1 : 0)
      .map(({ program }) => program);
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.filter((program) => !shown.includes(program))).toEqual([]);
  });

  test("and the button copies the program alone", async ({ open }) => {
    const page = await open("/", { permissions: ["clipboard-read", "clipboard-write"] });
    const block = page.locator(".language-ts").first();
    await block.hover();
    await block.locator("button.copy").click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(examplesOf("README.md")[1]?.program);
  });
});
