import { describe, expect, test } from "vitest";
import { pagePaths } from "./fences.ts";
import { apiReport } from "./api-report.ts";
import {
  isBag,
  isBetweenPackages,
  PACKAGES,
  publicEntries,
  readExports,
} from "./public-surface.ts";

const entries = publicEntries();
const exportsOf = readExports(entries);

describe("the public surface", () => {
  test.each(entries)("TSDoc on all exports of $name and on their members", (entry) => {
    const names = exportsOf(entry);
    expect(names.length).toBeGreaterThan(0);
    const missing = names.flatMap(({ undocumented }) => undocumented);
    // Only our packages read the members of facts and of what compiles them.
    const hasFacts = /\/(?:explain|config)\//.test(entry.name) && isBetweenPackages(entry);
    expect(hasFacts ? missing.filter((name) => !name.includes(".")) : missing).toEqual([]);
  });

  test.each(entries.filter((entry) => !isBetweenPackages(entry)))(
    "each function and each bag of options of $name names its page",
    (entry) => {
      const pages = new Set(pagePaths());
      const missing = exportsOf(entry).filter(
        (one) => (one.isFunction || isBag(one.name)) && !one.pages.some((page) => pages.has(page)),
      );
      expect(missing.map(({ name }) => name)).toEqual([]);
    },
  );

  test.each(entries.filter((entry) => !isBetweenPackages(entry)))(
    "each value of $name has an example on hover, and so has each bag of options",
    (entry) => {
      const missing = exportsOf(entry).filter(
        ({ name, signatures, examples }) =>
          (signatures.length > 0 || isBag(name)) && examples.length === 0,
      );
      expect(missing.map(({ name }) => name)).toEqual([]);
    },
  );

  test.each(entries.filter((entry) => !isBetweenPackages(entry)))(
    "defaults of $name are in a tag that editors show, not in the prose",
    (entry) => {
      const inProse = exportsOf(entry).flatMap(({ proseDefaults }) => proseDefaults);
      expect(inProse).toEqual([]);
    },
  );

  test.each(entries.filter((entry) => !isBetweenPackages(entry)))(
    "numbers, flags and choices in the options of $name show their default",
    (entry) => {
      const undefaulted = exportsOf(entry).flatMap((one) => one.undefaulted);
      // What a case of the table leaves out is the host's.
      const own = undefaulted.filter((name) => !name.startsWith("CaseOptions."));
      expect(own).toEqual([]);
    },
  );

  // A change here is a change for users: from 0.1.0 on it needs a changeset.
  test.each(PACKAGES)("docs/api/%s.md has what it exports", async (folder) => {
    await expect(apiReport(folder, exportsOf)).toMatchFileSnapshot(`api/${folder}.md`);
  });
});
