import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  repositoryAddress,
  testsBadge,
  withAddress,
  withBadges,
  withWholeLinks,
} from "./address.ts";

const ADDRESS = "https://github.com/someone/something";

test("a manifest names the repository, its page and its issues", () => {
  const manifest = '{"name":"a","repository":{"type":"git","directory":"packages/a"}}';
  expect(JSON.parse(withAddress(manifest, ADDRESS, "packages/a"))).toEqual({
    name: "a",
    repository: { type: "git", url: `git+${ADDRESS}.git`, directory: "packages/a" },
    homepage: `${ADDRESS}/tree/main/packages/a#readme`,
    bugs: `${ADDRESS}/issues`,
  });
});

test("badges are below the title", () => {
  expect(withBadges("# a\n\nText.\n# b\n", ["[one]", "[two]"])).toBe(
    "# a\n\n[one]\n[two]\n\nText.\n# b\n",
  );
});

// While the repository has no address, a badge would show nothing true.
test("the first page has the badge of the tests if the repository has an address, and else none", () => {
  const root = resolve(import.meta.dirname, "../..");
  const readme = readFileSync(resolve(root, "README.md"), "utf8");
  const address = repositoryAddress(root);
  const badges = address === undefined ? [] : [testsBadge(address)];
  expect(readme.match(/^\[!\[.*\n/gm)?.map((line) => line.trim()) ?? []).toEqual(badges);
});

describe("links of a README", () => {
  test.each([
    ["[a](../../docs/x.md#y)", `[a](${ADDRESS}/blob/main/docs/x.md#y)`],
    ["[`a`](../b/README.md)", `[\`a\`](${ADDRESS}/blob/main/packages/b/README.md)`],
    ["![a](recording.svg)", `![a](${ADDRESS}/raw/main/packages/a/recording.svg)`],
    ["[a](#options)", "[a](#options)"],
    ["[a](https://example.com/b)", "[a](https://example.com/b)"],
    ["a [1] (b)", "a [1] (b)"],
  ])("%s", (link, whole) => {
    expect(withWholeLinks(link, ADDRESS, "packages/a")).toBe(whole);
  });
});
