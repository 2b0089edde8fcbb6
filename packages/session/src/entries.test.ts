import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

/** Every source file that an entry loads; types load nothing. */
function loadedBy(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, "utf8");
  for (const [, types, path = ""] of source.matchAll(
    /^(?:import|export) (type )?[^;]*? from "(\.[^"]+)";/gm,
  )) {
    if (types === undefined) loadedBy(resolve(dirname(file), path), seen);
  }
  return seen;
}

const root = import.meta.dirname;

test.each(["index.ts", "adapter.ts", "tools.ts"])("%s loads nothing of XML", (entry) => {
  const loaded = [...loadedBy(join(root, entry))];
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.filter((file) => file.startsWith(join(root, "xml/")))).toEqual([]);
});

test("xml.ts loads no run", () => {
  const loaded = [...loadedBy(join(root, "xml.ts"))];
  expect(loaded).toContain(join(root, "xml/scanner.ts"));
  expect(loaded.filter((file) => file.startsWith(join(root, "run/")))).toEqual([]);
});
