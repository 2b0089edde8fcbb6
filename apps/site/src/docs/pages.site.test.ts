import { describe, expect } from "vitest";
import { test } from "../testing/browser-test.ts";

describe("a page opens without a fault", () => {
  test.for([
    "/",
    "/playground/",
    "/docs/",
    "/docs/faq.html",
    "/docs/benchmarks.html",
    "/packages/core/",
  ])("%s", async (path, { open }) => {
    const page = await open(path);
    await expect.poll(() => page.title()).toContain("Toolcontract");
  });
});
