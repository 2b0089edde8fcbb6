import { describe, expect, test } from "vitest";
import { createLines, idIn } from "./lines.ts";

const push = (text: string, size = 3, max = 20): readonly object[] => {
  const lines = createLines(max);
  const bytes = Buffer.from(text);
  const found: object[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    found.push(...lines.push(bytes.subarray(at, at + size)));
  }
  return found;
};

describe.each([1, 3, 7, 1000])("in chunks of %i bytes", (size) => {
  test("lines are whole, characters too, and empty ones are none", () => {
    expect(push('{"a":"é"}\n\n \n{"b":1}\r\n{"c', size)).toEqual([
      { text: '{"a":"é"}' },
      { text: '{"b":1}\r' },
    ]);
  });

  test("a line that is too long is skipped to its end, and the next one is read", () => {
    const long = `{"id":7,${"x".repeat(100)}}`;
    expect(push(`${long}\n{"b":1}\n`, size)).toEqual([
      { bytes: long.length, start: expect.stringMatching(/^\{"id":7/u), end: long },
      { text: '{"b":1}' },
    ]);
  });
});

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"text":"xxx', "xxx", 7],
  ['{"id":"a","jsonrpc":"2.0","result":{', "", "a"],
  ['{"jsonrpc":"2.0","result":{"content":[', 'xxx"}]},"id":8}', 8],
  ['{"result":{"content":[', 'x"}]},"id":8,"jsonrpc":"2.0"}', 8],
  ['{"jsonrpc":"2.0","id":9,"result":{', "", undefined],
  ['{"result":{"id":7,"x":"', '"}}', undefined],
])("the id of a message that begins with %s", (start, end, expected) => {
  expect(idIn(start, end, new Set<string | number>([7, 8, "a"]))).toBe(expected);
});
