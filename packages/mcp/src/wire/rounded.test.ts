import { expectLinearCost } from "@toolcontract/case-table/cost";
import { expect, test } from "vitest";
import { holdsSentNumbers } from "./rounded.ts";
import { readMessage } from "./read-message.ts";

function holdsSent(args: string): boolean {
  const reading = readMessage(
    Buffer.from(`{"method":"tools/call","params":{"name":"a","arguments":${args}}}`),
  );
  return reading.kind === "message" && holdsSentNumbers(reading.message);
}

test.each([
  ['{"n":8999999999999999.9}', false],
  ['{"n":-1.00000000000000000001}', false],
  ['{"n":[{"m":0.99999999999999999999}]}', false],
  ['{"n":89999999999999999.9e-1}', false],
  ['{"n":1e-400}', false],
  ['{"n":12345678901234567890}', false],
  ['{"n":9007199254740993.0}', false],
  ['{"n":1.00000000000000000000}', true],
  ['{"n":1.10000000000000000000e1,"m":0.00000000000000000000}', true],
  ['{"n":9007199254740991,"part":0.1,"more":0.12345678901234567}', true],
  ['{"n":"8999999999999999.9","\\"1.00000000000000000001":1}', true],
])("%s is what was sent: %s", (args, isSent) => {
  expect(holdsSent(args)).toBe(isSent);
});

test.each(["8999999999999999.0,", '"8999999999999999.9",', "1e-400000000000000000000,"])(
  "the time grows with the text: many %s",
  async (part) => {
    await expectLinearCost((size) => {
      const args = `[${part.repeat(size)}0]`;
      return () => holdsSent(args);
    }, 5_000);
  },
);
