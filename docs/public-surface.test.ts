import { describe, expect, test } from "vitest";
import { publicEntries, readExports } from "./public-surface.ts";

const entries = publicEntries();
const exportsOf = readExports(entries);

describe("the public surface", () => {
  test.each(entries)("TSDoc on all exports of $name and on their members", (entry) => {
    const names = exportsOf(entry);
    expect(names.length).toBeGreaterThan(0);
    const missing = names.flatMap(({ undocumented }) => undocumented);
    // Only our packages read the members of facts and of what compiles them.
    const isBetweenPackages = /\/(?:explain|config)\/adapter$/.test(entry.name);
    expect(isBetweenPackages ? missing.filter((name) => !name.includes(".")) : missing).toEqual([]);
  });

  // A change here is a change for users: it needs a changeset.
  test.each(entries)("$name exports these names, types included", (entry) => {
    expect(exportsOf(entry).map(({ name }) => name)).toMatchSnapshot();
  });
});
