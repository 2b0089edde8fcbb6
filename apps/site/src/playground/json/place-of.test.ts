import { expect, test } from "vitest";
import { placeOf } from "./place-of.ts";

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
