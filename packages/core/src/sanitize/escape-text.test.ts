import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeText, quoteText } from "./escape-text.ts";
import { quoteName } from "./quote-name.ts";

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

  test("leaves no character that breaks a line or hides, and quoted text can be read back", () => {
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
