import { expect, test } from "vitest";
import { argumentsText } from "./sent-text.ts";
import { readMessage } from "./read-message.ts";

const call = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":${args}}}`;

test.each([
  ['{"at":36028797018963971}', '{"at":36028797018963971}'],
  ['{"a":[1.5,{"b":12345678901234567890}]}', '{"a":[1.5,{"b":12345678901234567890}]}'],
  ['{"a":"\\"12345678901234567890","b":1e400}', '{"a":"\\"12345678901234567890","b":1e400}'],
  ['{"a":1}', undefined],
  [`{"a":12345678901234567890,"b":"${"x".repeat(100_000)}"}`, undefined],
])("the digits of %s", (args, text) => {
  const reading = readMessage(Buffer.from(call(args)));
  expect(reading.kind === "message" && argumentsText(reading.message)).toBe(text);
});
