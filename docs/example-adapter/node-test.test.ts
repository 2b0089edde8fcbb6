import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isWhole } from "@toolcontract/case-table/whole";
import { expect, test } from "vitest";

test("the table and the cases of a store pass in node:test too", () => {
  // A runner within a runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const names = isWhole ? ["conformance", "store"] : ["store"];
  const files = names.map((name) => `${name}.node-test.ts`);
  const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...files], {
    encoding: "utf8",
    env,
    cwd: import.meta.dirname,
  });
  expect(stdout).toContain("ℹ fail 0");
  expect(stdout).toContain("a store on a map");
  expect(Number(/ℹ pass (\d+)/.exec(stdout)?.[1])).toBeGreaterThan(isWhole ? 220 : 20);
});

test("the example imports only what is published, so that it can be anywhere", () => {
  const manifests = globSync("packages/*/package.json", {
    cwd: join(import.meta.dirname, "../.."),
  });
  const published = manifests.flatMap((path) => {
    const { name, exports = {} } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../..", path), "utf8"),
    ) as { readonly name: string; readonly exports?: Readonly<Record<string, unknown>> };
    return Object.keys(exports).map((entry) => name + entry.slice(1));
  });
  const files = globSync("*.ts", { cwd: import.meta.dirname }).filter(
    (name) => name !== "node-test.test.ts",
  );
  const imported = files.flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    return [...text.matchAll(/ from "([^"]+)"/g)].map(([, from = ""]) => from);
  });
  const foreign = imported.filter((from) => !/^(?:\.\/|node:|vitest$)/.test(from));
  expect(foreign.length).toBeGreaterThan(5);
  expect(foreign.filter((from) => !published.includes(from))).toEqual([]);
});
