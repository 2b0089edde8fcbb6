import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createListReader } from "./list-reader.ts";
import type { Message } from "@toolcontract/mcp-client/wire";

const READ = ["name", "inputSchema", "outputSchema"];

function read(text: string, size: number): Message | undefined {
  const reader = createListReader();
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) {
    reader.push(bytes.subarray(start, start + size));
  }
  return reader.end();
}

/** What the whole text comes to with Node's parser. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, function (this: object, key, value: unknown) {
      return key === "tools" && Array.isArray(value) && "cursor" in this ? value.map(used) : value;
    });
  } catch {
    return undefined;
  }
}

function used(tool: unknown): object {
  const entries = Object.entries(Object(tool) as object);
  return Array.isArray(tool)
    ? {}
    : Object.fromEntries(entries.filter(([name]) => READ.includes(name)));
}

const tool = fc.oneof(
  fc.record(
    {
      name: fc.string({ unit: "binary" }),
      description: fc.string(),
      inputSchema: fc.dictionary(fc.string(), fc.jsonValue()),
      outputSchema: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom(0, null, "tools", [], [[]], '\\"', "]},{["),
);
const message = fc.record({
  jsonrpc: fc.constant("2.0"),
  tools: fc.array(fc.constant("not these")),
  result: fc.record({ cursor: fc.string(), tools: fc.array(tool), more: fc.jsonValue() }),
});
const size = fc.integer({ min: 1, max: 40 });

describe("a list of tools that arrives in parts", () => {
  test("is what a parser makes of the whole, as far as it is used", () => {
    fc.assert(
      fc.property(message, size, fc.constantFrom(0, 1), (value, parts, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(read(text, parts)).toEqual(parsed(text));
      }),
    );
  });

  test("with any byte put in, left out or repeated is invalid where a parser finds that, too", () => {
    const change = fc.record({
      at: fc.nat(),
      away: fc.integer({ min: 0, max: 2 }),
      put: fc.constantFrom("", '"', "\\", "{", "}", "[", "]", ",", ":", "0", " ", "tools"),
    });
    fc.assert(
      fc.property(message, size, change, (value, parts, { at, away, put }) => {
        const text = JSON.stringify(value);
        const start = at % text.length;
        const changed = text.slice(0, start) + put + text.slice(start + away);
        const whole = parsed(changed);
        const isMessage = typeof whole === "object" && whole !== null && !Array.isArray(whole);
        expect(read(changed, parts) !== undefined).toBe(isMessage);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["no array", '{"result":{"tools":{"a":[1]},"cursor":1}}'],
    ["elsewhere", '{"result":[{"tools":[{"name":"a"}]}],"params":{"tools":[{"description":"a"}]}}'],
    ["an error", '{"id":"x","error":{"code":1,"data":["tools"]}}'],
    ["empty", '{"result":{"cursor":1,"tools":[ ]}}'],
    ["in a string", String.raw`{"result":{"cursor":"\\\"tools\":[","tools":[{"name":"\\"}]}}`],
  ])("%s", (_, text) => {
    expect(read(text, 3)).toEqual(parsed(text));
  });

  test.each([
    [
      "named twice",
      '{"result":{"tools":[{"name":"a"},{"name":"b"}],"tools":[{"name":"c"}]}}',
      ["c"],
    ],
    [
      "in two results",
      '{"result":{"tools":[{"name":"a"}]},"result":{"tools":[{"name":"b"}]}}',
      ["b"],
    ],
    ["empty at last", '{"result":{"tools":[{"name":"a"}],"tools":[]}}', []],
    [
      "under an escaped name at last",
      String.raw`{"result":{"tools":[{"name":"a"}],"t\u006fols":[{"name":"b"}]}}`,
      ["b"],
    ],
  ])("%s is the last, as for a parser", (_, text, names) => {
    expect(read(text, 5)).toMatchObject({ result: { tools: names.map((name) => ({ name })) } });
  });
});
