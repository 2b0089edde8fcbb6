import { expect, test } from "vitest";
import { callOrderSvg } from "./call-order.ts";
import { readPage } from "./fences.ts";

test("the drawing is what its steps give; `vitest run docs/call-order.test.ts -u` draws it", async () => {
  await expect(callOrderSvg()).toMatchFileSnapshot("call-order.svg");
});

test("the page shows it, and says in words what it shows", () => {
  const [, alt = ""] =
    /!\[([^\]]+)\]\(call-order\.svg\)/.exec(readPage("docs/guardrails.md")) ?? [];
  const steps = [...callOrderSvg().matchAll(/middle">([^<]+)</g)].map(([, text = ""]) => text);
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.filter((step) => !alt.includes(step))).toEqual([]);
});
