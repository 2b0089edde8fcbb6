import { resolve } from "node:path";
import { isWhole } from "@toolcontract/case-table/whole";
import { expect, test } from "vitest";
import { runNode } from "./cold/run-node.ts";

// It starts processes that load whole frameworks.
test.runIf(isWhole)("counts the files of each package that one call runs through", async () => {
  const printed = await runNode([resolve(import.meta.dirname, "hops.ts")], import.meta.dirname);
  const [head = "", ...rows] = printed.trim().split("\n");
  expect(head).toMatch(/core +explain +ai-sdk +langchain +all$/);
  const counts = rows.map((row) => row.split(/\s+/).slice(-5).map(Number));
  expect(counts).toHaveLength(6);
  for (const [core = 0, explain = 0, aiSdk = 0, langchain = 0, all] of counts) {
    expect(core).toBeGreaterThan(0);
    expect(all).toBe(core + explain + aiSdk + langchain);
  }
  const [first, , valid] = counts.map(([core = 0, explain = 0]) => core + explain);
  expect(valid).toBeLessThan(first ?? 0);
});
