import { describe, expect, inject } from "vitest";
import { test } from "../../testing/browser-test.ts";

const PART = /\/assets\/chunks\/(?!theme|framework|metadata)[^/]*\.js$/;

describe("before the playground has loaded, the page has the first message", () => {
  test("and that it needs JavaScript, without it", async ({ open }) => {
    const page = await open("/playground/", { javaScriptEnabled: false });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Playground");
    const words = await page.getByRole("main").innerText();
    expect(words).toContain("A model gets a call slightly wrong.");
    expect(words).toContain("needs JavaScript");
    expect(words).toContain("• /encoding (VAL-008)");
  });

  // Without the fixture: what is tested is an error.
  test("and that it could not be loaded, without its parts", async ({ browser }) => {
    const context = await browser.newContext({ baseURL: inject("site").origin });
    await context.route(PART, (route) => route.abort());
    const page = await context.newPage();
    await page.goto("/playground/");
    await page.getByText("The playground could not be loaded.").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Playground");
    await context.close();
  });
});
