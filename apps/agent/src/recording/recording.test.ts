import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the recording in the README ends in under a minute, with a report", () => {
  const svg = readFileSync(new URL("../../recording.svg", import.meta.url), "utf8");
  const delays = [...svg.matchAll(/animation-delay:([\d.]+)s/g)].map(([, delay]) => Number(delay));
  expect(Math.max(...delays)).toBeLessThan(60);
  for (const words of [
    "large: nothing of an answer came within 1500 ms; trying medium",
    "medium: 429 too many requests; it asks for 3600 s",
    "318 + 27 tokens",
    "cut off at its length limit",
    "# The week",
    "exit code 0",
  ]) {
    expect(svg).toContain(words);
  }
});
