import { describe, expect, test } from "vitest";
import { jsonPointer, pointerKeys } from "./json-pointer.ts";

describe("a JSON Pointer", () => {
  test.each<[pointer: string, keys: readonly string[]]>([
    ["", []],
    ["/", [""]],
    ["/items/0", ["items", "0"]],
    ["/a~1b/c~0d", ["a/b", "c~d"]],
    // Unescaped in the right order, this is not a slash.
    ["/~01", ["~1"]],
  ])("%j leads to %j", (pointer, keys) => {
    expect(jsonPointer(keys)).toBe(pointer);
    expect(pointerKeys(pointer)).toEqual(keys);
  });
});
