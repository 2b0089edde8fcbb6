import fc from "fast-check";
import { expect, test } from "vitest";
import { mayMatterFromClient, mayMatterFromServer } from "./handled-messages.ts";

/** Writes a string as JSON, with some letters escaped. */
const spelled = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: text.length, maxLength: text.length })
    .map((ways) =>
      text
        .split("")
        .map((letter, index) => spell(letter, ways[index] ?? 0))
        .join(""),
    );

function spell(letter: string, way: number): string {
  const code = letter.charCodeAt(0).toString(16).padStart(4, "0");
  if (way === 1) return `\\u${code}`;
  if (way === 2) return `\\u${code.toUpperCase()}`;
  return way === 3 && letter === "/" ? "\\/" : letter;
}

test.each(["tools/call", "tools/list", "notifications/cancelled"])(
  "%s from a client is seen however it is spelled",
  (method) => {
    fc.assert(
      fc.property(spelled("method"), spelled(method), (key, value) => {
        const line = `{"id":1,"${key}":"${value}"}`;
        expect(JSON.parse(line)).toEqual({ id: 1, method });
        expect(mayMatterFromClient(Buffer.from(line))).toBe(true);
      }),
    );
  },
);

test("news of the tools is seen however it is spelled", () => {
  fc.assert(
    fc.property(spelled("notifications/tools/list_changed"), (method) => {
      expect(mayMatterFromServer(Buffer.from(`{"method":"${method}"}`))).toBe(true);
    }),
  );
});

test.each([
  ["a ping", '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ["escapes of other letters", '{"id":1,"result":"\\u00e9\\u001b\\ud83d\\ude00\\u2028"}'],
  ["slashes with backslashes", '{"id":1,"result":"a\\/b\\n"}'],
])("%s need not be parsed", (_, line) => {
  expect(mayMatterFromClient(Buffer.from(line))).toBe(false);
  expect(mayMatterFromServer(Buffer.from(line))).toBe(false);
});
