import { expect, test } from "vitest";
import { TOKEN_PREFIXES } from "../sanitize/token-prefixes.ts";
import { dueSources, TOKEN_SOURCES } from "./token-sources.ts";

test("each kind of token has a row, and each row with a source has the day on which it was read", () => {
  expect(Object.keys(TOKEN_SOURCES)).toEqual(TOKEN_PREFIXES.map(([name]) => name));
  for (const { source, readOn } of Object.values(TOKEN_SOURCES)) {
    expect(source === undefined).toBe(readOn === undefined);
    expect(readOn ?? "2026-01-01").toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

test("what was read more than a year ago, or never, is to be read again", () => {
  const rows = {
    old: { source: "a page", readOn: "2025-11-28" },
    young: { source: "a page", readOn: "2025-11-30" },
    unknown: {},
  };
  expect(dueSources(new Date("2026-11-29"), rows)).toEqual([
    ["old", "2025-11-28"],
    ["unknown", "never"],
  ]);
});
