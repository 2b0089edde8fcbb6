import { defineTool } from "@toolcontract/core";
import { expect, test } from "vitest";
import { guardrailFor } from "./index.ts";
import { endOf, ownLoop } from "./testing/index.ts";

const pay = defineTool({ name: "pay", execute: (args: { amount: number }) => args.amount });
const refund = defineTool({ name: "refund", execute: (args: { amount: number }) => args.amount });
const large = {
  name: "large",
  check: ({ args }: { args: { amount: number } }) => args.amount > 5 && "at most 5",
};

test("it is for its tools alone", async () => {
  const { call } = ownLoop({ guardrails: [guardrailFor([pay, refund], large)] });
  for (const tool of ["pay", "refund"]) {
    expect(endOf(await call(tool, () => "ran", { amount: 9 }))).toBe("rejected guardrail 1/3");
  }
  expect(endOf(await call("look", () => "ran", { amount: 9 }))).toBe("ran");
  expect(guardrailFor(pay, large).tools).toEqual(["pay"]);
});

test.each([[[]], [undefined], ["pay"], [[{ name: "" }]]])("%j is not a tool", (tools) => {
  expect(() => guardrailFor(tools as never, large)).toThrow("guardrailFor: pass a tool definition");
});
