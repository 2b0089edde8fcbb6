import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { terminalSvg } from "./terminal-svg.ts";

test("lines appear at their time, wrapped, and hold no markup", () => {
  const svg = terminalSvg(
    [
      { at: 0, text: "$ agent <b>", kind: "command" },
      { at: 1_500, text: `one\u001B ${"word ".repeat(30)}`, kind: "note" },
    ],
    "A run & its end",
  );
  expect(svg).toContain("<title>A run &amp; its end</title>");
  expect(svg).toContain("$ agent &lt;b&gt;");
  expect(svg.match(/animation-delay:1\.50s/g)).toHaveLength(2);
  expect(svg).not.toContain("\u001B");
});

test("the recording in the README ends in under a minute, with a report", () => {
  const svg = readFileSync(new URL("../../recording.svg", import.meta.url), "utf8");
  const delays = [...svg.matchAll(/animation-delay:([\d.]+)s/g)].map(([, delay]) => Number(delay));
  expect(Math.max(...delays)).toBeLessThan(60);
  for (const words of [
    "large: nothing of an answer came within 1500 ms; trying medium",
    "medium: 429 too many requests; trying small",
    "cut off at its length limit",
    "# The week",
    "exit code 0",
  ]) {
    expect(svg).toContain(words);
  }
});
