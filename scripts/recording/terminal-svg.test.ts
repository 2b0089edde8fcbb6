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

test("the recording of the demo has both answers and the corrected call", () => {
  const svg = readFileSync(new URL("../../apps/demo/recording.svg", import.meta.url), "utf8");
  for (const words of [
    "AI_InvalidToolInputError",
    "Actual: [redacted]",
    "Booked 2 seats from LIS to AMS",
  ]) {
    expect(svg).toContain(words);
  }
});
