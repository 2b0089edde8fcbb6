import { describe, expect } from "vitest";
import { axeViolations } from "../testing/axe-violations.ts";
import { test } from "../testing/browser-test.ts";

const PAGES = [
  "/",
  "/docs/",
  "/docs/getting-started.html",
  "/docs/benchmarks.html",
  "/packages/core/",
];

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.for(PAGES)("%s is accessible", async (path, { open }) => {
    const page = await open(path, { colorScheme });
    await expect.poll(() => page.getByRole("main").count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
  });
});
