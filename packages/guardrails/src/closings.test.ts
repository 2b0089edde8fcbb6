import { expect, test } from "vitest";
import { createClosings } from "./closings.ts";

const known = { tool: "pay" };
const unknown = { ...known, knowsRun: false };

test("refusals in an unknown run close no tool, and count in no other run", async () => {
  const closings = createClosings(undefined, 2);
  for (let refusal = 0; refusal < 3; refusal += 1) await closings.refused(unknown);
  await closings.close(unknown, "unsafe");
  expect(closings.reasonFor(unknown)).toBeUndefined();
  await closings.refused(known);
  expect(closings.reasonFor(known)).toBeUndefined();
  await closings.refused(known);
  expect(closings.reasonFor(known)).toBe("refusals_exhausted");
  expect(closings.reasonFor(unknown)).toBeUndefined();
});
