import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FILE = fileURLToPath(new URL("conformance.node-test.ts", import.meta.url));

test("the table passes in node:test too", () => {
  // A runner within a runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=spec", FILE], {
    encoding: "utf8",
    env,
  });
  expect(stdout).toContain("ℹ fail 0");
  expect(Number(/ℹ pass (\d+)/.exec(stdout)?.[1])).toBeGreaterThan(200);
});
