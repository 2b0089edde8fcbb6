import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const read = (path: string): string =>
  readFileSync(resolve(import.meta.dirname, "..", path), "utf8");

test("installing warns of no tool that the Node of the scripts can run", () => {
  const checked = /^nodeVersion: (.+)$/m.exec(read("pnpm-workspace.yaml"))?.[1];
  const installed = /^ {2}node@(\d+\.\d+\.\d+):$/m.exec(read("pnpm-lock.yaml"))?.[1];
  expect(checked).toBe(installed);
});
