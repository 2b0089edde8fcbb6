import { expect, test } from "vitest";
import { placeOf, placeWithin } from "./place-of.ts";

const TEXT = '{"pth": "a", "at": [{"x/y": 1}, {"b~": null}], "": 2}';

test.each([
  ["/pth", '"pth": "a"'],
  ["/at/0/x~1y", '"x/y": 1'],
  ["/at/1/b~0", '"b~": null'],
  ["/at/1", '{"b~": null}'],
  ["/", '"": 2'],
  ["/path", "{"],
  ["/at/2", "["],
  ["/at/0/x/y", "{"],
  ["/pth/a", '"'],
  ["(arguments)", TEXT],
])("%s", (pointer, expected) => {
  const { from = 0, to = 0 } = placeOf(TEXT, pointer) ?? {};
  expect(TEXT.slice(from, to)).toBe(expected);
});

test.each([
  ["that is cut", '{"path": "a", "mode": ', "/path", '"path": "a"'],
  ["with names without quotes", '{path: 1, "mode": 2}', "/mode", '"mode": 2'],
  ["that is not JSON", "write it", "/path", undefined],
  ["that is empty", "", "/path", undefined],
  ["that is nested too deeply", "[".repeat(200_000), "/0/0", undefined],
])("in a string %s", (_, text, pointer, expected) => {
  const place = placeOf(text, pointer);
  expect(place && text.slice(place.from, place.to)).toBe(expected);
});

test.each([
  ["an object", '[{"input": {"pth": "a"}}]', '{"pth": "a"}', "/pth", '"pth": "a"'],
  [
    "a string",
    String.raw`{"arguments": "{\"pth\": \"a\"}"}`,
    String.raw`"{\"pth\": \"a\"}"`,
    "/pth",
    String.raw`\"pth\": \"a\"`,
  ],
  [
    "a string with other escapes before",
    String.raw`["{\"\u00e9\\n\": \"😀\", \"b\": 1}"]`,
    String.raw`"{\"\u00e9\\n\": \"😀\", \"b\": 1}"`,
    "/b",
    String.raw`\"b\": 1`,
  ],
  ["a string, what is missing", String.raw`["{\"a\": 1}"]`, String.raw`"{\"a\": 1}"`, "/path", "{"],
])("within %s", (_, text, part, pointer, expected) => {
  const from = text.indexOf(part);
  const place = placeWithin(text, { from, to: from + part.length }, pointer);
  expect(place && text.slice(place.from, place.to)).toBe(expected);
});
