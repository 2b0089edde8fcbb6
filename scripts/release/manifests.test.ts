import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

test("no manifest asks for provenance: the workflow does, where npm can make it", () => {
  const manifests = globSync("{packages,apps}/*/package.json", { cwd: ROOT });
  const asking = manifests.filter((path) => {
    const { publishConfig } = JSON.parse(readFileSync(resolve(ROOT, path), "utf8")) as {
      readonly publishConfig?: { readonly provenance?: boolean };
    };
    return publishConfig?.provenance !== undefined;
  });
  expect(manifests.length).toBeGreaterThan(10);
  expect(asking).toEqual([]);
});
