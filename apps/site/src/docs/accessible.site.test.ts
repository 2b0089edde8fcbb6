import { expect } from "vitest";
import { axeViolations } from "../testing/axe-violations.ts";
import { test } from "../testing/browser-test.ts";

const PAGES = [
  "/",
  "/docs/",
  "/docs/getting-started.html",
  "/docs/benchmarks.html",
  "/packages/core/",
];

test.for(PAGES)("%s is accessible in both themes", async (path, { open }) => {
  const page = await open(path);
  await expect.poll(() => page.getByRole("main").count()).toBe(1);
  expect(await axeViolations(page)).toEqual([]);
});
