import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";

describe("what the same call gets today", () => {
  test("is what each framework says in this browser, of the call as it is now", async ({
    open,
  }) => {
    const { call, page, write } = await openPlayground(open);
    await page.getByRole("heading", { name: "What the same call gets today" }).click();
    const answers = page.getByRole("article");
    const said = async (): Promise<string> => (await answers.allInnerTexts()).join("\n\n");
    for (const name of ["AI SDK", "LangChain", "MCP SDK"]) await expect.poll(said).toContain(name);
    await expect.poll(said).toMatch(/content/);
    await expect.poll(said).not.toMatch(/It runs with these arguments[^]*"rome"/);
    await write(call, '{"path": "rome", "content": ""}');
    await expect.poll(said).toMatch(/It runs with these arguments[^]*"rome"/);
  });
});
