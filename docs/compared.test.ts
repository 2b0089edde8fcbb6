import { expect, test } from "vitest";
import { comparedTables, withTables } from "./compared.ts";
import { readPage } from "./fences.ts";

const PAGE = "docs/compared.md";

test("the tables have what the kit and the benchmarks found; `vitest run docs/compared.test.ts -u` writes them", async () => {
  await expect(withTables(readPage(PAGE), comparedTables())).toMatchFileSnapshot("compared.md");
});

test("each clause of the kit and each framework is in them", () => {
  const { clauses, messages } = comparedTables();
  expect(clauses.split("\n").length).toBeGreaterThan(20);
  expect(clauses).toMatch(/^\| A bad call never ends the run.*\| yes +\| yes +\| no, \d+ /m);
  expect(messages).toMatch(/^\| MCP SDK v2 McpServer +\| JSON Schema +\| 0\.0 % /m);
});
