import fc from "fast-check";
import { expect, test } from "vitest";
import { gatedServer, serverOf, textOf, toolCall } from "../testing/gated-server.ts";
import { holdsExactNumbers, sizeWithin } from "./message.ts";

test.each([
  ["9007199254740991", true],
  ["9007199254740993", false],
  ["-9007199254740993", false],
  ["1e400", false],
  ['{"a":[{"b":12345678901234567890}]}', false],
  ['{"__proto__":{"b":12345678901234567890}}', false],
  ['{"a":[0.1,1.0,"12345678901234567890",null,true]}', true],
])("%s", (text, isExact) => {
  expect(holdsExactNumbers(JSON.parse(text))).toBe(isExact);
});

test("integers are exact if they serialize unchanged", () => {
  fc.assert(
    fc.property(fc.bigInt(), (integer) => {
      const text = String(integer);
      if (holdsExactNumbers(JSON.parse(text))) expect(String(JSON.parse(text))).toBe(text);
    }),
  );
});

test.each<[name: string, value: unknown]>([
  ["a string", "x".repeat(1_000)],
  ["a name", { ["x".repeat(1_000)]: 1 }],
  ["many members", Array.from({ length: 1_000 }, () => 1)],
  ["depth", Array.from({ length: 1_000 }).reduce<unknown>((inner) => [inner], 1)],
])("a size is known as far as it is asked for: %s", (_, value) => {
  expect(sizeWithin(value, 100)).toBeGreaterThan(100);
  expect(sizeWithin(value, 100_000)).toBeGreaterThanOrEqual(1_000);
  expect(sizeWithin(value, 100_000)).toBeLessThan(10_000);
});

const sort = { name: "sort", inputSchema: { properties: { of: { type: "array" } } } };

test.each([
  ["beside", { of: "[2]", id: 2 ** 53 }],
  ["inside", { of: "[12345678901234567890]" }],
])("a call with a larger integer %s a string is not rewritten", async (_, args) => {
  const server = gatedServer(serverOf([sort]), { unwrapStrings: true });
  const { gate } = server;
  const way = server.link();
  expect(await gate.fromClient(toolCall(1, "sort", { of: "[2]" }), way)).toHaveProperty("message");
  expect(await gate.fromClient(toolCall(2, "sort", args), way)).toEqual({ kind: "forward" });
});

test("a result with a larger integer gets no note", async () => {
  const server = gatedServer(
    serverOf([sort], ({ id, params }) => {
      const { id: row } = (params as { readonly arguments: { readonly id: number } }).arguments;
      return { jsonrpc: "2.0", id, result: { content: [], structuredContent: { row } } };
    }),
    { unknownFields: "warn", reportAdvisories: true },
  );
  expect(textOf(await server.call("sort", { id: 1 }))).toContain("Unknown field 'id'");
  expect(textOf(await server.call("sort", { id: 2 ** 53 }))).toBe("");
});
