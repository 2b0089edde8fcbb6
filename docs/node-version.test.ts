import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const read = (path: string): string =>
  readFileSync(resolve(import.meta.dirname, "..", path), "utf8");

test("installing warns of no tool that the Node of the scripts can run", () => {
  const checked = /^nodeVersion: (.+)$/m.exec(read("pnpm-workspace.yaml"))?.[1];
  const installed = /^ {2}node@(\d+\.\d+\.\d+):$/m.exec(read("pnpm-lock.yaml"))?.[1];
  expect(checked).toBe(installed);
});

test("the page of runtimes has each package with the oldest Node that it says", () => {
  const rows = read("docs/running-on-the-edge.md").matchAll(/^\| `([\w-]+)`[^|]*\| ([\d.]+) +\|/gm);
  const shown = [...rows].map(([, name, from]) => [`@toolcontract/${name}`, `>=${from}`]);
  const manifests = globSync("{packages/*,apps/agent}/package.json", {
    cwd: resolve(import.meta.dirname, ".."),
  }).map((path) => JSON.parse(read(path)) as { name: string; engines: { node: string } });
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(manifests.map(({ name, engines }) => [name, engines.node])),
  );
});
