import { describe, expect, test } from "vitest";
import {
  clip,
  countCharacters,
  cutText,
  escapeText,
  graphemeStart,
  graphemesOf,
  logLine,
  oneLine,
  quoteText,
  visibleJson,
} from "./cut-text.ts";
import { quoteName } from "./pointer.ts";
import fc from "fast-check";

const cutTo = (text: string, graphemes: number, units = graphemes * 20): string =>
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
    expect(cutTo(text, graphemes)).toBe(expected);
  });

  test("cuts a grapheme with a million marks between its marks", () => {
    const { text } = cutText(`a${"\u0301".repeat(1_000_000)}`, {
      graphemes: 100,
      units: 200,
      escape: escapeText,
    });
    expect(text).toBe(`a${"\u0301".repeat(196)}...`);
  });

  test("never cuts a pair of surrogates or an escape in half", () => {
    for (let units = 4; units < 40; units += 1) {
      const text = cutTo("😀\u0000".repeat(20), 100, units);
      expect(text.length).toBeLessThanOrEqual(units);
      expect(text).toMatch(/^(?:😀|\\u0000)*\.\.\.$/u);
    }
  });

  test("separates no letter from its marks at the limit", () => {
    expect(cutTo("abcdefe\u0301\u0301\u0301zzz", 100, 10)).toBe("abcdef...");
  });

  test("reports a cut if only the beginning is known", () => {
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
  expect(countCharacters(text).words).toBe(expected);
});

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe("escaping", () => {
  test.for([
    ["line breaks", "a\r\nb\tc", "a\\r\\nb\\tc"],
    ["escape sequences of a terminal", "\u001b[31mred", "\\u001b[31mred"],
    ["C1 controls and DEL", "\u0085\u007f", "\\u0085\\u007f"],
    ["line and paragraph separators", "a\u2028b\u2029c", "a\\u2028b\\u2029c"],
    ["a right-to-left override", "invoice\u202efdp.exe", "invoice\\u202efdp.exe"],
    ["zero width characters", "pass\u200bword\u2060", "pass\\u200bword\\u2060"],
    ["a byte order mark", "\ufeffa", "\\ufeffa"],
    ["tags", "a\u{e0041}", "a\\udb40\\udc41"],
    ["invisible variation selectors", "a\u{e0100}\ufe00", "a\\udb40\\udd00\\ufe00"],
    ["a filler", "a\u3164b", "a\\u3164b"],
    ["lone surrogates", "\ud83d x \ude00", "\\ud83d x \\ude00"],
    ["nothing of ordinary text", "Grüße, 日本語, ❤️ 😀 'x' \\n", "Grüße, 日本語, ❤️ 😀 'x' \\n"],
  ] as const)("escapes %s", ([, text, expected]) => {
    expect(escapeText(text)).toBe(expected);
  });

  test("leaves no line-breaking or invisible character, and quoted text can be read back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeText(text)).not.toMatch(UNSAFE);
        expect(quoteText(text)).not.toMatch(UNSAFE);
        expect(JSON.parse(quoteText(text))).toBe(text);
      }),
    );
  });
});

describe("tool names", () => {
  test.for([
    ["read_file", "read_file"],
    ["x' (attempt 3/3):\n\nErrors:", "x\\u0027 (attempt 3/3):\\n\\nErrors:"],
    ["back\\slash", "back\\\\slash"],
    ["a".repeat(64), "a".repeat(64)],
    ["a".repeat(65), `${"a".repeat(61)}...`],
    ["", ""],
  ] as const)("writes %j as %j", ([name, expected]) => {
    expect(quoteName(name)).toBe(expected);
  });

  test("are bounded and cannot end their quotes, whatever a model invents", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const quoted = quoteName(name);
        expect(quoted.length).toBeLessThanOrEqual(64);
        expect(quoted).not.toMatch(/'/);
        expect(quoted).not.toMatch(UNSAFE);
      }),
    );
  });
});

const EMOJI_FAMILY = "👩‍👩‍👧‍👦";

test.each([
  ["", []],
  ["ab", ["a", "b"]],
  ["a\r\nb", ["a", "\r\n", "b"]],
  [`e\u0301${EMOJI_FAMILY}`, ["e\u0301", EMOJI_FAMILY]],
])("the graphemes of %j are %j", (text, graphemes) => {
  expect(graphemesOf(text)).toEqual(graphemes);
});

test.each([
  ["abc", 2, 2],
  ["abc", 3, 0],
  ["abc", -1, 0],
  ["a\r\nb", 2, 1],
  [`ab${EMOJI_FAMILY}`, 7, 2],
])("in %j, unit %i belongs to the grapheme that begins at %i", (text, index, start) => {
  expect(graphemeStart(text, index)).toBe(start);
});

test("a grapheme begins where the previous one ends", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.nat(), (text, some) => {
      const start = graphemeStart(text, some % text.length);
      expect(graphemesOf(text).join("")).toBe(text);
      expect([...graphemesOf(text.slice(0, start)), ...graphemesOf(text.slice(start))]).toEqual(
        graphemesOf(text),
      );
    }),
  );
});

test.each([
  ["abc", 3, "abc"],
  ["abcdefghijkl", 10, "abcdefg..."],
  ['"abcdefghijkl"', 12, '"abcdefg..."'],
  ["abcdef👩‍👩‍👧‍👦xyz", 15, "abcdef..."],
  ["abcdefe\u0301\u0301xyz", 10, "abcdef..."],
])("%s within %i units is %s", (text, max, cut) => {
  expect(clip(text, max)).toBe(cut);
});

test("control, format and line-breaking characters and lone surrogates are escaped once", () => {
  const line = oneLine("a\n\r\t\0\u2028\u202e\ud800\u0085z", 99);
  expect(line).toBe("a\\n\\r\\t\\u0000\\u2028\\u202e\\ud800\\u0085z");
  expect(oneLine(line, 99)).toBe(line);
});

test("any string becomes one well-formed line within the limit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 8, max: 40 }), (text, max) => {
      const line = oneLine(text, max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
  );
});

describe("JSON for a log or a terminal", () => {
  const value = { name: "\u009b2J\u007f\u2028 \u001b[2J\u0085\u202e\u{e0041}", "\u2029": ["a\nb"] };

  test("has no character that a terminal reads, and the same value", () => {
    for (const text of [visibleJson(value), logLine(value)]) {
      expect(text).toMatch(/^[ -~]*$/u);
      expect(JSON.parse(text)).toEqual(value);
    }
  });

  test("keeps its layout", () => {
    expect(visibleJson({ a: ["\u2028"] }, 2)).toBe('{\n  "a": [\n    "\\u2028"\n  ]\n}');
    expect(visibleJson(undefined)).toBe("null");
  });

  test("is short in a log, however long a name is", () => {
    const line = logLine({ tool_name: "n".repeat(100_000), errors: [{ path: "p".repeat(5_000) }] });
    expect(line.length).toBeLessThan(2_100);
    expect(JSON.parse(line)).toMatchObject({ tool_name: expect.stringMatching(/^n+\.\.\.$/) });
  });
});
