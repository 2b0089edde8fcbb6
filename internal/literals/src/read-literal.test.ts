import { expect, test } from "vitest";
import { readLiteral } from "./read-literal.ts";

test.each<[text: string, readings: readonly unknown[]]>([
  ['{"n":1}', [{ n: 1 }]],
  ["{'on': True, 'off': False, 'n': None}", [{ on: true, off: false, n: null }]],
  ["{path: 'a.txt', n: 5,}", [{ path: "a.txt", n: 5 }]],
  [`{'say': 'a "b" c', 'or': "it's"}`, [{ say: 'a "b" c', or: "it's" }]],
  ["('a', 'b')", [["a", "b"]]],
  ["{'x': 'a' 'b'}", [{ x: "ab" }]],
  ["{'x': 1_000}", [{ x: 1000 }]],
  // JavaScript drops the backslash, Python keeps it.
  [String.raw`{'path': 'C:\dir'}`, [{ path: "C:dir" }, { path: String.raw`C:\dir` }]],
  ['{"a": "what"?"}', []],
  ["{'text': 'it's here'}", []],
  ["{'a': `b`}", []],
  ['{"n": 1/6}', []],
  ["{'a': 1}}", []],
])("%s", (text, readings) => {
  expect(readLiteral(text)).toEqual(readings);
});
