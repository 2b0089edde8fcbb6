import fc from "fast-check";
import { expect, test } from "vitest";
import { answeredId } from "./answered-id.ts";

test.each([
  ["first", '{"jsonrpc":"2.0","id":7,"result":{}}', 7],
  ["before the version", '{"id":-7,"jsonrpc":"2.0","result":{}}', -7],
  ["last, as the SDKs write it", '{"result":{},"jsonrpc":"2.0","id":7}\r\n', 7],
  ["before a last version", '{"result":{},"id":"a b","jsonrpc":"2.0"}', "a b"],
  ["between others", '{"jsonrpc":"2.0","result":{"id":1},"id":7,"error":null}', 7],
  ["with spaces", ' { "jsonrpc" : "2.0" , "id" : "x" , "result" : {} } ', "x"],
  ["with an escape", String.raw`{"jsonrpc":"2.0","id":"a\"b","result":{}}`, 'a"b'],
  ["beside a word of a request", '{"jsonrpc":"2.0","id":7,"result":{"method":"GET"}}', 7],
  ["that no answer can carry", '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}', undefined],
  ["of a request of the server", '{"method":"roots/list","jsonrpc":"2.0","id":7}', undefined],
  ["of a member", '{"jsonrpc":"2.0","error":{"code":1,"id":7}}', undefined],
  ["of nothing", "Server listening on port 3000", undefined],
  ["of a batch", '[{"jsonrpc":"2.0","id":7,"result":{}}]', undefined],
])("an id %s: %s", (_, line, id) => {
  expect(answeredId(Buffer.from(line))).toBe(id);
});

test("whatever the order of the members and the content of the result, the id is the message's own", () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string());
  const nested = fc.jsonValue({ maxDepth: 3 });
  const text = fc.constantFrom('","id":1}', '{"id":2', '"method"', "☃".repeat(100));
  const result = fc.record({ id: fc.nat(), text, nested }, { requiredKeys: [] });
  const order = fc.shuffledSubarray(["jsonrpc", "id", "result"], { minLength: 3 });
  fc.assert(
    fc.property(id, result, order, fc.constantFrom(0, 1), (one, body, names, space) => {
      const all = new Map<string, unknown>([
        ["jsonrpc", "2.0"],
        ["id", one],
        ["result", body],
      ]);
      const message = Object.fromEntries(names.map((name) => [name, all.get(name)]));
      expect(answeredId(Buffer.from(JSON.stringify(message, undefined, space)))).toBe(one);
    }),
  );
});
