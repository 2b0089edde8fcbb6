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

describe("of a long text, the beginning and the end are kept", () => {
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n} of a log, with é€😀\n`).join("");
  const mark = /\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n/;

  test("with a mark that says how much is missing", () => {
    const { text, kept, size } = truncateText(lines, 1_000);
    const body = text.slice(notice(size, 1_000).length);
    const [head = "", left, tail = ""] = body.split(mark);
    expect(lines.startsWith(head)).toBe(true);
    expect(lines.endsWith(tail)).toBe(true);
    expect(bytes(head)).toBeGreaterThan(bytes(tail));
    expect(bytes(head) + bytes(tail)).toBe(kept);
    expect(Number(left)).toBe(size - kept);
    expect(tail).toContain("line 399");
  });

  test("of several texts, the first and the last", () => {
    const { texts } = truncateTexts([lines, "in between", lines], 1_000);
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain("line 0 of");
    expect(texts[1]).toBe("");
    expect(texts[2]).toMatch(/line 399 of a log, with é€😀\n$/);
  });

  test.each([
    ["if it is asked for", 1_000, "head" as const],
    ["below 256 bytes", 255, "head-and-tail" as const],
  ])("the beginning alone, %s", (_, max, keep) => {
    const { text, size } = truncateText(lines, max, keep);
    expect(lines.startsWith(text.slice(notice(size, max).length))).toBe(true);
  });

  test("never more than the limit, never half a character", () => {
    const texts = fc.array(fc.string({ unit: "binary", minLength: 100, maxLength: 400 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 256, max: 1_500 }), (given, max) => {
        const cut = truncateTexts(given, max);
        expect(cut.kept).toBeLessThanOrEqual(max);
        if (!cut.isTruncated) return;
        const all = given.join("");
        const shown = cut.texts.join("").slice(notice(cut.size, max).length);
        const at = shown.lastIndexOf(`\n[... ${cut.size - cut.kept} bytes left out ...]\n`);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(all.startsWith(shown.slice(0, at))).toBe(true);
        const tail = shown.slice(at).replace(mark, "");
        expect(all.endsWith(tail)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
