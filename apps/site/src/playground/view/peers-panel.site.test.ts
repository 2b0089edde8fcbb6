import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";

describe("what the same call gets today", () => {
  test("is what each framework says in this browser, of the call as it is now", async ({
    open,
  }) => {
    const { call, page, write } = await openPlayground(open);
    const answers = page.getByRole("article");
    const said = async (): Promise<string> => (await answers.allInnerTexts()).join("\n\n");
    for (const name of ["LangChain", "MCP SDK", "AI SDK"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect.poll(said).toContain(`${name}, declared in zod`);
      await expect.poll(said).toMatch(/content/);
    }
    // With a JSON Schema the AI SDK runs what it was sent.
    await expect.poll(said).toMatch(/The invalid call runs, with these arguments/);
    expect(await page.locator(".pg-peer.is-wrong").count()).toBe(1);
    await write(call, '{"path": "rome", "content": ""}');
    await expect.poll(said).toMatch(/It runs with these arguments[^]*"rome"/);
    expect(await page.locator(".pg-peer.is-wrong").count()).toBe(0);
  });
});
