import { expect, test } from "vitest";
import { ProviderError, RunOver, ToolFailed, TurnFailed } from "./errors.ts";

const cause = new Error("refused");

test.each([
  [
    "ProviderError",
    new ProviderError("network", "no answer", { cause, notice: "again" }),
    { message: "no answer", kind: "network", notice: "again", cause },
  ],
  [
    "TurnFailed",
    new TurnFailed("model", "down", { cause, attempts: 3 }),
    { message: "down", kind: "model", attempts: 3, cause },
  ],
  ["RunOver", new RunOver(), { message: "The run has ended: no other turn is left" }],
  [
    "ToolFailed",
    new ToolFailed("(tool failed: busy)", cause),
    { message: "(tool failed: busy)", cause },
  ],
])("a %s says what it is", (name, error, members) => {
  expect(error).toMatchObject({ name, ...members });
});

test("a tool's failure reads as its text alone", () => {
  expect(String(new ToolFailed("(tool failed: busy)"))).toBe("(tool failed: busy)");
});
