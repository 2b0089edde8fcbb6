import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { entryNaming } from "./entry-names.ts";

// Replicas of different versions share their entries, so a key must never change.
test("an entry is named by half of the SHA-256 of its key", () => {
  const { nameOf } = entryNaming("redisStore", {});
  expect(nameOf('["chat-1","read_file"]')).toBe("toolcontract:1:6de0eef31d6d02412fcc77bf07859adf");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (key) => {
      const digest = createHash("sha256").update(key).digest("hex");
      expect(nameOf(key)).toBe(`toolcontract:1:${digest.slice(0, 32)}`);
    }),
  );
});

test.each([
  [undefined, 3_600_000],
  [1, 1],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
])("of the idle time %j, entries are kept for %d ms", (given, kept) => {
  const options = given === undefined ? {} : { idleTime: given };
  expect(entryNaming("redisStore", options).idleTime).toBe(kept);
});
