import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOutline, type Outline } from "./outline.ts";

/** Reads a text in chunks of so many bytes. */
function outlineOf(text: string, size = text.length): Outline {
  const outline = createOutline();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) outline.read(bytes.subarray(at, at + size));
  return outline;
}

describe.each([1, 2, 7, 10_000])("in chunks of %i bytes", (size) => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', true, 1, "tools/call"],
    ['{"params":{"id":2,"method":"ping"},"id":1,"method":"tools/call"}', true, 1, "tools/call"],
    ['{"params":{"method":"tools/call"},"id":"a","method":"ping"}\n', false, "a", "ping"],
    ['{"params":["]","\\"",{"a":"\\\\"}],"method":"ping"}\r\n', false, undefined, "ping"],
    [String.raw`{"\u006dethod":"tools\/call","id":"\""}`, true, '"', "tools/call"],
    [`{"method":"ping","id":"${"é".repeat(100)}"}`, false, "é".repeat(100), "ping"],
    ['{ "result" : { } , "id" : -5 }', false, -5, undefined],
    ['{"error":{"method":"tools/call"},"id":null}', false, null, undefined],
    // Nothing says yet what it is.
    ['{"jsonrpc":"2.0","id":1,"params":{"x":"', true, 1, undefined],
    ['{"id":1,"method":', true, 1, undefined],
    ['{"id":1,"method":"tools/ca', true, 1, undefined],
    ['{"id":1}', true, 1, undefined],
    // Parsers differ in which one they take.
    ['{"method":"tools/call","method":"ping","id":1}', true, 1, undefined],
    ['{"method":"ping","METHOD":"tools/call","id":1}', true, 1, undefined],
    ['{"Method":"tools/call","id":1,"result":1}', true, 1, undefined],
    ['{"method":"ping","id":1,"Id":2}', false, null, "ping"],
    ['{"result":1,"method":"tools/call","id":1}', true, 1, "tools/call"],
    ['{"method":{"a":"ping"},"id":1}', true, 1, undefined],
    ['{"method":null,"id":1}', true, 1, undefined],
    // Ids that cannot be repeated.
    ['{"method":"ping","id":9007199254740993}', false, null, "ping"],
    ['{"method":"ping","id":{"a":1}}', false, null, "ping"],
    [`{"method":"ping","id":"${"a".repeat(600)}"}`, false, null, "ping"],
    // Other long strings.
    [`{"${"a".repeat(600)}":1,"method":"${"b".repeat(600)}","id":1}`, false, 1, undefined],
    // No JSON, or only for some parsers.
    ['[{"method":"ping","id":1}]', true, null, undefined],
    ['{"method":"ping","id":1}{"method":"tools/call"}', true, null, undefined],
    ['{"method":"ping","id":1}\r{"method":"tools/call"}', true, null, undefined],
    ['{"method":"ping","id":1,"a":"\r{"}', true, null, undefined],
    ['{"method":"ping",/*"*/"id":1}', true, null, undefined],
    ["{'method':'ping','id':1}", true, null, undefined],
    ['{"method":"ping""id":1}', true, null, undefined],
    ['{"method":"ping",method:"tools/call","id":1}', true, null, undefined],
    ['{"method":"pi\\xng","id":1}', true, null, undefined],
    ['{"method":"ping","id":1}}', true, null, undefined],
    ['"method"', true, null, undefined],
    ["tools/call", true, null, undefined],
    ["", true, undefined, undefined],
  ])("%j", (text, mayBeCall, id, method) => {
    const outline = outlineOf(text, size);
    expect([outline.mayBeCall(), outline.id(), outline.method()]).toEqual([mayBeCall, id, method]);
  });
});

test("says of every message what JSON.parse says, however it arrives", () => {
  const message = fc.record(
    {
      jsonrpc: fc.constant("2.0"),
      id: fc.oneof(fc.string(), fc.maxSafeInteger()),
      method: fc.oneof(fc.string(), fc.constant("tools/call")),
      params: fc.jsonValue(),
      result: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.tuple(message, fc.constantFrom(0, 1), fc.integer({ min: 1, max: 50 })),
      ([value, spaces, size]) => {
        const text = JSON.stringify(value, undefined, spaces).replaceAll("\n", " ");
        const outline = outlineOf(text, size);
        const { id, method } = value;
        expect([outline.id(), outline.method()]).toEqual([id, method]);
        const isResponse = "result" in value && method === undefined;
        expect([outline.isResponse(), outline.answers()]).toEqual([
          isResponse,
          isResponse ? id : undefined,
        ]);
        const isOther = method === undefined ? "result" in value : method !== "tools/call";
        expect(outline.mayBeCall()).toBe(!isOther);
      },
    ),
  );
});

test("says of every text that JSON.parse refuses, and of all that is not an object, that it may be a call", () => {
  const parts = ["{", "}", "[", "]", ":", ",", '"', "\\", " ", "a", "1", "/", "\r"];
  const noise = fc.string({ unit: fc.constantFrom(...parts, '"method":"ping"', '"id":1') });
  fc.assert(
    fc.property(noise, (text) => {
      const outline = outlineOf(text);
      if (outline.mayBeCall()) return;
      // What is nested is not parsed; the rest must be an object.
      expect(text.trim()).toMatch(/^\{.*"method":"ping"/s);
    }),
    { numRuns: 2_000 },
  );
});
