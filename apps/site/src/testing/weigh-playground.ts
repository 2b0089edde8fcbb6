import type { Page } from "playwright-core";
import { type Transfer, watchTransfers } from "./transfers.ts";

/** What the playground loads, in the order in which somebody makes it load. */
export interface Weight {
  /** Until the engine has answered. */
  readonly first: readonly Transfer[];
  /** What is loaded when it is asked for, with what asks for it. */
  readonly later: readonly (readonly [cause: string, loaded: readonly Transfer[]])[];
}

/** What loads more: how somebody makes it load, and a file without which it has not. */
const CAUSES: Readonly<
  Record<string, readonly [file: RegExp, ask: (page: Page) => Promise<unknown>]>
> = {
  "a text whose tokens are not known": [
    /count\.worker/,
    (page) => page.getByRole("textbox", { name: "Call", exact: true }).fill('{"some": "text"}'),
  ],
  "what other frameworks say": [
    /langchain/,
    async (page) => {
      await page.getByRole("button", { name: "LangChain", exact: true }).click();
      await page.getByRole("article").first().waitFor();
    },
  ],
  "the example with the largest schema": [
    /notion/,
    (page) =>
      page.getByRole("combobox", { name: "Example" }).selectOption("A schema of a real MCP server"),
  ],
  "the recorded scenes": [
    /scenes/,
    (page) => page.getByRole("heading", { name: "Guardrails and sessions" }).click(),
  ],
  "a tool in zod": [
    /zod-mode/,
    async (page) => {
      await page.getByRole("combobox", { name: "Written in" }).selectOption("zod");
      await page.getByRole("status").filter({ hasText: "Standard Schema" }).waitFor();
    },
  ],
  "the search": [
    /localSearchIndex/,
    async (page) => {
      await page.getByRole("button", { name: "Search" }).first().click();
      await page.getByRole("searchbox").fill("escalation");
      await page.getByRole("listbox").getByRole("option").first().waitFor();
    },
  ],
};

/** Opens the playground on a page that has loaded nothing, and makes it load everything. */
export async function weighPlayground(page: Page): Promise<Weight> {
  const loaded = watchTransfers(page);
  // The first message is part of the page; the engine takes its place.
  await page.goto("/playground/");
  await page.locator("[role=status][aria-busy=false]").waitFor();
  await page.waitForLoadState("networkidle");
  const first = await loaded();
  const later: [string, readonly Transfer[]][] = [];
  for (const [cause, [file, ask]] of Object.entries(CAUSES)) {
    const needed = page.waitForResponse(file);
    await ask(page);
    await needed;
    later.push([cause, await loaded()]);
  }
  return { first, later };
}
