import { expect, test } from "vitest";
import { parseArguments } from "./parse-arguments.ts";

const options = { repairJson: true, closeDangling: false };

test.each([
  '{"key":"x"}</tool_call>',
  '{"key":"x"}<|call|>',
  '<|channel|><|message|>{"key":"x"}<|end|>',
  '{"key":"x"}</s>',
  '{"key":"x"}</arguments></invoke>',
  '```json\n{"key":"x"}\n```<|im_end|>',
  '{"key":"x"}<\uFF5Ctool\u2581call\u2581end\uFF5C>',
])("%j: the tokens of a chat template are no part of the arguments", (text) => {
  const parsed = parseArguments(text, options);
  expect(parsed).toMatchObject({ ok: true, value: { key: "x" } });
  expect(parsed.repairs.length).toBeGreaterThan(0);
});

test.each([
  'Well: <|message|>{"key":"x"}',
  '{"key":"x"}</tool_call> and now the next',
  '<thinking>{"key":"x"}</thinking>',
  '<tool_call>{"key":"x"}</tool_call>',
  '{"key":"x"}</tool_call>{"key":"y"}',
  '<|message|>{"key":"x',
])("%j: words, other tags, a second object and a cut are refused", (text) => {
  expect(parseArguments(text, options).ok).toBe(false);
});

test("what looks like a token in a value stays", () => {
  const text = '{"key":"</tool_call><|call|>"}';
  expect(parseArguments(`${text}<|call|>`, options)).toMatchObject({
    value: { key: "</tool_call><|call|>" },
  });
});

test("without repairs the text is refused as it is", () => {
  expect(parseArguments('{"key":"x"}<|call|>', { ...options, repairJson: false }).ok).toBe(false);
});
