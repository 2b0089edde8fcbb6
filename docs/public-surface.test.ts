import { describe, expect, test } from "vitest";
import { publicEntries, readExports } from "./public-surface.ts";

const entries = publicEntries();
const exportsOf = readExports(entries);

describe("the public surface", () => {
  test.each(entries)("TSDoc on all exports of $name and on their members", (entry) => {
    const names = exportsOf(entry);
    expect(names.length).toBeGreaterThan(0);
    expect(names.flatMap(({ undocumented }) => undocumented)).toEqual([]);
  });

  // A change here is a change for users: it needs a changeset.
  test.each(entries)("$name exports these names, types included", (entry) => {
    expect(exportsOf(entry).map(({ name }) => name)).toMatchSnapshot();
  });
});
