import { describe, expect, test } from "vitest";
import { countCharacters, cutText } from "./cut-text.ts";
import { escapeText } from "./escape-text.ts";

const cut = (text: string, graphemes: number, units = graphemes * 20): string =>
  cutText(text, { graphemes, units, escape: escapeText }).text;

const FAMILY = "👨‍👩‍👧‍👦";
const FLAG = "🇨🇦";

describe("cutting", () => {
  test.for([
    ["a text that just fits", "abcdef", 6, "abcdef"],
    ["a text that is one letter too long", "abcdefg", 6, "abc..."],
    ["flags, between them", FLAG.repeat(7), 6, `${FLAG.repeat(3)}...`],
    ["flags that fit", FLAG.repeat(6), 6, FLAG.repeat(6)],
    ["families, between them", FAMILY.repeat(7), 6, `${escapeText(FAMILY.repeat(3))}...`],
    ["combining marks, with their letters", "e\u0301".repeat(7), 6, `${"e\u0301".repeat(3)}...`],
    [
      "Hangul syllables in parts",
      "\u1112\u1161\u11ab".repeat(7),
      6,
      `${"\u1112\u1161\u11ab".repeat(3)}...`,
    ],
    ["Devanagari clusters", "नि".repeat(7), 6, `${"नि".repeat(3)}...`],
    ["skin tones", "👍🏽".repeat(7), 6, `${"👍🏽".repeat(3)}...`],
  ] as const)("cuts %s", ([, text, graphemes, expected]) => {
    expect(cut(text, graphemes)).toBe(expected);
  });

  test("cuts one letter with a million marks between its marks", () => {
    const { text } = cutText(`a${"\u0301".repeat(1_000_000)}`, {
      graphemes: 100,
      units: 200,
      escape: escapeText,
    });
    expect(text).toBe(`a${"\u0301".repeat(196)}...`);
  });

  test("never cuts a pair of surrogates or an escape in half", () => {
    for (let units = 4; units < 40; units += 1) {
      const text = cut("😀\u0000".repeat(20), 100, units);
      expect(text.length).toBeLessThanOrEqual(units);
      expect(text).toMatch(/^(?:😀|\\u0000)*\.\.\.$/u);
    }
  });

  test("takes no letter from its marks where the units end", () => {
    expect(cut("abcdefe\u0301\u0301\u0301zzz", 100, 10)).toBe("abcdef...");
  });

  test("says that a text was cut where only its beginning is known", () => {
    expect(cutText("abc", { graphemes: 9, units: 9, clipped: true, escape: escapeText })).toEqual({
      text: "abc...",
      cut: true,
    });
  });
});

test.for([
  ["", "0 characters"],
  ["abc", "3 characters"],
  ["😀😀", "2 characters"],
  ["\ud83d\ud83d", "2 characters"],
  ["x".repeat(1_000_000), "1000000 characters"],
  ["x".repeat(1_500_000), "1500000 characters"],
  ["x".repeat(20_000_001), "over 20000000 characters"],
] as const)("counts code points", ([text, expected]) => {
  expect(countCharacters(text)).toBe(expected);
});
