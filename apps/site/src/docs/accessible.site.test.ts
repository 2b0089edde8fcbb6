import { isWhole } from "@toolcontract/case-table/whole";
import { expect } from "vitest";
import { axeViolations } from "../testing/axe-violations.ts";
import { test } from "../testing/browser-test.ts";

/** The first page has a layout of its own; all others share one. */
const LAYOUTS = ["/", "/docs/getting-started.html"];
const MORE = ["/docs/", "/docs/benchmarks.html", "/packages/core/"];
const PAGES = isWhole ? [...LAYOUTS, ...MORE] : LAYOUTS;

test.for(PAGES)("%s is accessible in both themes", async (path, { open }) => {
  const page = await open(path);
  await expect.poll(() => page.getByRole("main").count()).toBe(1);
  expect(await axeViolations(page)).toEqual([]);
});
