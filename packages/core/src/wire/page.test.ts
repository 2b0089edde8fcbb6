import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { WIRE_NAMES, WIRE_ROWS, type WireName } from "../testing/wire-rows.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const PAGE = read("docs/your-own-loop.md");

/** The cells of each row of the page's tables, as they are read. */
const cells = PAGE.split("\n").flatMap((line) =>
  line.startsWith("|")
    ? [
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      ]
    : [],
);

test("the page shows what each API is tried with, row by row", () => {
  const shown = cells.filter(([title = ""]) => Object.hasOwn(WIRE_ROWS, title));
  const rows = Object.entries<readonly WireName[]>(WIRE_ROWS).map(([title, names]) => [
    title,
    ...WIRE_NAMES.map((name) => (names.includes(name) ? "✓" : "")),
  ]);
  expect(shown).toEqual(rows);
});

test("the page shows the size of each API, as it is held by the gate", () => {
  const { "size-limit": limits } = JSON.parse(read("package.json")) as {
    readonly "size-limit": readonly { readonly name: string; readonly limit: string }[];
  };
  const held = limits.flatMap(({ name, limit }) => {
    const [, api] = /one API: (\w+)$/.exec(name) ?? [];
    return api === undefined ? [] : [[api, limit]];
  });
  const shown = cells.flatMap(([, name = "", , , size]) => {
    return size === undefined || !/^`\w+`$/.test(name) ? [] : [[name.slice(1, -1), `${size} kB`]];
  });
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(held));
});
