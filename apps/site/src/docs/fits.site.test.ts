import { describe, expect } from "vitest";
import { test } from "../testing/browser-test.ts";

const SCREEN = { viewport: { width: 1440, height: 900 } };
const PAGES = [
  "docs/getting-started",
  "docs/your-own-loop",
  "docs/own-loop-streamed",
  "docs/session",
  "docs/guardrails",
  "docs/asking-a-person",
  "docs/stores",
  "docs/operating-the-proxy",
  "packages/ai-sdk/index",
  "packages/mcp/index",
];

describe("programs are seen whole on a screen of 1440 pixels", () => {
  test.for(PAGES)("%s", async (path, { open }) => {
    const page = await open(`/${path}.html`, SCREEN);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".vp-doc pre")]
        .filter((block) => block.scrollWidth > block.clientWidth)
        .map((block) => block.textContent?.slice(0, 80)),
    );
    expect(cut).toEqual([]);
  });
});

test("the column of the contract is seen whole in the comparison", async ({ open }) => {
  const page = await open("/docs/compared.html", SCREEN);
  const head = page.getByRole("columnheader", { name: "with the contract" });
  const { x = 0, width = 0 } = (await head.boundingBox()) ?? {};
  const table = await page.locator(".vp-doc table").first().boundingBox();
  expect(x + width).toBeLessThanOrEqual((table?.x ?? 0) + (table?.width ?? 0));
});

test("the ids of clauses do not break", async ({ open }) => {
  for (const width of [1440, 768]) {
    const page = await open("/docs/conformance.html", { viewport: { width, height: 900 } });
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll(".vp-doc td:first-child > code")]
        .filter((id) => id.getClientRects().length > 1)
        .map((id) => id.textContent),
    );
    expect([width, broken]).toEqual([width, []]);
  }
});
