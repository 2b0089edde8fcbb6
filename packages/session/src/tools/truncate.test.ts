import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { truncateText, truncateTexts } from "./index.ts";

const bytes = (text: string): number => Buffer.byteLength(text);
const notice = (size: number, limit: number): string =>
  `[TRUNCATED] Original size ${size} bytes; truncated to ${limit} bytes.\n`;

test.each([
  ["ascii", "hello world", 5, "hello"],
  ["inside é", "aé", 2, "a"],
  ["inside €", "a€b", 3, "a"],
  ["inside 😀", "😀😀", 7, "😀"],
  ["a limit smaller than one character", "😀", 3, ""],
  ["nothing may stay", "a", 0, ""],
  ["a lone high surrogate, three bytes for an encoder", "a\ud83db", 4, "a\ud83d"],
  ["a lone high surrogate that does not fit", "a\ud83db", 3, "a"],
  ["a lone low surrogate", "\ude00x", 3, "\ude00"],
])("%s: %j to %i bytes", (_, text, max, kept) => {
  expect(truncateText(text, max)).toEqual({
    text: notice(bytes(text), max) + kept,
    size: bytes(text),
    kept: bytes(kept),
    isTruncated: true,
  });
});

test.each([
  ["", 0],
  ["", 10],
  ["é€😀", 9],
  ["a\ud83d", 4],
])("%j fits into %i bytes and stays as it is", (text, max) => {
  const size = bytes(text);
  expect(truncateText(text, max)).toEqual({ text, size, kept: size, isTruncated: false });
});

test("3600 bytes of é€😀 at a limit of 101", () => {
  const text = "é€😀".repeat(400);
  const cut = truncateText(text, 101);
  expect(cut.text).toBe(
    `[TRUNCATED] Original size 3600 bytes; truncated to 101 bytes.\n${"é€😀".repeat(11)}é`,
  );
  expect(cut.kept).toBe(101);
});

describe("at every limit from 0 to the size", () => {
  test.each(["é€😀é€😀", "😀😀", "\ud83d😀\ude00é\ud83d\ud83d", "a\u0301\u200d👩‍👩‍👧"])(
    "%j",
    (text) => {
      const size = bytes(text);
      for (let max = 0; max < size; max += 1) {
        const cut = truncateText(text, max);
        expect(cut.text.startsWith(notice(size, max))).toBe(true);
        const kept = cut.text.slice(notice(size, max).length);
        expect(text.startsWith(kept)).toBe(true);
        expect(bytes(kept)).toBe(cut.kept);
        expect(cut.kept).toBeLessThanOrEqual(max);
        // No character is cut, and none more would have fitted.
        const [following = ""] = text.slice(kept.length);
        expect(cut.kept + bytes(following)).toBeGreaterThan(max);
        expect(Array.from(text).slice(0, Array.from(kept).length).join("")).toBe(kept);
      }
      expect(truncateText(text, size)).toMatchObject({ text, isTruncated: false });
    },
  );
});

test.each([
  ["the second part is cut", ["ab", "cdé", "f"], 5, ["ab", "cd", ""]],
  ["the limit ends between two parts", ["ab", "cd"], 2, ["ab", ""]],
  ["later parts never fill what is left", ["a😀", "b"], 3, ["a", ""]],
  ["empty parts stay", ["", "abc", ""], 1, ["", "a", ""]],
])("one limit for several parts: %s", (_, texts, max, kept) => {
  const size = bytes(texts.join(""));
  const [first = "", ...rest] = kept;
  expect(truncateTexts(texts, max)).toEqual({
    texts: [notice(size, max) + first, ...rest],
    size,
    kept: bytes(kept.join("")),
    isTruncated: true,
  });
});

test("no parts", () => {
  expect(truncateTexts([], 0)).toEqual({ texts: [], size: 0, kept: 0, isTruncated: false });
});

test("any strings: what is kept is a beginning of them, within the limit", () => {
  const anyText = fc.string({
    unit: fc.constantFrom("a", "é", "€", "😀", "\ud83d", "\ude00", "\n"),
  });
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 4 }), fc.nat(40), (texts, max) => {
      const size = texts.reduce((sum, text) => sum + bytes(text), 0);
      const cut = truncateTexts(texts, max);
      expect(cut.isTruncated).toBe(size > max);
      const shown = cut.texts.join("");
      const kept = cut.isTruncated ? shown.slice(notice(size, max).length) : shown;
      expect(shown).toBe((cut.isTruncated ? notice(size, max) : "") + kept);
      expect(texts.join("").startsWith(kept)).toBe(true);
      expect(cut.kept).toBeLessThanOrEqual(Math.max(max, 0));
      expect(cut.texts).toHaveLength(texts.length);
    }),
  );
});

test.each([-1, 1.5, Number.NaN, "10"])("a limit of %j throws at once", (max) => {
  expect(() => truncateText("a", max as number)).toThrow("must be a whole number of bytes");
});
