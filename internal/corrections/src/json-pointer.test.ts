import { expect, test } from "vitest";
import { without, withValue } from "./json-pointer.ts";

test.each([
  ["a field", { a: 1 }, "/a", { a: 2 }],
  ["a new field", {}, "/a", { a: 2 }],
  ["the whole", { a: 1 }, "", 2],
  ["an item", [1], "/0", [2]],
  ["an item after the last", [1], "/1", [1, 2]],
  ["no item that would leave a hole", [1], "/4294967294", [1]],
  ["no name of an array", [1], "/length", [1]],
  ["nothing inside a field that does not exist", { a: 1 }, "/b/c", { a: 1 }],
  ["nothing inside a string", { a: "x" }, "/a/0", { a: "x" }],
  ["nothing two levels inside a field that does not exist", { a: 1 }, "/b/c/d", { a: 1 }],
  ["nothing inside an item that does not exist", [1], "/1/a", [1]],
  ["an escaped key", { "a/b~": 1 }, "/a~1b~0", { "a/b~": 2 }],
])("withValue replaces %s", (_, value, pointer, expected) => {
  expect(withValue(value, pointer, 2)).toStrictEqual(expected);
});

test("a field with the name of a prototype is a field", () => {
  const changed = withValue(JSON.parse('{"__proto__":{"a":1}}'), "/__proto__/a", 2);
  expect(JSON.stringify(changed)).toBe('{"__proto__":{"a":2}}');
  expect(JSON.stringify(without(changed, "/__proto__"))).toBe("{}");
});
