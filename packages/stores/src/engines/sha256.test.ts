import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

const reference = (text: string): string => createHash("sha256").update(text).digest("hex");

test.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1_000_003])(
  "is the digest of %i bytes",
  (length) => {
    expect(sha256("a".repeat(length))).toBe(reference("a".repeat(length)));
  },
);

test("is the digest of any string", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(reference(text));
    }),
  );
});
