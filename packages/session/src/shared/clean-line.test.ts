import { expect, test } from "vitest";
import { cleanLine } from "./index.ts";

test.each([
  ["DB down", "DB down"],
  ["  two\r\n  lines\u2028and a tab\t. ", "two lines and a tab ."],
  ["", ""],
  ["password=hunter2 in /home/bob/app/x.ts", "password=[redacted] in ~/app/x.ts"],
  ["connect postgres://u:pw@host/db", "connect postgres://u:[redacted]@host/db"],
  ["bell\u0007 and \ud83d", "bell\\u0007 and \\ud83d"],
])("%j is shown as %j", (text, shown) => {
  expect(cleanLine(text)).toBe(shown);
});

test("a long message ends in an ellipsis after 300 characters", () => {
  expect(cleanLine("x".repeat(1_000_000))).toBe(`${"x".repeat(297)}...`);
});
