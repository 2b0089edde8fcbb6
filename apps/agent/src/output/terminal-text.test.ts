import { expect, test } from "vitest";
import { terminalStream, terminalText } from "./terminal-text.ts";

const SEQUENCES = [
  ["a cursor that moves", "\u001b[2J"],
  ["a colour", "\u001b[31m"],
  ["a title", "\u001b]0;owned\u0007"],
  ["a clipboard", "\u001b]52;c;ZXZpbA==\u001b\\"],
  ["a link", "\u001b]8;;https://example.org\u001b\\"],
  ["one of C1", "\u009b2J"],
  ["a device's string", "\u0090q#0\u009c"],
  ["a bell", "\u0007"],
] as const;

test.each(SEQUENCES)("%s is taken out, whatever pieces it comes in", (_, sequence) => {
  const text = `before ${sequence}after\n`;
  expect(terminalText(text)).toBe("before after\n");
  for (const size of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const clean = terminalStream();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(pieces.map((piece) => clean(piece)).join("")).toBe("before after\n");
  }
});

test("a sequence without end hides no more than a terminal would wait for", () => {
  const clean = terminalStream();
  expect(clean(`\u001b]0;${"x".repeat(10_000)}done`)).toContain("done");
});
